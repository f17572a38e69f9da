import { type RefObject, useLayoutEffect, useRef } from 'react'
import { mayMove } from '#ui/styles/motion.ts'

/**
 * A bar that fills until a deadline. The browser animates it: stepping it on the page's thread would force layout and
 * paint many times a second.
 *
 * @param done - Elapsed share, 0 to 1: the bar's position while it does not move.
 * @param dueAtMs - When it is full, in milliseconds since the Unix epoch; `undefined` while time stands still.
 * @param totalMs - The whole time.
 */
export function useDeadlineBar({
  done,
  dueAtMs,
  totalMs,
}: {
  done: number
  dueAtMs: number | undefined
  totalMs: number
}): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  const moves = dueAtMs !== undefined && mayMove()
  // While it moves, the animation overrides this.
  const resting = moves ? undefined : scaled(done)
  useLayoutEffect(() => {
    if (bar.current && resting !== undefined) bar.current.style.transform = resting
  }, [resting])
  useLayoutEffect(() => {
    if (!moves || !bar.current) return undefined
    const leftMs = Math.max(0, dueAtMs - Date.now())
    const motion = bar.current.animate(
      { transform: [scaled(1 - leftMs / totalMs), scaled(1)] },
      { duration: leftMs, fill: 'forwards' },
    )
    return () => motion.cancel()
  }, [moves, dueAtMs, totalMs])
  return bar
}

function scaled(share: number): string {
  return `scaleX(${Math.min(1, Math.max(0, share))})`
}
