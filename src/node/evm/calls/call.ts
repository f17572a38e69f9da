import type { Address } from '#primitives/hex.ts'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import type { StateSnapshot } from '../../state/state-snapshot.ts'
import type { AccessListItem, Authorization } from '../../tx/transaction.ts'
import type { BlockEnv } from '../block-env.ts'
import type { ConsoleCalls } from '../console-calls.ts'

/** A transaction that is only executed on a copy: never signed, never included. */
export interface CallRequest {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** Gas limit, capped by the node's own. */
  readonly gas: bigint | undefined
  /** Wei per gas; 0 skips all fees and their balance check. */
  readonly gasPrice: bigint
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
  /** Wei per gas that the sender must be able to pay; `gasPrice` by default. */
  readonly feeCap?: bigint
  /** Why no block would accept the call at its price, in geth's wording; nothing is executed then. */
  readonly priceProblem?: string | undefined
}

/** State and block environment of the same block. */
export interface CallContext {
  readonly state: StateSnapshot
  readonly env: BlockEnv
}

export interface CallLimits {
  /** Gas. */
  readonly gasCap: bigint
  readonly timeoutMs: number
  /** Approximate characters of the traces of one request. */
  readonly traceCharacters: number
  /** Whether estimates of gas are exact. */
  readonly exactEstimates: boolean
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

/** Failures before the first step of execution; geth's messages for them differ by method. */
const UNEXECUTED: ReadonlySet<CallFailure> = new Set([
  'price',
  'insufficient-funds',
  'gas-too-low',
  'initcode-too-large',
])

/** A call failed. Branch on `code`; `message` is for people, in geth's wording. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError'
  readonly code: CallFailure
  /** Revert data if `code` is `reverted`. */
  readonly output: Uint8Array | undefined
  /** What the code logged before it failed; `undefined` if nothing. */
  readonly consoleCalls: ConsoleCalls | undefined
  /** Where in the sources it failed, if that is known. */
  readonly stackTrace: RpcStackTrace | undefined

  constructor(
    code: CallFailure,
    message: string,
    output?: Uint8Array,
    consoleCalls?: ConsoleCalls,
    stackTrace?: RpcStackTrace,
  ) {
    super(message)
    this.code = code
    this.output = output
    this.consoleCalls = consoleCalls
    this.stackTrace = stackTrace
  }
}

/** The failure in a method's wording, if the call was not executed; otherwise the error unchanged. */
export function rewordUnexecuted(error: unknown, words: (message: string) => string): unknown {
  if (!(error instanceof CallFailedError) || !UNEXECUTED.has(error.code)) return error
  return new CallFailedError(error.code, words(error.message))
}
