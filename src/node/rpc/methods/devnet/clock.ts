import { toQuantity } from '#primitives/hex.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { optional } from '../../params/param.ts'
import { integerWithin, numberWithin } from '../../params/plain-params.ts'
import { runByClock } from '../anvil/run-by-clock.ts'

/** Most ticks per call. */
const MAX_TICKS = 100_000

/** The chain's clock. */
export const DEVNET_CLOCK_METHODS = {
  /** Runs ticks at once, regardless of the clock. */
  devnet_tick: defineMethod([optional(integerWithin(1, MAX_TICKS), 1)], async ({ control, caller }, n) => {
    const { header, index } = await control.tick(n, caller)
    return { number: toQuantity(header.number), index }
  }),

  /** Stops the clock's ticks. */
  devnet_pause: defineMethod([], ({ control }) => {
    control.pause()
    return true
  }),

  /** Resumes the clock's ticks. */
  devnet_resume: defineMethod([], async ({ control }) => {
    await runByClock(control)
    return true as const
  }),

  /** Sets chain time over real time. */
  devnet_setSpeed: defineMethod(
    [numberWithin(OPTION_RANGES.speed.min, OPTION_RANGES.speed.max)],
    ({ control }, factor) => {
      control.setSpeed(factor)
      return true
    },
  ),
} satisfies Partial<MethodTable>
