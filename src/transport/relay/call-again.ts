import { isRepeatable } from '#rpc-types/effects.ts'
import type { JsonRpcFailure } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { callsOf } from './bodies.ts'

/**
 * Whether a body is safe to send to another node as well: all of its calls only read, or are identified by their hash.
 */
export function mayCallAgain(body: string): boolean {
  return callsOf(body).every(({ method }) => isRepeatable(method))
}

/** Says that the node went away during the body's calls, and what is known about their outcome. */
export function underWay(body: string): string {
  const methods = [...new Set(callsOf(body).map(({ method }) => method))].filter((method) => !isRepeatable(method))
  const what = methods.join(', ')
  return `the tab that ran the node has gone while ${what} was under way; whether it took effect is not known`
}

/**
 * The answer to a body when there is no node: an error for each call except notifications.
 *
 * @param code - Default 4900, of calls of which nobody knows the outcome.
 */
export function failedAnswer(
  body: string,
  message: string,
  code: number = ERROR_CODES.disconnected,
): string | undefined {
  const error = { code, message }
  const calls = callsOf(body)
  const failures = calls.flatMap(({ id }): JsonRpcFailure[] =>
    id === undefined ? [] : [{ jsonrpc: '2.0', id, error }],
  )
  const isBatch = body.trimStart().startsWith('[')
  if (calls.length > 0 && failures.length === 0) return undefined
  if (isBatch && failures.length > 0) return JSON.stringify(failures)
  return JSON.stringify(failures[0] ?? { jsonrpc: '2.0', id: null, error })
}
