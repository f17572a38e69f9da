import { type Call, failureText, INVALID_CALL, type ParsedCall, readBody, successText } from '#node/rpc/body.ts'
import { INTERNAL_ERROR, toErrorObject } from '#node/rpc/errors.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'

/** Deepest nesting of a body that the room reads. */
const MAX_DEPTH = 64

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
  answer: (call: Call) => Promise<string | undefined>,
  onBug: (error: unknown) => void,
): Promise<string | undefined> {
  const read = readBody(body, {
    levels: MAX_DEPTH,
    calls: maxCalls,
    tooMany: `batch too large: send at most ${maxCalls} calls at a time`,
  })
  if ('error' in read) return failureText('null', read.error)
  if ('call' in read) return answerOne(read.call)
  const texts: string[] = []
  for (const call of read.batch) {
    const text = await answerOne(call)
    if (text !== undefined) texts.push(text)
  }
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`

  async function answerOne(call: ParsedCall): Promise<string | undefined> {
    if (call.method === undefined) return failureText(call.id, INVALID_CALL)
    try {
      return await answer(call)
    } catch (error) {
      const expected = toErrorObject(error)
      if (!expected) onBug(error)
      return refusalText(call, expected ?? INTERNAL_ERROR)
    }
  }
}

/** A call's parameters where they are a list; otherwise none. */
export function argsOf({ params }: Call): readonly unknown[] {
  return Array.isArray(params) ? params : []
}

/** The text of a call, to be passed on. */
export function callText({ id, method, params }: Call): string {
  const request = JSON.stringify({ jsonrpc: '2.0', method, params })
  return id === undefined ? request : `${request.slice(0, -1)},"id":${id}}`
}

/** @param result - JSON. @returns `undefined` for a notification. */
export function resultText({ id }: Call, result: string): string | undefined {
  return id === undefined ? undefined : successText(id, result)
}

/** @returns `undefined` for a notification. */
export function refusalText({ id }: Call, error: JsonRpcErrorObject): string | undefined {
  return id === undefined ? undefined : failureText(id, error)
}
