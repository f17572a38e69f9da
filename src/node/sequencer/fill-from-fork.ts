import type { Cancel } from '#primitives/clock.ts'
import type { LiveBlockDeps } from './live-block.ts'

/** How long a seal on request waits for the state of transactions in the pool, in milliseconds. */
const PATIENCE_MS = 60_000

/**
 * Takes into a forked chain's live block what waits for state in the pool, so that a seal on request leaves nothing
 * out. Ticks go on while state is fetched. Any other chain has nothing to wait for.
 *
 * @param fill - Fills the live block.
 * @param isOver - Whether nobody wants it any more.
 */
export async function fillFromFork(
  { clock, fork }: Pick<LiveBlockDeps, 'clock' | 'fork'>,
  fill: () => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  if (!fork) return
  const deadline = clock.now() + PATIENCE_MS
  let cancel: Cancel = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = clock.schedule(resolve, PATIENCE_MS)
  })
  try {
    while (!isOver() && clock.now() < deadline) {
      await fill()
      const fetched = fork.whenFetched()
      if (!fetched) return
      await Promise.race([fetched, late])
    }
  } finally {
    cancel()
  }
}
