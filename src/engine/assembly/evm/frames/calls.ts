/** Calls of code, of precompiles and of accounts with neither, with their value and gas. */

import { delegateOf, isDelegation } from '../code/code.ts'
import { consoleCalled } from '../host/host.ts'
import { CALL_STIPEND, CALL_VALUE_GAS, NEW_ACCOUNT_GAS } from '../rules/gas.ts'
import { INSUFFICIENT_BALANCE, TOO_DEEP, WRITE_PROTECTION } from '../rules/halt.ts'
import { CALL, CALLCODE, DELEGATECALL, STATICCALL } from '../rules/opcodes.ts'
import { accountAt, balanceOf, codeOf, isEmpty, loaded, mark, transfer, WARM } from '../state/account.ts'
import { VALUE } from '../state/environment.ts'
import { copyWord, isBelow, isZero } from '../words/word.ts'
import { accessGas, warmSender } from './access.ts'
import { DEPTH_LIMIT, depth, firstFrame, frame, pushFrame, valueOfFrame } from './frame.ts'
import { answer, begin, endAtOnce, halt, outOfGas, REVERTED, runCode, SUCCEEDED, suspend } from './lifecycle.ts'
import { extend, memoryAt, setReturnData, toSize } from './memory.ts'
import { TRACING, tellEnter, tellSettled } from './tracing.ts'

const ZERO: usize = memory.data(32, 8)
const DELEGATE: usize = memory.data(32, 8)

/** Begins the outermost frame. @returns Whether there is anything to run. */
export function startCall(to: usize, input: usize, inputSize: usize, gas: i64): bool {
  const sender = warmSender()
  const target = loaded(accountAt(to))
  mark(target, WARM)
  const first = begin(firstFrame(), target, changetype<usize>(sender), VALUE, gas)
  first.input = input
  first.inputSize = inputSize
  first.isStatic = false
  first.isCreation = false
  first.precompile = target.precompile
  if (TRACING) tellEnter(CALL, changetype<usize>(sender), target, VALUE, gas, input, inputSize)
  if (isBelow(balanceOf(sender), VALUE)) return endAtOnce(REVERTED, INSUFFICIENT_BALANCE)
  transfer(sender, target, VALUE)
  let code = codeOf(target)
  if (code && isDelegation(code)) {
    delegateOf(code, DELEGATE)
    const delegate = accountAt(DELEGATE)
    mark(delegate, WARM)
    code = codeOf(loaded(delegate))
  }
  if (target.precompile != 0) return true
  if (!code) return endAtOnce(SUCCEEDED, 0)
  runCode(first, code)
  return true
}

/**
 * CALL, CALLCODE, DELEGATECALL and STATICCALL. Afterwards the callee's frame runs, unless there is nothing to run.
 *
 * @returns Whether the caller could pay for it; if not, it halts.
 */
export function callStep(opcode: u32): bool {
  const caller = frame
  const sp = caller.sp
  const hasValue = opcode == CALL || opcode == CALLCODE
  const target = accountAt(sp + 32)
  const value = hasValue ? sp + 64 : ZERO
  const paysValue = !isZero(value)
  const ranges = hasValue ? sp + 96 : sp + 64
  if (opcode == CALL && paysValue && caller.isStatic) return halt(WRITE_PROTECTION)
  const inputSize = toSize(ranges + 32)
  const outputSize = toSize(ranges + 96)
  let gas = extend(extend(caller.gas, toSize(ranges), inputSize), toSize(ranges + 64), outputSize)
  gas -= accessGas(target)
  if (paysValue) {
    gas -= CALL_VALUE_GAS
    if (opcode == CALL && isEmpty(loaded(target))) gas -= NEW_ACCOUNT_GAS
  }
  if (gas < 0) return outOfGas(gas)
  let code = codeOf(loaded(target))
  if (code && isDelegation(code)) {
    delegateOf(code, DELEGATE)
    const delegate = accountAt(DELEGATE)
    gas -= accessGas(delegate)
    if (gas < 0) return outOfGas(gas)
    code = codeOf(loaded(delegate))
  }
  let passed = allowed(gas, sp)
  caller.gas = gas - passed
  if (paysValue) passed += CALL_STIPEND
  caller.sp = hasValue ? sp + 6 * 32 : sp + 5 * 32
  setReturnData(0, 0)
  const input = memoryAt + (inputSize == 0 ? 0 : (toSize(ranges) as usize))
  if (TRACING) {
    const seen = opcode == DELEGATECALL ? valueOfFrame(caller) : value
    tellSettled(caller.gas, 0)
    tellEnter(opcode, changetype<usize>(caller.account), target, seen, passed, input, inputSize as usize)
  }
  if (depth == DEPTH_LIMIT) return answer(caller, passed, TOO_DEEP)
  if (hasValue && isBelow(balanceOf(caller.account), value)) return answer(caller, passed, INSUFFICIENT_BALANCE)
  const account = opcode == CALL || opcode == STATICCALL ? target : caller.account
  if (target.precompile == 0 && !code) {
    if (isConsole(changetype<usize>(target))) consoleCalled(input, inputSize as u32)
    if (opcode != DELEGATECALL) transfer(caller.account, account, value)
    return answer(caller, passed, 0)
  }
  suspend(caller)
  const callee = begin(pushFrame(), account, changetype<usize>(caller.account), value, passed)
  if (opcode == DELEGATECALL) {
    callee.caller = caller.caller
    copyWord(valueOfFrame(callee), valueOfFrame(caller))
  } else {
    transfer(caller.account, account, value)
  }
  callee.input = input
  callee.inputSize = inputSize as usize
  callee.outputAt = toSize(ranges + 64) as usize
  callee.outputSize = outputSize as usize
  callee.isStatic = caller.isStatic || opcode == STATICCALL
  callee.precompile = target.precompile
  if (target.precompile == 0 && code) runCode(callee, code)
  return true
}

/** Whether the word is 0x000000000000000000636F6e736F6c652e6c6f67, where `console.log` of Solidity's libraries calls. */
function isConsole(address: usize): bool {
  if (load<u64>(address) != 0x736f6c652e6c6f67) return false
  return load<u64>(address, 8) == 0x636f6e && (load<u64>(address, 16) | load<u64>(address, 24)) == 0
}

/** The requested gas, but never the last 64th of the available gas (EIP-150). */
function allowed(gas: i64, asked: usize): i64 {
  const most = gas - gas / 64
  const high = load<u64>(asked, 8) | load<u64>(asked, 16) | load<u64>(asked, 24)
  return high != 0 || load<u64>(asked) > (most as u64) ? most : (load<u64>(asked) as i64)
}
