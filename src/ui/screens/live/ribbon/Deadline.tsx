import { sealDueAtMs } from '#ui/feed/selectors.ts'
import { useFeed, useFrozenView } from '#ui/feed/store.ts'
import { useNow } from '#ui/feed/ticker.ts'
import { formatSeconds } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useAutomine, useClockState, useDisturbedSeal, usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Deadline.module.css'
import { useDeadlineBar } from './use-deadline-bar.ts'

const css = classNames(styles)

/** When the pending block is due to be sealed: in words and as a bar. */
export function Deadline() {
  const live = useFeed((feed) => feed.live)
  const clock = useClockState()
  const { film } = useCapabilities()
  const automine = useAutomine()
  const pace = usePace()
  // A film has no time of its own: only its moments.
  const running = clock === 'running' && live !== undefined && !film
  const now = useNow(running)
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  const seal = useDisturbedSeal()
  const disturbed = seal?.blockNumber === live?.number ? seal : undefined
  const totalMs = (pace.partialsPerBlock * pace.partialMs + (disturbed?.delayMs ?? 0)) / pace.speed
  const ticksLeft = live ? pace.partialsPerBlock - live.index : pace.partialsPerBlock
  const dueAtMs = live && (disturbed?.dueAtMs ?? sealDueAtMs(live, pace))
  const leftMs = running && dueAtMs !== undefined ? Math.max(0, dueAtMs - now) : undefined
  const left = leftMs === undefined ? ticksLeft / pace.partialsPerBlock : leftMs / totalMs
  const bar = useDeadlineBar({ done: 1 - left, dueAtMs: running && !frozen ? dueAtMs : undefined, totalMs })
  return (
    <>
      <p className={css('words')}>{words()}</p>
      <div className={css('track')} data-graphic aria-hidden="true">
        <div ref={bar} className={css('bar')} />
      </div>
    </>
  )

  function words() {
    if (!live || !clock) return '…'
    if (film) return 'recorded'
    if (automine) return 'automine: sealed with the next transaction'
    if (clock === 'manual') return 'manual: press Step'
    if (clock === 'paused') return `paused, ${ticksLeft} ${ticksLeft === 1 ? 'tick' : 'ticks'} before the seal`
    const seconds = formatSeconds(leftMs ?? 0)
    // A point and a space together are narrower than a digit, so they share a cell.
    return (
      <>
        seals in{' '}
        <strong className={css('seconds')} style={{ inlineSize: `${seconds.length - 1}ch` }}>
          {seconds}
        </strong>
      </>
    )
  }
}
