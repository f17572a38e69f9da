import type { TransactionSerializable } from 'viem'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { handIn, type SendingAccount } from './hand-in.ts'
import type { FeeOffer } from './replacement-offer.ts'

/** `speed-up`: same content, higher fees; `cancel`: 0 ETH from the sender to itself, only to use the nonce. */
export type ReplacementKind = 'speed-up' | 'cancel'

/** A replacement for a waiting transaction: same nonce, higher fees. */
export function replacementOf(
  tx: RpcTransaction,
  kind: ReplacementKind,
  { feeCap, tip }: FeeOffer,
  chainId: number,
): TransactionSerializable {
  const target =
    kind === 'cancel'
      ? { to: tx.from, value: 0n, gas: 21_000n }
      : { ...(tx.to && { to: tx.to }), value: BigInt(tx.value), data: tx.input, gas: BigInt(tx.gas) }
  const common = { ...target, chainId, nonce: Number(tx.nonce) }
  const accessList = kind === 'speed-up' && 'accessList' in tx ? tx.accessList : []
  switch (tx.type) {
    case '0x0':
      return { ...common, type: 'legacy', gasPrice: feeCap }
    case '0x1':
      return { ...common, type: 'eip2930', gasPrice: feeCap, accessList }
    default:
      return { ...common, type: 'eip1559', maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, accessList }
  }
}

/**
 * Hands in a replacement.
 *
 * @throws {ExplainedError} If the transaction has meanwhile been pre-confirmed.
 * @throws {ProviderRpcError} If the node refuses it otherwise.
 */
export async function replaceTransaction(
  provider: BlinknetProvider,
  { tx, kind, offer, signer }: { tx: RpcTransaction; kind: ReplacementKind; offer: FeeOffer; signer: SendingAccount },
): Promise<Hash> {
  const chainId = Number(await provider.request({ method: 'eth_chainId' }))
  const replacement = replacementOf(tx, kind, offer, chainId)
  try {
    return await handIn(provider, signer, replacement, {
      from: tx.from,
      to: replacement.to ?? null,
      value: replacement.value ?? 0n,
    })
  } catch (error) {
    if (!(error instanceof ProviderRpcError && error.message.startsWith('nonce too low'))) throw error
    throw new ExplainedError(
      'Too late: the transaction was pre-confirmed first.',
      'Its nonce is used, so it can no longer be replaced. Nothing was sent.',
      { cause: error },
    )
  }
}
