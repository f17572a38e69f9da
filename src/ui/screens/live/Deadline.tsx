import type { CSSProperties } from 'react'
import type { LiveBlock } from '#ui/feed/feed-state.ts'
import { msUntilSeal } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatSeconds } from '#ui/format/numbers.ts'
import { useClockState, useDisturbedSeal, usePace } from '#ui/queries/status.ts'
import { useNow } from '#ui/shell/ticker.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Deadline.module.css'

const css = classNames(styles)

/** When the live block is due to be sealed: in words and as a bar. */
export function Deadline() {
  const live = useFeed((feed) => feed.live)
  const clock = useClockState()
  const pace = usePace()
  const running = clock === 'running' && live !== undefined
  const now = useNow(running)
  const seal = useDisturbedSeal()
  const disturbed = seal?.blockNumber === live?.number ? seal : undefined
  const total = (pace.partialsPerBlock * pace.partialMs + (disturbed?.delayMs ?? 0)) / pace.speed
  const ticksLeft = live ? pace.partialsPerBlock - live.index : pace.partialsPerBlock
  const left = running ? leftMs(live) / total : ticksLeft / pace.partialsPerBlock
  const share = { '--done': Math.min(1, Math.max(0, 1 - left)) } as CSSProperties
  return (
    <>
      <p className={css('words')}>{words()}</p>
      <div className={css('track')} aria-hidden="true">
        <div className={css('bar')} style={share} />
      </div>
    </>
  )

  function leftMs(block: LiveBlock): number {
    return disturbed ? Math.max(0, disturbed.dueAtMs - now) : msUntilSeal(block, pace, now)
  }

  function words() {
    if (!live || !clock) return '…'
    if (clock === 'manual') return 'manual clock: press Step'
    if (clock === 'paused') return `paused, ${ticksLeft} ${ticksLeft === 1 ? 'tick' : 'ticks'} before the seal`
    return (
      <>
        seals in <strong className={css('seconds')}>{formatSeconds(leftMs(live))}</strong>
      </>
    )
  }
}
