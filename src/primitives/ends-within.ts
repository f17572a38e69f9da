import type { Cancel, Clock } from './clock.ts'

/**
 * Waits for work, but not for long.
 *
 * @returns Whether it has ended in that time; else it goes on, and nobody is told how it ends.
 * @throws As the work does.
 */
export async function endsWithin(clock: Pick<Clock, 'schedule'>, ms: number, work: Promise<unknown>): Promise<boolean> {
  let cancel: Cancel = () => {}
  const late = new Promise<false>((resolve) => {
    cancel = clock.schedule(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    cancel()
  }
}
