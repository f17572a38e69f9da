import type { Address } from '#primitives/hex.ts'
import {
  ACCESS_LIST_ADDRESS_GAS,
  ACCESS_LIST_KEY_GAS,
  AUTHORIZATION_GAS,
  CREATION_TRANSACTION_GAS,
  FLOOR_TOKEN_GAS,
  INITCODE_WORD_GAS,
  TOKEN_GAS,
  TOKENS_PER_NONZERO_BYTE,
  TRANSACTION_GAS,
} from '../spec/gas-schedule.ts'

/** Floor gas of a non-zero byte. */
const MAX_FLOOR_BYTE_GAS = BigInt(TOKENS_PER_NONZERO_BYTE) * FLOOR_TOKEN_GAS

/** The fields of a transaction or call that determine its intrinsic gas. */
export interface GasMessage {
  /** `null` creates a contract. */
  readonly to: Address | null
  readonly input: Uint8Array
  readonly accessList?: readonly { readonly storageKeys: readonly unknown[] }[]
  readonly authorizationList?: readonly unknown[]
}

/**
 * Gas that is used before the first step.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-2028 | EIP-2028}
 * @see {@link https://eips.ethereum.org/EIPS/eip-2930 | EIP-2930}
 * @see {@link https://eips.ethereum.org/EIPS/eip-3860 | EIP-3860}
 * @see {@link https://eips.ethereum.org/EIPS/eip-7702 | EIP-7702}
 */
export function intrinsicGas({ to, input, accessList, authorizationList }: GasMessage): bigint {
  let gas = to === null ? CREATION_TRANSACTION_GAS + initcodeWords(input) * INITCODE_WORD_GAS : TRANSACTION_GAS
  if (input.length > 0) gas += BigInt(countTokens(input)) * TOKEN_GAS
  if (authorizationList?.length) gas += BigInt(authorizationList.length) * AUTHORIZATION_GAS
  if (!accessList?.length) return gas
  for (const { storageKeys } of accessList) {
    gas += ACCESS_LIST_ADDRESS_GAS + BigInt(storageKeys.length) * ACCESS_LIST_KEY_GAS
  }
  return gas
}

/**
 * The least gas that a transaction pays, however little it executes.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-7623 | EIP-7623}
 */
export function floorGas({ input }: Pick<GasMessage, 'input'>): bigint {
  return input.length === 0 ? TRANSACTION_GAS : TRANSACTION_GAS + BigInt(countTokens(input)) * FLOOR_TOKEN_GAS
}

/**
 * `gas`, or the {@link floorGas} of the message if that is higher. The input is only scanned if `gas` may be too low.
 */
export function atLeastFloorGas(gas: bigint, message: Pick<GasMessage, 'input'>): bigint {
  if (gas >= TRANSACTION_GAS + BigInt(message.input.length) * MAX_FLOOR_BYTE_GAS) return gas
  const floor = floorGas(message)
  return gas < floor ? floor : gas
}

function countTokens(input: Uint8Array): number {
  const { length } = input
  let zeros = 0
  for (let i = 0; i < length; i++) if (input[i] === 0) zeros++
  return zeros + (length - zeros) * TOKENS_PER_NONZERO_BYTE
}

function initcodeWords(input: Uint8Array): bigint {
  return BigInt(Math.ceil(input.length / 32))
}
