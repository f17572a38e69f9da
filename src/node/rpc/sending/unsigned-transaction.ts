import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcFilledTransaction } from '#rpc-types/methods/wallet.ts'
import { keccak256Hex } from '../../crypto/keccak.ts'
import type { UnsignedTransaction } from '../../tx/transaction.ts'
import { formatAuthorization } from '../format/transaction.ts'

const TYPES = { 0: '0x0', 1: '0x1', 2: '0x2', 4: '0x4' } as const

/** A transaction of this chain that is yet to be signed. @param raw - Its bytes with an empty signature. */
export function formatUnsigned(tx: UnsignedTransaction, raw: Uint8Array): RpcFilledTransaction {
  invariant(tx.chainId !== null, 'the node fills transactions for its own chain only')
  const base = {
    type: TYPES[tx.type],
    hash: keccak256Hex(raw),
    chainId: toQuantity(tx.chainId),
    nonce: toQuantity(tx.nonce),
    gas: toQuantity(tx.gas),
    to: tx.to,
    value: toQuantity(tx.value),
    input: bytesToHex(tx.input),
    v: '0x0',
    r: '0x0',
    s: '0x0',
  } as const
  if (tx.type === 0) return { ...base, gasPrice: toQuantity(tx.gasPrice) }
  const typed = { ...base, accessList: tx.accessList, yParity: '0x0' } as const
  if (tx.type === 1) return { ...typed, gasPrice: toQuantity(tx.gasPrice) }
  const fees = {
    // As in geth and execution-apis: there, but without a value.
    gasPrice: null,
    maxFeePerGas: toQuantity(tx.maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(tx.maxPriorityFeePerGas),
  }
  if (tx.type === 2) return { ...typed, ...fees }
  return { ...typed, ...fees, authorizationList: tx.authorizationList.map(formatAuthorization) }
}
