import { ProviderRpcError } from '#client/session/provider.ts'
import type { Hex } from '#primitives/hex.ts'
import type { RpcExecutedCall } from '#rpc-types/execution-trace.ts'

/** The node's answer, or why it refused. As a query's data it stays on the screen until the next answer. */
export type TraceAnswer<Result> = { readonly result: Result } | { readonly error: ProviderRpcError }

/** geth's error code for a reverted call. */
const REVERTED = 3

/** Refused calls, by their errors. */
const calls = new WeakMap<object, RpcExecutedCall>()

/**
 * Asks the node to execute a call, and remembers the call if it is refused.
 *
 * @param ask - Sends the call.
 */
export async function askToExecute<Result>(call: RpcExecutedCall, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error) calls.set(error, call)
    throw error
  }
}

/** Answers a call, but returns a refusal instead of throwing it. */
export async function answerOf<Result>(
  call: RpcExecutedCall,
  ask: () => Promise<Result>,
): Promise<TraceAnswer<Result>> {
  try {
    return { result: await askToExecute(call, ask) }
  } catch (error) {
    if (error instanceof ProviderRpcError) return { error }
    throw error
  }
}

/** The answer itself. @throws {ProviderRpcError} If it is a refusal. */
export function resultOf<Result>(answer: TraceAnswer<Result>): Result {
  if ('error' in answer) throw answer.error
  return answer.result
}

/** The refused call behind an error, for the debugger; `undefined` if there is none. */
export function refusedCallOf(error: unknown): RpcExecutedCall | undefined {
  return revertData(error) !== undefined && error instanceof Error ? calls.get(error) : undefined
}

/**
 * The data that the contract reverted with; `undefined` if it was not the contract that refused. A node with the sources
 * sends an object with data and stack trace (`RpcStackTrace`), as Hardhat does.
 */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof ProviderRpcError) || (error.code !== REVERTED && error.data === undefined)) return undefined
  const data = dataOf(error.data)
  return typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? (data as Hex) : '0x'
}

function dataOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'data' in data ? data.data : data
}
