import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** An EIP-1559 transaction to sign; amounts in wei. */
export interface SigningJob {
  readonly from: Address
  readonly privateKey: Hash
  readonly chainId: bigint
  readonly nonce: bigint
  /** Gas limit. */
  readonly gas: bigint
  readonly to: Address
  readonly value: bigint
  readonly input: Hex
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Page → signing worker. */
export interface ToSigner {
  readonly id: number
  readonly jobs: readonly SigningJob[]
}

/** Signing worker → page. Messages posted to it before `ready` are lost. */
export type FromSigner =
  | { readonly kind: 'ready' }
  /** The raw transactions, in the order of the jobs. */
  | { readonly kind: 'signed'; readonly id: number; readonly raws: readonly Hex[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
