import type { BlinknetProvider } from '#client/session/provider.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'

/** The clock's state before the tour changed it. */
export interface ClockBefore {
  readonly paused: boolean
  readonly automine: boolean
  /** Chain time over real time. */
  readonly speed: number
}

/** The clock's state, to restore it later; a manual clock is never changed. */
export function clockBefore({ mode, paused, automine = false, speed }: DevnetStatus): ClockBefore | undefined {
  return mode === 'manual' ? undefined : { paused, automine, speed }
}

/** Stops the clock, so that the person can look at the result. */
export async function holdClock(provider: BlinknetProvider, before: ClockBefore | undefined): Promise<void> {
  if (before) await provider.request({ method: 'devnet_pause' })
}

/**
 * Runs the clock.
 *
 * @param speed - Chain time over real time: at most the earlier one, but for full speed.
 */
export async function runClock(
  provider: BlinknetProvider,
  before: ClockBefore | undefined,
  speed: number,
): Promise<void> {
  if (!before) return
  await provider.request({ method: 'devnet_setSpeed', params: [speed === 1 ? 1 : Math.min(speed, before.speed)] })
  await provider.request({ method: 'devnet_resume' })
}

/** Restores the clock. */
export async function giveClockBack(provider: BlinknetProvider, before: ClockBefore | undefined): Promise<void> {
  if (!before) return
  await provider.request({ method: 'devnet_setSpeed', params: [before.speed] })
  if (before.automine) await provider.request({ method: 'evm_setAutomine', params: [true] })
  else await provider.request({ method: before.paused ? 'devnet_pause' : 'devnet_resume' })
}
