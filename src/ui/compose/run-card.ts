import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { ErrorCard } from './error-cards.ts'

/** A node's answer to a raw transaction. */
export type Answer =
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data: unknown }
  | { readonly kind: 'accepted'; readonly hash: Hash }

/** The result of a card: the transaction, the node's answer, and whether it matches the protocol. */
export interface CardResult {
  readonly raw: Hex
  /** The expected message, with its numbers. */
  readonly expected: string
  readonly answer: Answer
  readonly asExpected: boolean
}

/** The account that signs for the gallery: the last one, which is least likely to be in use. */
export const GALLERY_ACCOUNT = 9

/** Nonces that no account reaches; each run takes new ones. */
let farNonce = 2n ** 40n
const NONCES_A_RUN = 10_000n

/**
 * Builds the offending transaction, submits it raw, and removes its preparations from the mempool.
 *
 * @throws {ProviderRpcError} If a preparation fails, or the node is gone.
 */
export async function runCard(
  provider: BlinknetProvider,
  card: ErrorCard,
  report: (progress: string) => void,
): Promise<CardResult> {
  const signer = devSigner(GALLERY_ACCOUNT)
  const waiting: Hash[] = []
  farNonce += NONCES_A_RUN
  try {
    const { raw, message = card.message } = await card.build({
      provider,
      signer,
      address: signer.address.toLowerCase() as Address,
      chainId: Number(await provider.request({ method: 'eth_chainId' })),
      farNonce,
      cleanUp: (hash) => waiting.push(hash),
      report,
    })
    const answer = await submit(provider, raw)
    if (answer.kind === 'accepted') waiting.push(answer.hash)
    const asExpected = answer.kind === 'refused' && answer.code === ERROR_CODES.server && answer.message === message
    return { raw, expected: message, answer, asExpected }
  } finally {
    await Promise.all(waiting.map((hash) => provider.request({ method: 'anvil_dropTransaction', params: [hash] })))
  }
}

async function submit(provider: BlinknetProvider, raw: Hex): Promise<Answer> {
  try {
    return { kind: 'accepted', hash: await provider.request({ method: 'eth_sendRawTransaction', params: [raw] }) }
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
    return { kind: 'refused', code: error.code, message: error.message, data: error.data }
  }
}
