import { INTERNAL_ERROR, refusal, toErrorObject } from '#node/rpc/errors.ts'
import { isObject } from '#node/rpc/params/param.ts'
import { isNestedDeeperThan } from '#node/rpc/request-text.ts'
import type { JsonRpcErrorObject, JsonRpcId } from '#rpc-types/envelope.ts'

/** Deepest nesting of a body that the room reads. */
const MAX_DEPTH = 64
const MAX_ID = 100

/** A call whose envelope is valid JSON-RPC. */
export interface RoomCall {
  /** `undefined` for a notification. */
  readonly id: JsonRpcId | undefined
  readonly method: string
  /** As the caller wrote them, possibly of a wrong type. */
  readonly params: unknown
  /** The same, where they are a list; otherwise none. */
  readonly args: readonly unknown[]
}

/**
 * Answers a body call by call, in order.
 *
 * @param maxCalls - In one batch.
 * @param answer - The answer to a call as text; `undefined` for a notification. What it throws is the call's error.
 * @param onBug - Called with any other error, which is a bug: the caller gets an internal error.
 */
export async function answerCalls(
  body: string,
  maxCalls: number,
  answer: (call: RoomCall) => Promise<string | undefined>,
  onBug: (error: unknown) => void,
): Promise<string | undefined> {
  if (isNestedDeeperThan(body, MAX_DEPTH)) {
    return failureText(null, refusal('invalid-request', `invalid request: more than ${MAX_DEPTH} levels, send fewer`))
  }
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failureText(null, refusal('parse-error', 'parse error'))
  }
  if (!Array.isArray(message)) return answerOne(message)
  if (message.length === 0) return failureText(null, refusal('invalid-request', 'empty batch'))
  if (message.length > maxCalls) {
    return failureText(null, refusal('invalid-request', `batch too large: send at most ${maxCalls} calls at a time`))
  }
  const texts: string[] = []
  for (const each of message) {
    const text = await answerOne(each)
    if (text !== undefined) texts.push(text)
  }
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`

  async function answerOne(each: unknown): Promise<string | undefined> {
    const call = readCall(each)
    if (!call) return failureText(null, refusal('invalid-request', 'invalid request'))
    try {
      return await answer(call)
    } catch (error) {
      const expected = toErrorObject(error)
      if (!expected) onBug(error)
      return call.id === undefined ? undefined : failureText(call.id, expected ?? INTERNAL_ERROR)
    }
  }
}

function readCall(message: unknown): RoomCall | undefined {
  if (!isObject(message)) return undefined
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '' || !isSimpleId(id)) return undefined
  return { id, method, params, args: Array.isArray(params) ? (params as readonly unknown[]) : [] }
}

/** Ids that can be parsed and written again without a change, and are not long. */
function isSimpleId(id: unknown): id is JsonRpcId | undefined {
  if (id === undefined || id === null) return true
  return typeof id === 'string' ? id.length <= MAX_ID : Number.isSafeInteger(id)
}

/** The text of a call, to be passed on. */
export function callText({ id, method, params }: Pick<RoomCall, 'id' | 'method' | 'params'>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** @param result - JSON. */
export function successText({ id }: RoomCall, result: string): string | undefined {
  return id === undefined ? undefined : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

export function failureText(id: JsonRpcId, error: JsonRpcErrorObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
