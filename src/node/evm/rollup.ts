import type { Address } from '#primitives/hex.ts'
import type { StateReader } from '../state/state-reader.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { BlockEnv } from './block-env.ts'

/** What L1 cost when a transaction was executed, and what the transaction paid for it. */
export interface L1Charge {
  /** Wei. */
  readonly fee: bigint
  /** Gas of L1, by the estimated size of the transaction. */
  readonly gasUsed: bigint
  /** Wei per gas of L1. */
  readonly baseFee: bigint
  /** Wei per unit of blob gas. */
  readonly blobBaseFee: bigint
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  readonly operatorFeeScalar: bigint
  /** Wei. */
  readonly operatorFeeConstant: bigint
}

/** What a chain of the OP stack does besides Ethereum's rules. */
export interface Rollup {
  /** Who gets the base fee, the fee for L1 and the operator's. */
  readonly vaults: { readonly baseFee: Address; readonly l1Fee: Address; readonly operatorFee: Address }
  /** What a transaction pays for L1 on this state. */
  chargeOf(state: StateReader, tx: Pick<Transaction, 'raw'>): L1Charge
  /** Wei for the operator of the chain. */
  operatorFee(charge: L1Charge, gas: bigint): bigint
  /** Writes what the chain knows of its L1, at the start of a block. */
  beginBlock(state: WorldState, env: BlockEnv): void
}

/** Wei that a transaction pays at most besides its gas and value. */
export function mostDues(rollup: Rollup, state: StateReader, tx: Pick<Transaction, 'raw' | 'gas'>): bigint {
  const charge = rollup.chargeOf(state, tx)
  return charge.fee + rollup.operatorFee(charge, tx.gas)
}
