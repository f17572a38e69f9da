import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import { type OwnTransaction, rememberOwn } from './own-transactions.ts'

/**
 * Submits signed bytes; the page then treats the transaction as its own.
 *
 * @throws {ProviderRpcError} If the node refuses it.
 */
export async function submitRaw(provider: BlinknetProvider, raw: Hex, tx: Omit<OwnTransaction, 'hash'>): Promise<Hash> {
  const hash = await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  rememberOwn({ hash, ...tx })
  return hash
}

/**
 * Submits any bytes signed elsewhere. Their content is fetched from the node once it has accepted them, since the node
 * decides what is valid.
 *
 * @throws {ProviderRpcError} If the node refuses them.
 */
export async function submitForeign(provider: BlinknetProvider, raw: Hex): Promise<Hash> {
  const hash = await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  const tx = await provider.request({ method: 'eth_getTransactionByHash', params: [hash] })
  if (tx) rememberOwn({ hash, from: tx.from, to: tx.to, value: BigInt(tx.value) })
  return hash
}
