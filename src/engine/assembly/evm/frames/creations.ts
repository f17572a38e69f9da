/** Creations: CREATE, CREATE2, and messages without a target. */

import { temporaryCode } from '../code/code.ts'
import { create2Address, createAddress } from '../hashes/new-address.ts'
import { INITCODE_WORD_GAS, KECCAK_WORD_GAS } from '../rules/gas.ts'
import { ADDRESS_TAKEN, INITCODE_TOO_LONG, INSUFFICIENT_BALANCE, TOO_DEEP, WRITE_PROTECTION } from '../rules/halt.ts'
import { CREATE, CREATE2 } from '../rules/opcodes.ts'
import {
  Account,
  accountAt,
  balanceOf,
  CREATED,
  hasCode,
  loaded,
  mark,
  setNonce,
  TOUCHED,
  transfer,
  WARM,
} from '../state/account.ts'
import { VALUE } from '../state/environment.ts'
import { isBelow, setSmall } from '../words/word.ts'
import { warmSender } from './access.ts'
import { maxInitcodeBytes } from './deposit.ts'
import { DEPTH_LIMIT, depth, Frame, firstFrame, frame, pushFrame } from './frame.ts'
import { answer, begin, endAtOnce, HALTED, halt, outOfGas, REVERTED, runCode, suspend } from './lifecycle.ts'
import { extend, memoryAt, perWord, setReturnData, toSize } from './memory.ts'
import { TRACING, tellEnter, tellSettled } from './tracing.ts'

const MAX_NONCE: u64 = 0xffffffffffffffff
const ADDRESS: usize = memory.data(32, 8)

/** Begins the outermost frame, which creates a contract. @returns Whether there is anything to run. */
export function startCreation(input: usize, inputSize: usize, gas: i64): bool {
  const sender = warmSender()
  // The nonce was raised before the message.
  createAddress(ADDRESS, changetype<usize>(sender), sender.nonce - 1)
  const created = loaded(accountAt(ADDRESS))
  mark(created, WARM)
  const first = begin(firstFrame(), created, changetype<usize>(sender), VALUE, gas)
  first.stack = 0
  first.isStatic = false
  first.isCreation = true
  first.precompile = 0
  if (TRACING) tellEnter(CREATE, changetype<usize>(sender), created, VALUE, gas, input, inputSize)
  if (isBelow(balanceOf(sender), VALUE)) return endAtOnce(REVERTED, INSUFFICIENT_BALANCE)
  if ((inputSize as u64) > maxInitcodeBytes()) return endAtOnce(HALTED, INITCODE_TOO_LONG)
  if (isTaken(created)) return endAtOnce(HALTED, ADDRESS_TAKEN)
  create(first, sender, created, VALUE, input, inputSize)
  return true
}

/** CREATE and CREATE2. @returns Whether the caller could pay for it; if not, it halts. */
export function createStep(opcode: u32): bool {
  const caller = frame
  const sp = caller.sp
  const creator = caller.account
  if (caller.isStatic) return halt(WRITE_PROTECTION)
  const size = toSize(sp + 64)
  if (size > maxInitcodeBytes()) return halt(INITCODE_TOO_LONG)
  const wordGas = opcode == CREATE2 ? INITCODE_WORD_GAS + KECCAK_WORD_GAS : INITCODE_WORD_GAS
  const gas = extend(caller.gas, toSize(sp + 32), size) - perWord(size, wordGas)
  if (gas < 0) return outOfGas(gas)
  const initcode = memoryAt + (size == 0 ? 0 : (toSize(sp + 32) as usize))
  caller.sp = opcode == CREATE2 ? sp + 3 * 32 : sp + 2 * 32
  caller.gas = gas
  setReturnData(0, 0)
  if (TRACING) tellSettled(gas, 0)
  if (creator.nonce == MAX_NONCE) {
    setSmall(caller.sp, 0)
    return true
  }
  if (opcode == CREATE2) create2Address(ADDRESS, changetype<usize>(creator), sp + 96, initcode, size as usize)
  else createAddress(ADDRESS, changetype<usize>(creator), creator.nonce)
  const passed = gas - gas / 64
  caller.gas = gas - passed
  if (TRACING) tellEnter(opcode, changetype<usize>(creator), accountAt(ADDRESS), sp, passed, initcode, size as usize)
  if (depth == DEPTH_LIMIT) return answer(caller, passed, TOO_DEEP)
  if (isBelow(balanceOf(creator), sp)) return answer(caller, passed, INSUFFICIENT_BALANCE)
  setNonce(creator, creator.nonce + 1)
  const created = loaded(accountAt(ADDRESS))
  mark(created, WARM)
  if (isTaken(created)) return answer(caller, 0, ADDRESS_TAKEN)
  suspend(caller)
  const callee = begin(pushFrame(), created, changetype<usize>(creator), sp, passed)
  callee.isStatic = false
  callee.isCreation = true
  create(callee, creator, created, sp, initcode, size as usize)
  return true
}

/** Whether the address is taken, so no contract can be created there (EIP-684, EIP-7610). */
function isTaken(account: Account): bool {
  return account.nonce != 0 || hasCode(account) || account.hadStorage
}

function create(on: Frame, creator: Account, created: Account, value: usize, initcode: usize, size: usize): void {
  mark(created, CREATED | TOUCHED)
  setNonce(created, 1)
  transfer(creator, created, value)
  on.input = 0
  on.inputSize = 0
  on.outputAt = 0
  on.outputSize = 0
  runCode(on, temporaryCode(initcode, size))
}
