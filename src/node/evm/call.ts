import type { Clock } from '#primitives/clock.ts'
import type { Address } from '#primitives/hex.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import type { AccessListItem, Authorization } from '../tx/transaction.ts'
import type { BlockEnv } from './block-env.ts'

/** A transaction that is only tried: never signed, never included. */
export interface CallRequest {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** Gas limit; capped by the node's own. */
  readonly gas: bigint | undefined
  /** Wei per gas; 0 skips every fee and its balance check. */
  readonly gasPrice: bigint
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
}

/** State and block environment of one moment; both from the same block. */
export interface CallContext {
  readonly state: StateSnapshot
  readonly env: BlockEnv
}

export interface CallLimits {
  readonly clock: Clock
  /** Gas. */
  readonly gasCap: bigint
  readonly timeoutMs: number
}

export type CallFailure = 'reverted' | 'vm-error' | 'timeout' | 'insufficient-funds' | 'gas-too-low' | 'bad-override'

/** Why a call has no result. Branch on `code`; `message` is for people and worded as geth does. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError'
  readonly code: CallFailure
  /** Revert data where `code` is `reverted`. */
  readonly output: Uint8Array | undefined

  constructor(code: CallFailure, message: string, output?: Uint8Array) {
    super(message)
    this.code = code
    this.output = output
  }
}
