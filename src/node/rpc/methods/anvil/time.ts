import { toQuantity } from '#primitives/hex.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { moment, seconds, timestamp } from './anvil-params.ts'

/** Whole seconds, spelt in milliseconds. */
const secondsAsMs: Param<number> = {
  parse(value) {
    const ms = integerWithin(0, 2 ** 42).parse(value)
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

/** Time and timestamps. */
export const ANVIL_TIME_METHODS = {
  /** Moves chain time forward by that many seconds. */
  evm_increaseTime: defineMethod([seconds], increaseTime),
  anvil_increaseTime: defineMethod([seconds], increaseTime),

  /** Moves chain time forward to a moment. */
  evm_setTime: defineMethod([moment], setTime),
  anvil_setTime: defineMethod([moment], setTime),

  /** The next block has exactly this timestamp. */
  evm_setNextBlockTimestamp: defineMethod([timestamp], setNextTimestamp),
  anvil_setNextBlockTimestamp: defineMethod([timestamp], setNextTimestamp),

  /** The seconds from every block to the next. */
  anvil_setBlockTimestampInterval: defineMethod([seconds], answeringNull(setInterval)),

  /** Sets the interval between timestamps, in milliseconds. */
  hardhat_setBlockTimestampInterval: defineMethod([secondsAsMs], answeringTrue(setInterval)),

  /** Whether there was one. */
  anvil_removeBlockTimestampInterval: defineMethod([], removeInterval),
  hardhat_removeBlockTimestampInterval: defineMethod([], removeInterval),
} satisfies Partial<MethodTable>
