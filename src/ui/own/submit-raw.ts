import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import { type OwnTransaction, rememberOwn } from './own-transactions.ts'

/**
 * Submits signed bytes; the page then knows the transaction as its own.
 *
 * @throws {ProviderRpcError} If the node refuses it.
 */
export async function submitRaw(provider: BlinknetProvider, raw: Hex, tx: Omit<OwnTransaction, 'hash'>): Promise<Hash> {
  const hash = await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  rememberOwn({ hash, ...tx })
  return hash
}

/**
 * Submits bytes that were signed elsewhere, whatever they are. What they say is asked of the node once it has taken
 * them, for it is the one that judges them.
 *
 * @throws {ProviderRpcError} If the node refuses them.
 */
export async function submitForeign(provider: BlinknetProvider, raw: Hex): Promise<Hash> {
  const hash = await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  const tx = await provider.request({ method: 'eth_getTransactionByHash', params: [hash] })
  if (tx) rememberOwn({ hash, from: tx.from, to: tx.to, value: BigInt(tx.value) })
  return hash
}
