import { bytesToHex, type Hex } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { ERROR_CODES, type ErrorName } from '#rpc-types/error-codes.ts'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import { CallFailedError } from '../evm/calls/call.ts'
import { ForkError } from '../fork/fork-error.ts'
import { StatePrunedError } from '../payload/block.ts'
import { BlockReplayError } from '../payload/replay-block.ts'
import { SimulationError, type SimulationFailure } from '../payload/simulation/simulation.ts'
import { ChainFileError } from '../persistence/chain-file.ts'
import { ControlRefusedError } from '../sequencer/control-refused.ts'
import { BlockUnreadableError, JournalError } from '../storage/journal.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { decodeRevertReason } from './calls/revert-reason.ts'
import { PlannedFailureError } from './dev-settings.ts'

/** Why the RPC layer itself refuses a request. */
export type RpcRefusal = Exclude<ErrorName, 'internal' | 'reverted' | 'disconnected' | 'timed-out'>

/** A refused request. Branch on `code`; `message` is sent to the caller, in geth's wording. */
export class RpcRefusedError extends Error {
  override readonly name = 'RpcRefusedError'
  readonly code: RpcRefusal
  /** Sent to the caller unchanged; `undefined` if there is nothing to add. */
  readonly data: unknown
  readonly stackTrace: RpcStackTrace | undefined

  constructor(
    code: RpcRefusal,
    message: string,
    options?: ErrorOptions & { readonly data?: unknown; readonly stackTrace?: RpcStackTrace | undefined },
  ) {
    super(message, options)
    this.code = code
    this.data = options?.data
    this.stackTrace = options?.stackTrace
  }
}

/**
 * The JSON-RPC error for an expected failure.
 *
 * @returns `undefined` for anything else: that is a bug, whose details are not for the caller.
 */
export function toErrorObject(error: unknown): JsonRpcErrorObject | undefined {
  // A test wants this error as it is.
  if (error instanceof PlannedFailureError) return error.error
  const object = objectOf(error)
  if (!object || object.code === ERROR_CODES.reverted || object.message.length <= MAX_MESSAGE) return object
  return { ...object, message: `${object.message.slice(0, KEPT_START)}…${object.message.slice(-KEPT_END)}` }
}

/**
 * Most characters of a message, unless it is a contract's reason. None of our own sentences is as long: a longer one repeats
 * what was sent, or an endpoint's words.
 */
const MAX_MESSAGE = 1_000
/** Characters of a longer message that are kept: what is wrong, and what to do. */
const KEPT_START = 150
const KEPT_END = 50

function objectOf(error: unknown): JsonRpcErrorObject | undefined {
  if (error instanceof RpcRefusedError) return withStack(refusal(error.code, error.message, error.data), error)
  if (error instanceof TxRejectedError) return rejected(error)
  if (error instanceof CallFailedError) return callFailed(error)
  if (error instanceof SimulationError) return { code: SIMULATION_CODES[error.code], message: error.message }
  if (error instanceof ControlRefusedError) return { code: ERROR_CODES['invalid-params'], message: error.message }
  if (error instanceof JournalError) {
    return { code: ERROR_CODES.server, message: `not stored: ${error.message}`, data: { journal: error.code } }
  }
  if (error instanceof ChainFileError) return { code: ERROR_CODES['invalid-params'], message: error.message }
  if (error instanceof StatePrunedError || error instanceof BlockUnreadableError || error instanceof BlockReplayError) {
    return { code: ERROR_CODES.server, message: error.message }
  }
  // A call on a state before the fork may revert, with a reason.
  if (error instanceof ForkError) {
    const { code, data } = error.answered ?? { code: ERROR_CODES.server, data: undefined }
    return code === ERROR_CODES.reverted
      ? { code, message: error.answered?.message ?? error.message, ...(data !== undefined && { data }) }
      : { code: ERROR_CODES.server, message: error.message }
  }
  return undefined
}

/** The JSON-RPC error of a refusal. */
export function refusal(code: RpcRefusal, message: string, data?: unknown): JsonRpcErrorObject {
  return { code: ERROR_CODES[code], message, ...(data !== undefined && { data }) }
}

/** The error for unexpected failures; it does not reveal the cause. */
export const INTERNAL_ERROR: JsonRpcErrorObject = { code: ERROR_CODES.internal, message: 'internal error' }

function rejected({ message, data }: TxRejectedError): JsonRpcErrorObject {
  return { code: ERROR_CODES.server, message, ...(data && { data }) }
}

const SIMULATION_CODES: { readonly [Failure in SimulationFailure]: number } = {
  'invalid-params': ERROR_CODES['invalid-params'],
  'nonce-too-low': ERROR_CODES['simulated-nonce-too-low'],
  'nonce-too-high': ERROR_CODES['simulated-nonce-too-high'],
  // As in geth, which has no code of its own for it.
  'nonce-max': ERROR_CODES.internal,
  'base-fee-too-low': ERROR_CODES['simulated-base-fee-too-low'],
  'intrinsic-gas': ERROR_CODES['simulated-intrinsic-gas'],
  'insufficient-funds': ERROR_CODES['simulated-insufficient-funds'],
  'block-gas-limit': ERROR_CODES['simulated-block-gas-limit'],
  'block-number': ERROR_CODES['simulated-block-number'],
  'block-timestamp': ERROR_CODES['simulated-block-timestamp'],
  'initcode-too-large': ERROR_CODES['simulated-initcode-too-large'],
  'limit-exceeded': ERROR_CODES['simulated-limit-exceeded'],
}

function callFailed(error: CallFailedError): JsonRpcErrorObject {
  switch (error.code) {
    case 'reverted':
      return withStack(reverted(error.output ?? new Uint8Array(0)), error)
    case 'vm-error':
      return withStack({ code: ERROR_CODES.server, message: error.message }, error)
    case 'timeout':
    case 'price':
    case 'insufficient-funds':
    case 'gas-too-low':
    case 'initcode-too-large':
    case 'bad-override':
      return { code: ERROR_CODES.server, message: error.message }
    default:
      return unknownFailure(error.code)
  }
}

/** An error with the stack trace beside its data. */
function withStack(
  object: JsonRpcErrorObject,
  { stackTrace }: { readonly stackTrace: RpcStackTrace | undefined },
): JsonRpcErrorObject {
  if (!stackTrace) return object
  const { message, stack } = stackTrace
  return { ...object, stackTrace: { message, stack } }
}

/** The error of a call that reverted. */
export interface RevertErrorObject {
  readonly code: number
  readonly message: string
  readonly data: Hex
}

/** As in geth: the reason is in the message, if there is one, and the revert data is one hex string. */
export function reverted(output: Uint8Array): RevertErrorObject {
  const reason = decodeRevertReason(output)
  const message = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
  return { code: ERROR_CODES.reverted, message, data: bytesToHex(output) }
}

/** Does not compile while a failure of calls has no error here. */
function unknownFailure(code: never): JsonRpcErrorObject {
  throw new TypeError(`no JSON-RPC error for the failure ${String(code)}`)
}
