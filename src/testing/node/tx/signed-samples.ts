import type { TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeTransaction } from '#node/tx/decode.ts'
import { TxRejectedError } from '#node/tx/rejection.ts'
import { type Hex, hexToBytes } from '#primitives/hex.ts'

/** Signs the samples. */
export const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
export const SENDER = account.address.toLowerCase()
export const OTHER: Hex = `0x${'ab'.repeat(20)}`

/** The bytes of the signed transaction. */
export const sign = async (tx: TransactionSerializable) => hexToBytes(await account.signTransaction(tx))

/**
 * The error with which the bytes are refused.
 *
 * @throws If they are accepted.
 */
export function rejection(raw: Uint8Array): TxRejectedError {
  try {
    decodeTransaction(raw)
  } catch (error) {
    if (error instanceof TxRejectedError) return error
    throw error
  }
  throw new Error('the transaction was accepted')
}

export const ACCESS_LIST: { address: Hex; storageKeys: Hex[] }[] = [
  { address: OTHER, storageKeys: [`0x${'01'.repeat(32)}`, `0x${'00'.repeat(32)}`] },
  { address: `0x${'00'.repeat(20)}`, storageKeys: [] },
]
export const FEES = { maxFeePerGas: 300n, maxPriorityFeePerGas: 20n }
const COMMON = { chainId: 31_337, nonce: 5, gas: 90_000n, to: OTHER, value: 7n, data: '0x00ff' as Hex }

/** One transaction of each accepted type. */
export async function samples() {
  const authorization = await account.signAuthorization({ contractAddress: OTHER, chainId: 0, nonce: 3 })
  return {
    protected: { ...COMMON, type: 'legacy', gasPrice: 300n },
    accessList: { ...COMMON, type: 'eip2930', gasPrice: 300n, accessList: ACCESS_LIST },
    feeMarket: { ...COMMON, type: 'eip1559', ...FEES, accessList: ACCESS_LIST },
    setCode: { ...COMMON, type: 'eip7702', ...FEES, authorizationList: [authorization, authorization] },
  } as const
}
