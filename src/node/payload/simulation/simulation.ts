import type { Address, Hash } from '#primitives/hex.ts'
import type { BlockOverride } from '../../evm/calls/block-override.ts'
import type { StateOverride } from '../../evm/calls/state-override.ts'
import type { Engine } from '../../evm/engine.ts'
import type { EngineLog, MessageFailure } from '../../evm/message.ts'
import type { ChainSpec } from '../../spec/chain-spec.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { AccessListItem, Authorization } from '../../tx/transaction.ts'
import type { SealedBlock } from '../block.ts'

/** A transaction that is only simulated: never signed. */
export interface SimulatedCall {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** `undefined` for the account's current nonce. */
  readonly nonce: bigint | undefined
  /** Gas limit; `undefined` for the block's remaining gas. */
  readonly gas: bigint | undefined
  /** Wei per gas. With a gas price it is a legacy transaction. */
  readonly fees:
    | { readonly gasPrice: bigint }
    | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
}

/** A block to simulate; missing values follow from the previous block. */
export interface SimulatedBlockPlan {
  readonly block: BlockOverride
  /** Account overrides in force before the first call. */
  readonly state: StateOverride
  readonly calls: readonly SimulatedCall[]
}

export interface SimulationOptions {
  /** Shows ETH transfers as logs, like those of a token. */
  readonly traceTransfers: boolean
  /** Checks nonces and fees like those of a real transaction. */
  readonly validation: boolean
}

/** The input of a simulation. */
export interface SimulationDeps {
  readonly spec: ChainSpec
  readonly engine: Engine
  /** Stops the work when its time is up, or the caller has gone. */
  readonly guard: ExecutionGuard
  /** Hash of a sealed block. */
  readonly blockHash: (number: number) => Hash | undefined
  /** Whether a block may have the timestamp of the one before. */
  readonly sharesSeconds: boolean
  readonly limits: {
    /** Gas limit for all blocks together. */
    readonly gasCap: bigint
  }
}

/** A log with its index in the block, counting logs of failed calls, too. */
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

/** A simulated block, and the outcome of each of its calls. */
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

/** There is nothing to simulate, or a call cannot be part of a block. Branch on `code`; `message` is geth's. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly code: SimulationFailure

  constructor(code: SimulationFailure, message: string) {
    super(message)
    this.code = code
  }
}
