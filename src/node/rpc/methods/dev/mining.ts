import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { Timing } from '../../../sequencer/schedule.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional } from '../../params/param.ts'
import { boolean, integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { blockCount, mineOptions, seconds } from './dev-params.ts'

/** From here on `evm_setIntervalMining` counts in milliseconds: no one waits a quarter of an hour for a block. */
const MILLISECONDS_FROM = 1_000

const ONE_BLOCK = { timestamp: undefined, blocks: undefined }

const mine = ({ control, caller }: CallerContext, blocks: number, intervalSeconds: number) =>
  control.seal(blocks, intervalSeconds === 0 ? undefined : intervalSeconds, caller)

function setAutomine({ control }: CallerContext, enabled: boolean): void {
  if (enabled) control.resume()
  else control.pause()
}

function setIntervalMining({ control }: CallerContext, ms: number): void {
  if (ms === 0) {
    control.pause()
    return
  }
  const timing = divide(ms, control.time().nextTiming)
  if (!timing) throw new RpcRefusedError('invalid-params', `no timing has blocks of ${ms} ms`)
  control.setTiming(timing)
  control.resume()
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

const isRunning = ({ control }: CallerContext) => !control.time().paused

/** `anvil_mine`: seals blocks now. */
export const anvilMine = defineMethod(
  'anvil_mine',
  [optional(blockCount, 1), optional(seconds, 0)],
  answeringNull(mine),
)
/** `hardhat_mine`: the same. */
export const hardhatMine = defineMethod(
  'hardhat_mine',
  [optional(blockCount, 1), optional(seconds, 0)],
  answeringTrue(mine),
)

/** `evm_mine`: seals a block now, with a timestamp if one is asked for. */
export const evmMine = defineMethod(
  'evm_mine',
  [optional(mineOptions, ONE_BLOCK)],
  async ({ control, caller }, options) => {
    const { timestamp, blocks = 1 } = options
    if (timestamp !== undefined) await control.setNextTimestamp(timestamp)
    await control.seal(blocks, undefined, caller)
    return '0x0' as const
  },
)

/** `evm_setAutomine`: whether the clock drives the chain. */
export const evmSetAutomine = defineMethod('evm_setAutomine', [boolean], answeringTrue(setAutomine))
/** `anvil_setAutomine`: the same. */
export const anvilSetAutomine = defineMethod('anvil_setAutomine', [boolean], answeringNull(setAutomine))
/** `anvil_getAutomine`. */
export const anvilGetAutomine = defineMethod('anvil_getAutomine', [], isRunning)
/** `hardhat_getAutomine`. */
export const hardhatGetAutomine = defineMethod('hardhat_getAutomine', [], isRunning)

/** `evm_setIntervalMining`: time from block to block, in seconds below 1,000 and in milliseconds from there on. */
export const evmSetIntervalMining = defineMethod(
  'evm_setIntervalMining',
  [integerWithin(0, 2 ** 32)],
  answeringTrue((context, interval: number) =>
    setIntervalMining(context, interval < MILLISECONDS_FROM ? interval * 1000 : interval),
  ),
)

/** `anvil_setIntervalMining`: the same in seconds. */
export const anvilSetIntervalMining = defineMethod(
  'anvil_setIntervalMining',
  [seconds],
  answeringNull((context, interval: number) => setIntervalMining(context, interval * 1000)),
)

/** `anvil_getIntervalMining`: seconds from block to block. */
export const anvilGetIntervalMining = defineMethod('anvil_getIntervalMining', [], ({ control }) => {
  const { paused, nextTiming } = control.time()
  return paused ? null : (nextTiming.partialMs * nextTiming.partialsPerBlock) / 1000
})
