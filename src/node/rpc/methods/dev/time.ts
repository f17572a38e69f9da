import { toQuantity } from '#primitives/hex.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { moment, seconds, timestamp } from './dev-params.ts'

/** Whole seconds, spelt in milliseconds. */
const secondsAsMs: Param<number> = {
  parse(value) {
    const ms = integerWithin(1_000, 2 ** 42).parse(value)
    if (ms % 1000 !== 0) throw new ParamError(`${ms} ms is not a whole number of seconds`)
    return ms / 1000
  },
}

async function increaseTime({ control }: CallerContext, by: number) {
  await control.increaseTime(by)
  return toQuantity(Math.floor(control.time().travelledMs / 1000))
}

async function setTime({ control }: CallerContext, toMs: number) {
  const before = control.time().travelledMs
  await control.travelTo(toMs)
  return toQuantity(Math.floor((control.time().travelledMs - before) / 1000))
}

const setNextTimestamp = answeringNull(({ control }, at: number) => control.setNextTimestamp(at))
const setInterval = ({ control }: CallerContext, interval: number) => control.setTimestampInterval(interval)

async function removeInterval({ control }: CallerContext): Promise<boolean> {
  const was = control.time().timestampIntervalSeconds !== undefined
  if (was) await control.setTimestampInterval(undefined)
  return was
}

/** `evm_increaseTime`: the next block is so much younger. */
export const evmIncreaseTime = defineMethod('evm_increaseTime', [seconds], increaseTime)
/** `anvil_increaseTime`: the same. */
export const anvilIncreaseTime = defineMethod('anvil_increaseTime', [seconds], increaseTime)

/** `evm_setTime`: chain time becomes later. */
export const evmSetTime = defineMethod('evm_setTime', [moment], setTime)
/** `anvil_setTime`: the same. */
export const anvilSetTime = defineMethod('anvil_setTime', [moment], setTime)

/** `evm_setNextBlockTimestamp`: exactly that one. */
export const evmSetNextBlockTimestamp = defineMethod('evm_setNextBlockTimestamp', [timestamp], setNextTimestamp)
/** `anvil_setNextBlockTimestamp`: the same. */
export const anvilSetNextBlockTimestamp = defineMethod('anvil_setNextBlockTimestamp', [timestamp], setNextTimestamp)

/** `anvil_setBlockTimestampInterval`: from every block to the next. */
export const anvilSetBlockTimestampInterval = defineMethod(
  'anvil_setBlockTimestampInterval',
  [integerWithin(1, 2 ** 32)],
  answeringNull(setInterval),
)
/** `hardhat_setBlockTimestampInterval`: the same in milliseconds. */
export const hardhatSetBlockTimestampInterval = defineMethod(
  'hardhat_setBlockTimestampInterval',
  [secondsAsMs],
  answeringTrue(setInterval),
)

/** `anvil_removeBlockTimestampInterval`: whether there was one. */
export const anvilRemoveBlockTimestampInterval = defineMethod('anvil_removeBlockTimestampInterval', [], removeInterval)
/** `hardhat_removeBlockTimestampInterval`: the same. */
export const hardhatRemoveBlockTimestampInterval = defineMethod(
  'hardhat_removeBlockTimestampInterval',
  [],
  removeInterval,
)
