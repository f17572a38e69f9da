import { memo } from 'react'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { frameWords } from '#ui/execution/frame-words.ts'
import { frameAt, type Run } from '#ui/execution/run.ts'
import { activeCalls, placedStep } from '#ui/execution/source-track.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Frames.module.css'

const css = classNames(styles)

/** Calls that are drawn. */
const SHOWN = 40

/** The calls that the current step is in, with the functions inside of contracts, innermost first. */
export const Calls = memo(function Calls({
  run,
  found,
  at,
  go,
}: {
  run: Run
  found: StepSources
  at: number
  go: (step: number) => void
}) {
  const contracts = useContracts()
  const calls = activeCalls(found, run, at, SHOWN)
  return (
    <ol className={css('frames')} aria-label="Call stack">
      {calls.map(({ step, isOutermost }, i) => {
        const frame = frameAt(run, step)
        const place = found.places[found.placeOf[placedStep(found, run, step) ?? step] as number]
        const name = place && place.callable >= 0 ? found.names[place.callable] : undefined
        const contract = frame.code === null ? undefined : found.codes[frame.code]?.contract
        const words = othersText(name ?? [contract, frameWords(contracts, frame)].filter(Boolean).join('.'))
        return (
          <li key={step} className={css('frame', i === 0 && 'current')} aria-current={i === 0 ? 'true' : undefined}>
            <p className={css('line')}>
              <button type="button" className={css('jump', 'call')} onClick={() => go(step)}>
                <code>{words}</code>
              </button>
              {place && place.source >= 0 && (
                <span className="muted">
                  {othersText(baseName(found.sources[place.source]?.path ?? ''))}:{place.line}
                </span>
              )}
            </p>
            {isOutermost && (
              <p className={css('links')}>
                <span className={css('type')}>{frame.type}</span>
                <Address address={frame.to} />
                {frame.error !== null && (
                  <span className={css('failed')}>
                    <Glyph sign="reverted" size={10} /> {othersText(frame.error)}
                  </span>
                )}
                <span className={css('gas')}>{formatInteger(BigInt(frame.gasUsed))} gas</span>
              </p>
            )}
          </li>
        )
      })}
      {calls.length === SHOWN && <li className="note">and more around them</li>}
    </ol>
  )
})

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
