import { bytesToHex } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { CallFailedError } from '../evm/call.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { decodeRevertReason } from './revert-reason.ts'

/** What the RPC layer itself refuses; each is an entry of `ERROR_CODES`. */
export type RpcRefusal = 'parse-error' | 'invalid-request' | 'method-not-found' | 'invalid-params' | 'server'

/** A request that gets an error for an answer. Branch on `code`; `message` goes to the caller, worded as geth does. */
export class RpcRefusedError extends Error {
  override readonly name = 'RpcRefusedError'
  readonly code: RpcRefusal

  constructor(code: RpcRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * The JSON-RPC error that a caller sees for an expected failure.
 *
 * @returns `undefined` for everything else: that is a bug, and its details are not for the caller.
 */
export function toErrorObject(error: unknown): JsonRpcErrorObject | undefined {
  if (error instanceof RpcRefusedError) return refusal(error.code, error.message)
  if (error instanceof TxRejectedError) return rejected(error)
  if (error instanceof CallFailedError) return callFailed(error)
  return undefined
}

/** The JSON-RPC error of a refusal. */
export function refusal(code: RpcRefusal, message: string): JsonRpcErrorObject {
  return { code: ERROR_CODES[code], message }
}

/** Any error as the caller sees it; what is not expected says nothing of its cause. */
export const INTERNAL_ERROR: JsonRpcErrorObject = { code: ERROR_CODES.internal, message: 'internal error' }

function rejected({ message, data }: TxRejectedError): JsonRpcErrorObject {
  return { code: ERROR_CODES.server, message, ...(data && { data }) }
}

function callFailed(error: CallFailedError): JsonRpcErrorObject {
  switch (error.code) {
    case 'reverted':
      return reverted(error.output ?? new Uint8Array(0))
    case 'vm-error':
    case 'timeout':
    case 'insufficient-funds':
    case 'gas-too-low':
      return { code: ERROR_CODES.server, message: error.message }
    default:
      return unknownFailure(error.code)
  }
}

/** As geth: the reason in the message where there is one, the revert data as one hex string. */
function reverted(output: Uint8Array): JsonRpcErrorObject {
  const reason = decodeRevertReason(output)
  const message = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
  return { code: ERROR_CODES.reverted, message, data: bytesToHex(output) }
}

/** Does not compile while a failure of calls has no error here. */
function unknownFailure(code: never): JsonRpcErrorObject {
  throw new TypeError(`no JSON-RPC error for the failure ${String(code)}`)
}
