import type { TransactionSerializable } from 'viem'
import type { Address } from '#primitives/hex.ts'
import { suggestedFeeCap } from '#ui/own/fee-facts.ts'
import type { FeeOffer } from '#ui/own/replacement-offer.ts'
import type { SenderFacts } from '#ui/queries/sender.ts'
import { type Composition, hasTip } from './read-draft.ts'

/** A transaction with every field set, ready to be signed. */
export interface CompleteTransaction extends FeeOffer {
  readonly to: Address | null
  readonly value: bigint
  readonly data: `0x${string}`
  readonly type: Composition['type']
  readonly chainId: number
  readonly nonce: number
  readonly gas: bigint
  /** The authorization that a type 4 transaction carries. */
  readonly delegation?: CompleteDelegation | undefined
}

/** An authorization with every field set. */
export interface CompleteDelegation {
  /** Index of the development account that signs it. */
  readonly authority: number
  /** The contract to whose code it delegates. */
  readonly code: Address
  /** The authority's nonce when the transaction is executed. */
  readonly nonce: number
}

/** Gas that an authorization costs on top (EIP-7702). */
export const AUTHORIZATION_GAS = 25_000n

/** The account that signs the authorization. */
export interface Authority {
  /** Index of a development account. */
  readonly index: number
  readonly isSender: boolean
  readonly nextNonce: number
}

/** Fills in the fields left to the page. Types 0 and 1 have a single price, which counts as both fee cap and tip. */
export function completeTransaction(
  composition: Composition,
  facts: Pick<SenderFacts, 'chainId' | 'nextNonce' | 'baseFee' | 'tip'>,
  gas: bigint,
  authority?: Authority,
): CompleteTransaction {
  const { to, value, data, type, nonce } = composition
  const suggestedTip = composition.tip ?? facts.tip
  const feeCap = composition.feeCap ?? roundUp(suggestedFeeCap(facts.baseFee, suggestedTip))
  const tip = hasTip(type) ? (composition.tip ?? min(facts.tip, feeCap)) : feeCap
  const txNonce = nonce ?? facts.nextNonce
  const delegation = composition.delegation &&
    authority && {
      authority: authority.index,
      code: composition.delegation.code,
      // The sender's own transaction uses one nonce first.
      nonce: authority.isSender ? txNonce + 1 : authority.nextNonce,
    }
  return {
    to,
    value,
    data,
    type,
    chainId: facts.chainId,
    nonce: txNonce,
    gas: composition.gas ?? gas,
    feeCap,
    tip,
    ...(delegation && { delegation }),
  }
}

/** Rounds up to two digits, so that a suggestion does not change with every block. */
export function roundUp(wei: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, String(wei).length - 2))
  return ((wei + step - 1n) / step) * step
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The transaction in the form that viem signs. */
export function toViem(tx: CompleteTransaction): TransactionSerializable {
  const { type, chainId, nonce, value, data, gas, feeCap, tip } = tx
  const common = { chainId, nonce, gas, value, data, ...(tx.to && { to: tx.to }) }
  switch (type) {
    case '0':
      return { ...common, type: 'legacy', gasPrice: feeCap }
    case '1':
      return { ...common, type: 'eip2930', gasPrice: feeCap, accessList: [] }
    case '2':
    case '4':
      return { ...common, type: 'eip1559', maxFeePerGas: feeCap, maxPriorityFeePerGas: tip }
  }
}
