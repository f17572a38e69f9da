import type { Address, Hash } from '#primitives/hex.ts'
import type { BlockOverride } from '../../evm/calls/block-override.ts'
import type { StateOverride } from '../../evm/calls/state-override.ts'
import type { Engine } from '../../evm/engine.ts'
import type { EngineLog, ExecutionGuard, MessageFailure } from '../../evm/message.ts'
import type { ChainSpec } from '../../spec/chain-spec.ts'
import type { AccessListItem, Authorization } from '../../tx/transaction.ts'
import type { SealedBlock } from '../block.ts'

/** A transaction that is only simulated: never signed. */
export interface SimulatedCall {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** `undefined` for the account's own. */
  readonly nonce: bigint | undefined
  /** Gas limit; `undefined` for what is left of the block's. */
  readonly gas: bigint | undefined
  /** Wei per gas. A price makes it a legacy transaction. */
  readonly fees:
    | { readonly gasPrice: bigint }
    | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
}

/** A block to be simulated; what it does not say follows from the block before. */
export interface SimulatedBlockPlan {
  readonly block: BlockOverride
  /** Account overrides in force before the first call. */
  readonly state: StateOverride
  readonly calls: readonly SimulatedCall[]
}

export interface SimulationOptions {
  /** Shows transfers of ETH as logs, as those of a token would be. */
  readonly traceTransfers: boolean
  /** Checks nonces and fees as for a real transaction. */
  readonly validation: boolean
}

/** The input of a simulation. */
export interface SimulationDeps {
  readonly spec: ChainSpec
  readonly engine: Engine
  /** Ends the work when its time is up, or when nobody waits for it any more. */
  readonly guard: ExecutionGuard
  /** Hash of a sealed block. */
  readonly blockHash: (number: number) => Hash | undefined
  readonly limits: {
    /** Of all the blocks, in gas. */
    readonly gasCap: bigint
  }
}

/** A log and its place among all that the block's calls wrote, those of failed calls included. */
export interface SimulatedLog extends EngineLog {
  readonly index: number
}

export interface SimulatedOutcome {
  readonly gasUsed: bigint
  /** Gas, before refunds. */
  readonly maxUsedGas: bigint
  readonly logs: readonly SimulatedLog[]
  /** Return data, or revert data. */
  readonly output: Uint8Array
  readonly failure: MessageFailure | undefined
}

/** A block as it would be, and the outcome of each of its calls. */
export interface SimulatedBlock {
  readonly block: SealedBlock
  readonly outcomes: readonly SimulatedOutcome[]
}

export type SimulationFailure =
  | 'invalid-params'
  | 'nonce-too-low'
  | 'nonce-too-high'
  | 'nonce-max'
  | 'base-fee-too-low'
  | 'intrinsic-gas'
  | 'insufficient-funds'
  | 'block-gas-limit'
  | 'block-number'
  | 'block-timestamp'
  | 'initcode-too-large'
  | 'limit-exceeded'

/** There is nothing to simulate, or it could not be part of a block. Branch on `code`; `message` is geth's. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly code: SimulationFailure

  constructor(code: SimulationFailure, message: string) {
    super(message)
    this.code = code
  }
}
