/** The end of a creation: the code of the new account. */

import { CODE_BYTE_GAS } from '../rules/gas.ts'
import { CODE_BEGINS_WITH_EF, CODE_DEPOSIT_OUT_OF_GAS, CODE_TOO_LONG, setHalt } from '../rules/halt.ts'
import { setCode } from '../state/account.ts'
import { Frame } from './frame.ts'

/** Maximum size of code in bytes (EIP-170), unless the chain's options change it. */
let maxCodeBytes: u64 = 24_576

/** Maximum size of initcode in bytes (EIP-3860). */
export function maxInitcodeBytes(): u64 {
  return 2 * maxCodeBytes
}

/** Sets the maximum size of code in bytes. */
export function setCodeSizeLimit(bytes: u32): void {
  maxCodeBytes = bytes
}

/** Makes the output the code of the new account. @returns Whether it is valid and paid for. */
export function deposit(ended: Frame, output: usize, size: usize): bool {
  if ((size as u64) > maxCodeBytes) return refuse(CODE_TOO_LONG)
  if (size != 0 && load<u8>(output) == 0xef) return refuse(CODE_BEGINS_WITH_EF)
  ended.gas -= (size as i64) * CODE_BYTE_GAS
  if (ended.gas < 0) return refuse(CODE_DEPOSIT_OUT_OF_GAS)
  if (size == 0) return true
  setCode(ended.account, output, size)
  return true
}

function refuse(reason: u32): bool {
  setHalt(reason)
  return false
}
