import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'

/** A sender's nonce and balance, and current fees. */
export interface FeeFacts {
  readonly chainId: number
  /** The nonce after pre-confirmed transactions and those ready in the mempool. */
  readonly nextNonce: number
  /** Wei, at the newest partial block. */
  readonly balance: bigint
  /** Wei per gas of the pending block. */
  readonly baseFee: bigint
  /** Wei per gas that the node suggests. */
  readonly tip: bigint
}

/** The base fee may double before the transaction is included. */
const FEE_HEADROOM = 2n

/** The fee cap for a new transaction, in wei per gas. */
export function suggestedFeeCap(baseFee: bigint, tip: bigint): bigint {
  return baseFee * FEE_HEADROOM + tip
}

/**
 * Fetches what a new transaction of an account needs.
 *
 * @throws {ProviderRpcError}
 */
export async function fetchFeeFacts(provider: BlinknetProvider, from: Address): Promise<FeeFacts> {
  const [chainId, nonce, balance, tip, pending] = await Promise.all([
    provider.request({ method: 'eth_chainId' }),
    provider.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] }),
    provider.request({ method: 'eth_getBalance', params: [from, 'pending'] }),
    provider.request({ method: 'eth_maxPriorityFeePerGas' }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
  ])
  // Not every chain has a pending block.
  const block = pending ?? (await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
  return {
    chainId: Number(chainId),
    nextNonce: Number(nonce),
    balance: BigInt(balance),
    baseFee: BigInt(block?.baseFeePerGas ?? '0x0'),
    tip: BigInt(tip),
  }
}
