import type { Address } from '#primitives/hex.ts'
import type { StateSnapshot } from '../../state/state-snapshot.ts'
import type { AccessListItem, Authorization } from '../../tx/transaction.ts'
import type { BlockEnv } from '../block-env.ts'

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
  /** Wei per gas that the sender must be able to pay; default `gasPrice`. */
  readonly feeCap?: bigint
  /** Why no block would take the call at its price, worded as geth does; nothing is executed then. */
  readonly priceProblem?: string | undefined
}

/** State and block environment of one moment; both from the same block. */
export interface CallContext {
  readonly state: StateSnapshot
  readonly env: BlockEnv
}

export interface CallLimits {
  /** Gas. */
  readonly gasCap: bigint
  readonly timeoutMs: number
}

export type CallFailure =
  | 'reverted'
  | 'vm-error'
  | 'timeout'
  | 'price'
  | 'insufficient-funds'
  | 'gas-too-low'
  | 'initcode-too-large'
  | 'bad-override'

/** Failures before the first step of execution; geth words them differently from method to method. */
const UNEXECUTED: ReadonlySet<CallFailure> = new Set([
  'price',
  'insufficient-funds',
  'gas-too-low',
  'initcode-too-large',
])

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

/** The same failure in the words of a method, if the call was not executed; else the error as it is. */
export function rewordUnexecuted(error: unknown, words: (message: string) => string): unknown {
  if (!(error instanceof CallFailedError) || !UNEXECUTED.has(error.code)) return error
  return new CallFailedError(error.code, words(error.message))
}
