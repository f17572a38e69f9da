import type { PrivateKeyAccount } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { integer, signEnvelope } from './sign-envelope.ts'

/** A raw transaction that breaks one rule. */
export interface Offence {
  readonly raw: Hex
  /** The exact expected answer, if the card's message only paraphrases it. */
  readonly message?: string
}

/** Input for building an offence. */
export interface OffenceContext {
  readonly provider: BlinknetProvider
  readonly signer: PrivateKeyAccount
  /** The signer's address. */
  readonly address: Address
  readonly chainId: number
  /** A nonce far ahead of the account's, different each time: transactions with it are accepted but never executed. */
  readonly farNonce: bigint
  /** Records an accepted preparation, to be removed from the mempool afterwards. */
  readonly cleanUp: (hash: Hash) => void
  /** Reports the progress of a preparation. */
  readonly report: (progress: string) => void
}

/** Fields of a valid type 2 transaction. */
export interface SoundFields {
  readonly chainId: number
  readonly nonce: bigint
  /** Wei per gas. */
  readonly tip: bigint
  /** Wei per gas. */
  readonly feeCap: bigint
  readonly gas: bigint
  readonly to: Address | '0x'
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}

export const GWEI = 10n ** 9n

/** The fields of a type 2 transaction, in order. */
export function dynamicFeeFields(context: OffenceContext, changes: Partial<SoundFields> = {}) {
  const sound: SoundFields = {
    chainId: context.chainId,
    nonce: context.farNonce,
    tip: GWEI,
    feeCap: 10n * GWEI,
    gas: 21_000n,
    to: context.address,
    value: 0n,
    data: '0x',
  }
  const { chainId, nonce, tip, feeCap, gas, to, value, data } = { ...sound, ...changes }
  return [integer(chainId), integer(nonce), integer(tip), integer(feeCap), integer(gas), to, integer(value), data, []]
}

/** Signs a type 2 transaction that is valid except for the changes. */
export function signDynamicFee(context: OffenceContext, changes: Partial<SoundFields> = {}): Promise<Hex> {
  return signEnvelope(context.signer, 2, dynamicFeeFields(context, changes), context.chainId)
}

/**
 * Submits a preparation that waits in the mempool.
 *
 * @throws {ProviderRpcError} If the node refuses it.
 */
export async function submitWaiting(context: OffenceContext, raw: Hex): Promise<void> {
  context.cleanUp(await context.provider.request({ method: 'eth_sendRawTransaction', params: [raw] }))
}
