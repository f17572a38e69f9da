import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { frameWords } from '#ui/execution/frame-words.ts'
import { callSite, callStack, type Run } from '#ui/execution/run.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Frames.module.css'

const css = classNames(styles)

/** Frames that are drawn; the EVM allows 1,025. */
const SHOWN = 40

/** The calls that the current step is in, innermost first. */
export function Frames({ run, at, go }: { run: Run; at: number; go: (step: number) => void }) {
  const contracts = useContracts()
  const stack = callStack(run, at)
  return (
    <ol className={css('frames')} aria-label="Call stack">
      {stack.slice(0, SHOWN).map((frame, i) => (
        <li
          key={frame.index}
          className={css('frame', i === 0 && 'current')}
          aria-current={i === 0 ? 'true' : undefined}
        >
          <p className={css('line')}>
            <span className={css('type')}>{frame.type}</span>
            <Address address={frame.to} />
            <code className={css('call')}>{frameWords(contracts, frame)}</code>
            {frame.error !== null && (
              <span className={css('failed')}>
                <Glyph sign="reverted" size={10} /> {othersText(frame.error)}
              </span>
            )}
          </p>
          <p className={css('links')}>
            <button type="button" className={css('jump')} onClick={() => go(frame.firstStep)}>
              its start
            </button>
            {i > 0 && (
              <button type="button" className={css('jump')} onClick={() => go(callSite(stack[i - 1] ?? frame) ?? 0)}>
                its call
              </button>
            )}
            <button type="button" className={css('jump')} onClick={() => go(frame.endStep - 1)}>
              its end
            </button>
            <span className={css('gas')}>{formatInteger(BigInt(frame.gasUsed))} gas</span>
          </p>
        </li>
      ))}
      {stack.length > SHOWN && <li className="note">and {formatInteger(stack.length - SHOWN)} more around them</li>}
    </ol>
  )
}
