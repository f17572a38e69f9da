import type { PrivateKeyAccount } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { integer, signEnvelope } from './sign-envelope.ts'

/** A raw transaction that breaks one rule. */
export interface Offence {
  readonly raw: Hex
  /** The answer that the protocol gives, if the card's message only paraphrases it. */
  readonly message?: string
}

/** Input for building an offence. */
export interface OffenceContext {
  readonly provider: BlinknetProvider
  readonly signer: PrivateKeyAccount
  /** The signer's. */
  readonly address: Address
  readonly chainId: number
  /** Far ahead of the account, and another one each time: what is accepted there waits, and never runs. */
  readonly farNonce: bigint
  /** Takes note of what was accepted to get there; it is taken out of the mempool afterwards. */
  readonly cleanUp: (hash: Hash) => void
  /** Takes note of how far a preparation is. */
  readonly report: (progress: string) => void
}

/** Fields of a type 2 transaction that breaks no rule. */
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

/** The fields of a type 2 transaction, in their order. */
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

/** Signs a type 2 transaction that breaks no rule but by the changes. */
export function signDynamicFee(context: OffenceContext, changes: Partial<SoundFields> = {}): Promise<Hex> {
  return signEnvelope(context.signer, 2, dynamicFeeFields(context, changes), context.chainId)
}

/** Submits what is to wait in the mempool, as a preparation. @throws {ProviderRpcError} If the node refuses it. */
export async function submitWaiting(context: OffenceContext, raw: Hex): Promise<void> {
  context.cleanUp(await context.provider.request({ method: 'eth_sendRawTransaction', params: [raw] }))
}
