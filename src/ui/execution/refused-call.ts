import { ProviderRpcError } from '#client/session/provider.ts'
import type { Hex } from '#primitives/hex.ts'
import type { RpcExecutedCall } from '#rpc-types/execution-trace.ts'

/** What the node answered, or why it refused. As data of a query, it is shown until the next answer is there. */
export type Answer<Result> = { readonly result: Result } | { readonly error: ProviderRpcError }

/** geth's code for a call that the contract reverted. */
const REVERTED = 3

/** Calls by the errors with which the node refused them. */
const calls = new WeakMap<object, RpcExecutedCall>()

/**
 * Asks the node to execute a call, and remembers with an error which call it was.
 *
 * @param ask - Sends it.
 */
export async function askToExecute<Result>(call: RpcExecutedCall, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error) calls.set(error, call)
    throw error
  }
}

/** The same; a refusal is an answer, too. */
export async function answerOf<Result>(call: RpcExecutedCall, ask: () => Promise<Result>): Promise<Answer<Result>> {
  try {
    return { result: await askToExecute(call, ask) }
  } catch (error) {
    if (error instanceof ProviderRpcError) return { error }
    throw error
  }
}

/** @throws {ProviderRpcError} If it is a refusal. */
export function resultOf<Result>(answer: Answer<Result>): Result {
  if ('error' in answer) throw answer.error
  return answer.result
}

/** The call that a contract refused, to look into it; `undefined` if the error is another one, or not of a known call. */
export function refusedCallOf(error: unknown): RpcExecutedCall | undefined {
  return revertData(error) !== undefined && error instanceof Error ? calls.get(error) : undefined
}

/**
 * Data that the contract returned; `undefined` if it was not the contract that refused. A node that knows the sources
 * sends it in an object, with its stack trace (`RpcStackTrace`), as Hardhat does.
 */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof ProviderRpcError) || (error.code !== REVERTED && error.data === undefined)) return undefined
  const data = dataOf(error.data)
  return typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? (data as Hex) : '0x'
}

function dataOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'data' in data ? data.data : data
}
