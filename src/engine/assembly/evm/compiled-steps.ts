/** Steps that compiled code leaves to the engine: their operands and results are on a small stack of their own. */

import { balance, extcodehash, extcodesize, sload, sstore } from './frames/access.ts'
import { frame } from './frames/frame.ts'
import { returnAt, returnSize } from './frames/memory.ts'
import { TRACING } from './frames/tracing.ts'
import { EXP_BYTE_GAS, SENTRY_GAS, STEPS } from './rules/gas.ts'
import * as op from './rules/opcodes.ts'
import { balanceOf } from './state/account.ts'
import { transientAt } from './state/storage.ts'
import { copyToMemory, isWithinReturnData, log, mcopy, tstore } from './translation/steps.ts'
import { bitLength, exp } from './words/arithmetic.ts'
import { copyWord } from './words/word.ts'

/** The interpreter must do the step, which fails. */
const REFUSED: i64 = i64.MIN_VALUE

/**
 * Does a step. Its result replaces the last operand.
 *
 * @param sp - Of the small stack.
 * @returns The remaining gas, below 0 if it was not enough, {@link REFUSED} if nothing was done.
 */
export function step(opcode: u32, gas: i64, sp: usize): i64 {
  // Nothing is compiled where it is traced.
  if (TRACING) return REFUSED
  const left = gas - (load<u32>(STEPS + ((opcode as usize) << 3)) as i64)
  if (left < 0) return left
  switch (opcode) {
    case op.EXP: {
      const paid = left - EXP_BYTE_GAS * (((bitLength(sp + 32) + 7) >> 3) as i64)
      if (paid >= 0) exp(sp + 32, sp, sp + 32)
      return paid
    }
    case op.BALANCE:
      return balance(left, sp)
    case op.CALLDATACOPY:
      return copyToMemory(left, sp, frame.input, frame.inputSize as u64)
    case op.CODECOPY:
      return copyToMemory(left, sp, frame.code.start, frame.code.size as u64)
    case op.EXTCODESIZE:
      return extcodesize(left, sp)
    case op.RETURNDATACOPY:
      return isWithinReturnData(sp) ? copyToMemory(left, sp, returnAt, returnSize as u64) : REFUSED
    case op.EXTCODEHASH:
      return extcodehash(left, sp)
    case op.SELFBALANCE:
      copyWord(sp, balanceOf(frame.account))
      return left
    case op.SLOAD:
      return sload(left, sp, frame.account)
    case op.SSTORE:
      return left <= SENTRY_GAS || frame.isStatic ? REFUSED : sstore(left, sp, frame)
    case op.TLOAD:
      copyWord(sp, transientAt(frame.account, sp))
      return left
    case op.TSTORE:
      if (frame.isStatic) return REFUSED
      tstore(sp, frame.account)
      return left
    case op.MCOPY:
      return mcopy(left, sp)
    case op.LOG0:
    case op.LOG0 + 1:
    case op.LOG0 + 2:
    case op.LOG0 + 3:
    case op.LOG0 + 4:
      return frame.isStatic ? REFUSED : log(left, sp, (opcode - op.LOG0) as usize, frame.account)
    default:
      return REFUSED
  }
}
