import { isObject } from '#primitives/json-object.ts'
import { isNestedDeeperThan } from '#primitives/json-text.ts'
import type { JsonRpcErrorObject, JsonRpcId } from '#rpc-types/envelope.ts'
import { refusal } from './errors.ts'
import { memberIdTexts } from './request-ids.ts'

/** A call whose envelope is valid. */
export interface Call {
  /** JSON text, as the caller wrote it; `undefined` for a notification. */
  readonly id: string | undefined
  readonly method: string
  /** As the caller wrote them, possibly of a wrong type. */
  readonly params: unknown
}

/** A member of a body whose envelope is not valid. */
interface InvalidCall {
  /** JSON text: `null` if it has no valid id. */
  readonly id: string
  readonly method: undefined
}

/** A member of a body. */
export type ParsedCall = Call | InvalidCall

/** What a body asks for. */
export type ReadBody =
  | { readonly call: ParsedCall }
  | { readonly batch: readonly ParsedCall[] }
  | { readonly error: JsonRpcErrorObject }

interface BodyLimits {
  readonly levels: number
  readonly calls: number
  readonly tooMany: string
}

/** The error for an {@link InvalidCall}. */
export const INVALID_CALL = refusal('invalid-request', 'invalid request')

/**
 * Reads a body: a request, a batch, or anything else.
 *
 * @param limits - Deepest nesting, most calls in a batch, and the refusal of a larger one.
 * @see {@link https://www.jsonrpc.org/specification | JSON-RPC 2.0}
 */
export function readBody(body: string, limits: BodyLimits): ReadBody {
  if (isNestedDeeperThan(body, limits.levels)) {
    return refused(`invalid request: more than ${limits.levels} levels of arrays and objects, send fewer`)
  }
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { error: refusal('parse-error', 'parse error') }
  }
  if (!Array.isArray(message)) return { call: readCall(message, idTextOf(body, message)) }
  if (message.length === 0) return refused('empty batch')
  if (message.length > limits.calls) return refused(limits.tooMany)
  const ids = idTextsOf(body, message)
  return { batch: message.map((member, i) => readCall(member, ids[i])) }
}

function refused(why: string): ReadBody {
  return { error: refusal('invalid-request', why) }
}

/** The id as JSON; `undefined` for none or an invalid one. A number that JavaScript cannot represent keeps its digits. */
function idTextOf(body: string, message: unknown): string | undefined {
  const id = isObject(message) ? message['id'] : undefined
  if (typeof id === 'number' && !Number.isSafeInteger(id)) return idTextsOf(body, [message])[0]
  return isId(id) ? JSON.stringify(id) : undefined
}

/** As {@link idTextOf}, of all members of a batch. */
function idTextsOf(body: string, messages: readonly unknown[]): readonly (string | undefined)[] {
  const ids = messages.map((message) => (isObject(message) ? message['id'] : undefined))
  const exact = ids.every((id) => typeof id !== 'number' || Number.isSafeInteger(id))
  const texts = exact ? [] : memberIdTexts(body)
  return ids.map((id, i) => (isId(id) ? (texts[i] ?? JSON.stringify(id)) : undefined))
}

/** A number such as 1e999 is infinite in JavaScript and could not be echoed. */
function isId(id: unknown): id is JsonRpcId {
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
}

function readCall(message: unknown, idText: string | undefined): ParsedCall {
  const { jsonrpc, id, method, params } = isObject(message) ? message : {}
  const isValid = jsonrpc === '2.0' && (id === undefined || idText !== undefined)
  if (!isValid || typeof method !== 'string' || method === '') return { id: idText ?? 'null', method: undefined }
  return { id: idText, method, params }
}

/** @param id - JSON. @param result - JSON; `undefined` for none. */
export function successText(id: string, result: string | undefined): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result ?? 'null'}}`
}

/** @param id - JSON. */
export function failureText(id: string, error: JsonRpcErrorObject): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`
}
