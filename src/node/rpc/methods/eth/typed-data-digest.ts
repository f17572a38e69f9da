import { hashTypedData } from 'viem/utils'
import { hexToBytes } from '#primitives/hex.ts'
import type { RpcTypedData } from '#rpc-types/methods/eth.ts'
import { RpcRefusedError } from '../../errors.ts'
import { checkTypedData, TypedDataError } from './typed-data-check.ts'

/**
 * The digest of typed data (EIP-712): 32 bytes.
 *
 * @throws {RpcRefusedError} `invalid-params`, if a value does not match its type.
 */
export function typedDataDigest(typed: Required<RpcTypedData>): Uint8Array {
  try {
    return hexToBytes(hashTypedData(checkTypedData(typed)))
  } catch (error) {
    // Hashing depends only on the argument, so the argument is wrong; in some cases viem says how.
    const isExplained = error instanceof TypedDataError
    const said = isExplained ? error.message : error instanceof Error && 'shortMessage' in error && error.shortMessage
    const detail = typeof said === 'string' ? `: ${said}` : ''
    throw new RpcRefusedError('invalid-params', `invalid argument 1: invalid typed data${detail}`, { cause: error })
  }
}
