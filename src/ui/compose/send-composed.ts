import type { BlinknetProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { handIn, type SendingAccount } from '#ui/own/hand-in.ts'
import { inTurn } from '#ui/own/in-turn.ts'
import { authorizeComplete } from './authorize-complete.ts'
import type { CompleteTransaction } from './complete.ts'

export interface Batch {
  readonly sender: SendingAccount
  /** The first transaction. */
  readonly tx: CompleteTransaction
  /** Whether to use the sender's next nonce at the time of signing. */
  readonly automaticNonce: boolean
  /** Number of transactions, with consecutive nonces. */
  readonly copies: number
}

/** Outcome of a batch. */
export interface BatchResult {
  /** The accepted transactions, in nonce order. */
  readonly hashes: readonly Hash[]
  /** Why it ended early; `undefined` if it did not. */
  readonly failure: unknown
}

/**
 * Hands in transactions, one after the other, until all are accepted or one is refused.
 *
 * @throws {ProviderRpcError} If the node is gone before anything was sent.
 */
export function sendBatch(provider: BlinknetProvider, batch: Batch): Promise<BatchResult> {
  return inTurn(async () => {
    const { sender, tx, copies } = batch
    const from = sender.address.toLowerCase() as Address
    const first = batch.automaticNonce
      ? Number(await provider.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] }))
      : tx.nonce
    const hashes: Hash[] = []
    for (let i = 0; i < copies; i++) {
      const copy = await authorizeComplete(copyOf(tx, i, first + i, sender.address))
      try {
        hashes.push(await handIn(provider, sender, copy, { from, to: tx.to, value: tx.value }))
      } catch (failure) {
        return { hashes, failure }
      }
    }
    return { hashes, failure: undefined }
  })
}

/** A copy of a transaction with another nonce, and with the nonce at which its authorization is valid. */
function copyOf(tx: CompleteTransaction, position: number, nonce: number, sender: string): CompleteTransaction {
  const { delegation } = tx
  if (!delegation) return { ...tx, nonce }
  const isSender = devSigner(delegation.authority).address === sender
  return { ...tx, nonce, delegation: { ...delegation, nonce: isSender ? nonce + 1 : delegation.nonce + position } }
}
