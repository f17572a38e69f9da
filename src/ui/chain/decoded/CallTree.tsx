import { type KeyboardEvent, useState } from 'react'
import type { RpcCallFrame, RpcCallLog } from '#rpc-types/methods/debug.ts'
import { Button } from '#ui/components/Button.tsx'
import { countCalls, entriesOf } from '#ui/decode/call-tree.ts'
import { decodeLog } from '#ui/decode/decode-log.ts'
import { decodedText } from '#ui/decode/value-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CallFrame } from './CallFrame.tsx'
import styles from './CallTree.module.css'
import { LogContent } from './LogList.tsx'

const css = classNames(styles)

/** How many nested calls are drawn at first. */
const SHOWN = 50
/** How many levels are open at first, except in large trees. */
const OPEN_DEPTH = 5
const LARGE = 200

/** The calls of a transaction as nested lists that open and close, each with its gas. */
export function CallTree({ top }: { top: RpcCallFrame }) {
  // Opening or closing everything creates a new tree.
  const [way, setWay] = useState<{ readonly depth: number; readonly version: number }>(() => ({
    depth: countCalls(top) > LARGE ? 2 : OPEN_DEPTH,
    version: 0,
  }))
  const openTo = (depth: number) => setWay(({ version }) => ({ depth, version: version + 1 }))
  return (
    <div className={css('tree')}>
      {(top.calls?.length ?? 0) > 0 && (
        <div className={css('tools')}>
          <Button size="small" onClick={() => openTo(Number.POSITIVE_INFINITY)}>
            Open all
          </Button>
          <Button size="small" onClick={() => openTo(0)}>
            Close all
          </Button>
        </div>
      )}
      <ul aria-label="Calls" className={css('calls')}>
        <Call key={way.version} frame={top} total={Number(top.gasUsed)} depth={0} openDepth={way.depth} />
      </ul>
    </div>
  )
}

interface CallProps {
  readonly frame: RpcCallFrame
  /** Gas of the whole transaction. */
  readonly total: number
  readonly depth: number
  readonly openDepth: number
}

function Call({ frame, total, depth, openDepth }: CallProps) {
  const [open, setOpen] = useState(depth < openDepth)
  const [shown, setShown] = useState(SHOWN)
  const entries = entriesOf(frame)
  const left = entries.length - shown

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'ArrowRight') setOpen(true)
    if (key === 'ArrowLeft') setOpen(false)
  }
  return (
    <li className={css('call')}>
      <div className={css('row')}>
        {entries.length > 0 ? (
          <button
            type="button"
            className={css('toggle')}
            aria-expanded={open}
            aria-label={`What happened in call ${frame.type} at depth ${depth}`}
            onClick={() => setOpen(!open)}
            onKeyDown={onKeyDown}
          >
            <span aria-hidden="true" className={css('arrow')}>
              ▸
            </span>
          </button>
        ) : (
          <span className={css('toggle')} aria-hidden="true" />
        )}
        <CallFrame frame={frame} total={total} />
      </div>
      {open && entries.length > 0 && (
        <ul className={css('calls', 'nested')}>
          {entries.slice(0, shown).map((entry, i) =>
            entry.kind === 'call' ? (
              // Entries never change, so their index is a stable key.
              <Call key={i} frame={entry.frame} total={total} depth={depth + 1} openDepth={openDepth} />
            ) : (
              <Log key={i} log={entry.log} />
            ),
          )}
          {left > 0 && (
            <li className={css('more')}>
              <Button size="small" onClick={() => setShown(shown + 4 * SHOWN)}>
                Show more of {formatInteger(left)} left
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

function Log({ log }: { log: RpcCallLog }) {
  const decoded = decodeLog(useContracts(), log)
  return (
    <li className={css('log')}>
      <details>
        <summary>
          <span className={css('type')}>LOG</span> <code>{decoded ? decodedText(decoded) : 'not decoded'}</code>
        </summary>
        <div className={css('content')}>
          <LogContent log={log} />
        </div>
      </details>
    </li>
  )
}
