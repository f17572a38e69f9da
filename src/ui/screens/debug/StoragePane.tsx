import { useEffect, useMemo } from 'react'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { partitionPoint } from '#primitives/partition-point.ts'
import { storageAddress } from '#rpc-types/execution-trace.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { frameAt, type Run } from '#ui/execution/run.ts'
import type { StepWindows } from '#ui/execution/step-windows.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './StatePanes.module.css'
import { Word } from './StatePanes.tsx'

const css = classNames(styles)

const SLOAD = 0x54
const SSTORE = 0x55
const TLOAD = 0x5c
const TSTORE = 0x5d

/** What the opcodes that use storage do. */
const USES: ReadonlyMap<number, string> = new Map([
  [SLOAD, 'read'],
  [SSTORE, 'written'],
  [TLOAD, 'transient, read'],
  [TSTORE, 'transient, written'],
])
/** Uses of slots that are listed. */
const SHOWN = 12
/** The longest run, in steps, that is executed again for the slots of steps that nobody has looked at. */
const QUICK_STEPS = 300_000

/** The newest uses of the frame's storage, up to the current step, newest first. */
export function StoragePane({
  run,
  at,
  windows,
  go,
}: {
  run: Run
  at: number
  windows: StepWindows
  go: (step: number) => void
}) {
  const account = storageAddress(frameAt(run, at))
  const ofAccounts = useMemo(() => storageUses(run), [run])
  const uses = newestUses(ofAccounts.get(account) ?? [], at)
  const asks = run.steps <= QUICK_STEPS
  const wanted = uses.join()
  useEffect(() => {
    if (asks && wanted !== '') windows.wantSlots(wanted.split(',').map(Number))
  })
  return (
    <Panel title="Storage" aside={<Address address={account} />}>
      {uses.length === 0 ? (
        <p className="muted">Nothing has been read or written yet.</p>
      ) : (
        <ol className={css('slots')} aria-label="Uses of the storage, newest first">
          {uses.map((step) => {
            const slot = windows.slotAt(step)
            return (
              <li key={step} className={css('slot', step === at && 'taken')}>
                <button type="button" className={css('jump')} onClick={() => go(step)}>
                  {USES.get(run.ops[step] as number)} at {formatInteger(step + 1)}
                </button>
                {slot ? (
                  <>
                    <code className={css('key')} title={slot.key}>
                      {keyWords(slot.key)}
                    </code>
                    <Word word={slot.value} />
                  </>
                ) : (
                  <span className="muted">{asks ? '…' : 'not looked at yet'}</span>
                )}
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}

/** Slots of fixed variables are small numbers; others are hashes. */
function keyWords(key: `0x${string}`): string {
  const value = BigInt(key)
  return value < 1_000_000n ? `slot ${value}` : shortHex(key)
}

/** The steps that use the storage of each account, in order. */
function storageUses(run: Run): ReadonlyMap<AddressHex, readonly number[]> {
  const found = new Map<AddressHex, number[]>()
  for (let step = 0; step < run.steps; step++) {
    if (!USES.has(run.ops[step] as number)) continue
    const account = storageAddress(frameAt(run, step))
    const uses = found.get(account)
    if (uses) uses.push(step)
    else found.set(account, [step])
  }
  return found
}

/** The last of some steps up to the current one, newest first. */
function newestUses(uses: readonly number[], at: number): readonly number[] {
  const end = partitionPoint(uses, (step) => step <= at)
  return uses.slice(Math.max(0, end - SHOWN), end).toReversed()
}
