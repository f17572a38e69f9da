import type { Address } from '#primitives/hex.ts'
import type { TransactionArgs } from '../../sending/transaction-params.ts'

/** A transaction object that names nothing but its sender. */
export function noTransaction(from: Address): TransactionArgs {
  return {
    from,
    to: undefined,
    data: undefined,
    value: undefined,
    gas: undefined,
    gasPrice: undefined,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    input: undefined,
    chainId: undefined,
    nonce: undefined,
    type: undefined,
    accessList: [],
    authorizationList: [],
    authorizes: false,
    hasBlobs: false,
  }
}
