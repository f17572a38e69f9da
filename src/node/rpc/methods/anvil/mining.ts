import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { Timing } from '../../../sequencer/schedule.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional, type Param, ParamError } from '../../params/param.ts'
import { boolean, integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { blockCount, mineOptions, seconds } from './anvil-params.ts'
import { runByClock } from './run-by-clock.ts'

/** From here on `evm_setIntervalMining` counts in milliseconds: no one waits so many seconds for a block. */
const MILLISECONDS_FROM = 100

const ONE_BLOCK = { timestamp: undefined, blocks: undefined }

const mine = ({ control, caller }: CallerContext, blocks: number, intervalSeconds: number) =>
  control.seal(blocks, intervalSeconds === 0 ? undefined : intervalSeconds, caller)

const setAutomine = ({ control }: CallerContext, enabled: boolean) => control.setAutomine(enabled)

async function setIntervalMining({ control, dialect }: CallerContext, ms: number): Promise<void> {
  if (ms === 0) {
    if (!control.automine) await control.setAutomine(false)
    return
  }
  const present = control.time().nextTiming
  // As few partial blocks as can be.
  const wanted = dialect?.hasPartialBlocks === false ? { ...present, partialMs: Number.POSITIVE_INFINITY } : present
  const timing = divide(ms, wanted)
  if (!timing) throw new RpcRefusedError('invalid-params', `no timing has blocks of ${ms} ms`)
  await control.setTiming(timing)
  await runByClock(control)
}

/** The timing with blocks of `ms` whose ticks are closest to those of `present`. */
function divide(ms: number, present: Timing): Timing | undefined {
  const { partialMs: range, partialsPerBlock: counts } = OPTION_RANGES
  let best: Timing | undefined
  for (let count: number = counts.min; count <= counts.max; count++) {
    const partialMs = ms / count
    if (!Number.isInteger(partialMs) || partialMs < range.min || partialMs > range.max) continue
    const distance = (timing: Timing) => Math.abs(timing.partialMs - present.partialMs)
    const candidate = { partialMs, partialsPerBlock: count }
    if (!best || distance(candidate) < distance(best)) best = candidate
  }
  return best
}

/** Seconds below {@link MILLISECONDS_FROM}, and milliseconds from there on; in milliseconds. */
const secondsOrMs: Param<number> = {
  parse(value) {
    if (Array.isArray(value))
      throw new ParamError('an interval at random, [min, max], is not supported: give one number')
    const interval = integerWithin(0, 2 ** 32).parse(value)
    return interval < MILLISECONDS_FROM ? interval * 1000 : interval
  },
}

const isAutomining = ({ control }: CallerContext) => control.automine

/** When blocks are sealed. */
export const ANVIL_MINING_METHODS = {
  /** Seals blocks now. */
  anvil_mine: defineMethod([optional(blockCount, 1), optional(seconds, 0)], answeringNull(mine)),
  hardhat_mine: defineMethod([optional(blockCount, 1), optional(seconds, 0)], answeringTrue(mine)),

  /** Seals a block now, with a timestamp if one is asked for. */
  evm_mine: defineMethod([optional(mineOptions, ONE_BLOCK)], async ({ control, caller }, options) => {
    const { timestamp, blocks = 1 } = options
    if (timestamp !== undefined) await control.setNextTimestamp(timestamp)
    await control.seal(blocks, undefined, caller)
    return '0x0' as const
  }),

  /** Whether each transaction is sealed at once in a block of its own; off, only calls seal. */
  evm_setAutomine: defineMethod([boolean], answeringTrue(setAutomine)),
  hardhat_setAutomine: defineMethod([boolean], answeringTrue(setAutomine)),
  anvil_setAutomine: defineMethod([boolean], answeringNull(setAutomine)),

  anvil_getAutomine: defineMethod([], isAutomining),

  hardhat_getAutomine: defineMethod([], isAutomining),

  /** Time from block to block. */
  evm_setIntervalMining: defineMethod([secondsOrMs], answeringTrue(setIntervalMining)),

  /** Sets the interval in seconds. */
  anvil_setIntervalMining: defineMethod(
    [seconds],
    answeringNull((context, interval: number) => setIntervalMining(context, interval * 1000)),
  ),

  /** Seconds from block to block. */
  anvil_getIntervalMining: defineMethod([], ({ control }) => {
    const { paused, nextTiming } = control.time()
    return paused ? null : (nextTiming.partialMs * nextTiming.partialsPerBlock) / 1000
  }),
} satisfies Partial<MethodTable>
