import { useEffect, useState } from 'react'
import { mayMove } from '#ui/styles/motion.ts'
import { TICK_MS } from './scenario/judge-run.ts'

/** A moment on the line of time, which can run. */
export interface HistoryReplay {
  /** Ticks since the beginning, with a fraction while it runs. */
  readonly at: number
  readonly playing: boolean
  /** From the beginning, if it is at its end. */
  readonly play: () => void
  readonly pause: () => void
  readonly seek: (tick: number) => void
}

/**
 * Replays ticks in the chain's own time.
 *
 * @param end - Where it stops.
 * @param begins - Whether it plays at once. Otherwise it stands at its end, where all is said.
 */
export function useReplay(end: number, begins = false): HistoryReplay {
  const [at, setAt] = useState(begins ? 0 : end)
  const [playing, setPlaying] = useState(begins)
  useEffect(() => {
    if (!playing) return undefined
    let before = performance.now()
    let frame = requestAnimationFrame(step)
    function step(now: number): void {
      const passed = Math.max(0, now - before) / TICK_MS
      before = now
      setAt((tick) => Math.min(end, tick + passed))
      frame = requestAnimationFrame(step)
    }
    return () => cancelAnimationFrame(frame)
  }, [playing, end])
  const isOver = at >= end
  if (playing && isOver) setPlaying(false)
  return {
    // Without motion the time goes in steps.
    at: Math.min(mayMove() ? at : Math.floor(at), end),
    playing,
    play: () => {
      if (isOver) setAt(0)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
    seek: (tick) => {
      setPlaying(false)
      setAt(tick)
    },
  }
}
