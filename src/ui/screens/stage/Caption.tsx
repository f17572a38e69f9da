import { useState } from 'react'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import type { Pace } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { percentile } from '#ui/screens/live/latency/latency.ts'
import { useLatencies } from '#ui/screens/live/latency/use-latencies.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Stage.module.css'
import { BEATS, SCENES, wordsOf } from './scenes.ts'
import { useStage } from './stage-store.ts'

const css = classNames(styles)

/** The scene's sentence for the audience. */
export function Caption() {
  const { at = 0, error } = useStage()
  const { room } = useCapabilities()
  const pace = usePace()
  const samples = useLatencies()
  const placed = BEATS[at]
  if (!placed) return null
  const { scene, sceneNumber, beat } = placed
  const half = percentile(
    samples.map(({ preconfirmedMs }) => preconfirmedMs),
    0.5,
  )
  return (
    <div className={css('caption')}>
      <p className="muted">
        {sceneNumber} of {SCENES.length} · {scene.title}
        {beat.load > 0 && <Rate pace={pace} />}
      </p>
      <p className={css('sentence')} role="status">
        {
          wordsOf(beat, {
            isRoom: room !== undefined,
            pace,
            time: half === undefined ? undefined : formatDuration(half).replace(' ', '\u00a0'),
          }).caption
        }
      </p>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  )
}

/** What goes through, by the newest sealed block, once one is of this scene alone. */
function Rate({ pace: { partialMs, partialsPerBlock, speed } }: { pace: Pace }) {
  const { number, transactionCount: count = 0 } = useFeed((feed) => feed.sealed[0]) ?? {}
  const [before] = useState(number ?? 0)
  if ((number ?? 0) < before + 2) return null
  return <> · {formatInteger(Math.round((count * 1_000 * speed) / (partialMs * partialsPerBlock)))} per second</>
}
