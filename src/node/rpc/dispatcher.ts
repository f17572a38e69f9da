import type { Clock } from '#primitives/clock.ts'
import type { PlannedFailure } from '#rpc-types/devnet.ts'
import type { JsonRpcErrorObject, JsonRpcId } from '#rpc-types/envelope.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { REPEATABLE } from '#rpc-types/repeatable.ts'
import { createPacer } from '../evm/pacer.ts'
import type { CallerContext } from './define-method.ts'
import { INTERNAL_ERROR, RpcRefusedError, refusal, toErrorObject } from './errors.ts'
import { findMethod } from './method-table.ts'
import { isObject } from './params/json-type.ts'
import { PlannedFailureError } from './planned-failures.ts'

/** Those of the methods that can be repeated which change the chain. */
const SUBMITS: ReadonlySet<MethodName> = new Set(['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])

/** Takes what only a developer of the node needs to know. */
export type RpcLog = (message: string, details?: unknown) => void

/** Items of one batch. */
const MAX_BATCH = 1_000
/** Characters of a batch's answers, after which the rest is refused, as in geth. */
const MAX_BATCH_ANSWER = 25_000_000

/**
 * Answers a body: a request, a batch, or whatever else it is.
 *
 * @returns JSON text; `undefined` where nothing but notifications came. Never rejects.
 * @see {@link https://www.jsonrpc.org/specification | JSON-RPC 2.0}
 */
export async function handleBody(body: string, context: CallerContext, log: RpcLog): Promise<string | undefined> {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failure(null, refusal('parse-error', 'parse error'))
  }
  if (!Array.isArray(message)) return handleMessage(message, context, log)
  if (message.length === 0) return failure(null, refusal('invalid-request', 'empty batch'))
  if (message.length > MAX_BATCH) return failure(null, refusal('invalid-request', 'batch too large'))
  return handleBatch(message, context, log)
}

/** One after the other, as each may depend on what the one before did. */
async function handleBatch(batch: readonly unknown[], context: CallerContext, log: RpcLog) {
  const pacer = createPacer(context.clock)
  const answers: string[] = []
  let length = 0
  for (const message of batch) {
    const answer = await handleMessage(message, context, log, length > MAX_BATCH_ANSWER)
    if (answer !== undefined) answers.push(answer)
    length += answer?.length ?? 0
    await pacer.checkpoint()
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`
}

/** @param refused - Whether there is no more room for a result. */
async function handleMessage(
  message: unknown,
  context: CallerContext,
  log: RpcLog,
  refused = false,
): Promise<string | undefined> {
  const { jsonrpc, id, method, params } = isObject(message) ? message : {}
  if (jsonrpc !== '2.0' || (id !== undefined && !isId(id)) || typeof method !== 'string' || method === '') {
    return failure(isId(id) ? id : null, refusal('invalid-request', 'invalid request'))
  }
  const answer = refused
    ? failure(id ?? null, refusal('response-too-large', 'response too large'))
    : await call(method, params, id ?? null, context, log)
  return id === undefined ? undefined : answer
}

async function call(method: string, params: unknown, id: JsonRpcId, context: CallerContext, log: RpcLog) {
  try {
    const planned = context.settings.failures.take(method)
    if (planned) await suffer(planned, context.clock)
    const found = findMethod(method)
    if (!found) throw new RpcRefusedError('method-not-found', `the method ${method} does not exist/is not available`)
    const args: unknown = found.takesObject && isObject(params) ? [params] : (params ?? [])
    if (!Array.isArray(args)) throw new RpcRefusedError('invalid-params', 'non-array args')
    const result = await stored(found.name, context, async () => found.run(context, args))
    return JSON.stringify({ jsonrpc: '2.0', id, result })
  } catch (error) {
    const expected = toErrorObject(error)
    if (expected) return failure(id, expected)
    log(`internal error in ${method}`, error)
    return failure(id, INTERNAL_ERROR)
  }
}

/** Runs a method; what it has changed is durable when it ends, even where it ends with an error. */
async function stored<Result>(name: MethodName, context: CallerContext, run: () => Promise<Result>): Promise<Result> {
  if (REPEATABLE[name] && !SUBMITS.has(name)) return run()
  try {
    return await run()
  } finally {
    // Of a submission an event tells, of other changes perhaps none.
    if (!SUBMITS.has(name)) context.storage.touch()
    await context.storage.settled()
  }
}

/**
 * What someone has asked for to happen to this call, before it runs.
 *
 * @throws {PlannedFailureError} Where that is its end.
 */
async function suffer({ error, delayMs }: Pick<PlannedFailure, 'error' | 'delayMs'>, clock: Clock): Promise<void> {
  if (delayMs !== undefined) await new Promise<void>((resolve) => clock.schedule(resolve, delayMs))
  if (error) throw new PlannedFailureError(error)
}

/** A number as large as 1e999 is none in JavaScript, and could not be echoed. */
function isId(id: unknown): id is JsonRpcId {
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
}

function failure(id: JsonRpcId, error: JsonRpcErrorObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
