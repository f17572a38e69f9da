import type { Clock } from '#primitives/clock.ts'
import { isObject } from '#primitives/json-object.ts'
import { MAX_JSON_LEVELS } from '#primitives/json-text.ts'
import { shorten } from '#primitives/shorten.ts'
import { changesChain, isSubmission } from '#rpc-types/effects.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { PlannedFailure } from '#rpc-types/methods/devnet.ts'
import type { Block } from '../payload/block.ts'
import { jsonInSlices } from '../turns/json-in-slices.ts'
import { createPacer } from '../turns/pacer.ts'
import type { Transaction } from '../tx/transaction.ts'
import { failureText, INVALID_CALL, type ParsedCall, readBody, successText } from './body.ts'
import { guardFor } from './caller-guard.ts'
import type { DeveloperLog } from './context.ts'
import type { CallerContext, Method } from './define-method.ts'
import { PlannedFailureError } from './dev-settings.ts'
import { INTERNAL_ERROR, RpcRefusedError, toErrorObject } from './errors.ts'
import { findMethod, type NamedMethod } from './method-table.ts'
import { mineAtOnce } from './sending/automine.ts'

/** The method that is often repeated within a batch. */
const SUBMISSION = 'eth_sendRawTransaction'
/** How many submissions of a batch are handled together: more than the node and its helpers recover at once. */
const MAX_TOGETHER = 256

/** Most items in a batch. */
const MAX_BATCH = 1_000
/** Most characters in a batch's answers; further calls are refused, as in geth. */
const MAX_BATCH_ANSWER = 25_000_000

const IS_FILM =
  'this chain is a film and cannot be changed: to go on from here, import its file into a chain or start one with --load-state'

/** The answer to a call, sent once its changes are stored. */
interface Answer {
  /** JSON text, as the caller wrote it. */
  readonly id: string
  /** JSON text; `undefined` for a notification. */
  readonly text: string | undefined
  readonly changes: boolean
  /** Transactions that the call submitted. */
  readonly submitted: readonly Transaction[]
}

/**
 * Answers a body: a request, a batch, or anything else.
 *
 * @returns JSON text; `undefined` if there were only notifications. Never rejects: this is the last safety net, since
 * an unhandled rejection would end the Node.js process.
 * @see {@link https://www.jsonrpc.org/specification | JSON-RPC 2.0}
 */
export async function handleBody(body: string, context: CallerContext, log: DeveloperLog): Promise<string | undefined> {
  const refused = context.work.takeBody(body.length)
  if (refused) return failureText('null', refused)
  const turn = context.work.enterReading(body.length)
  try {
    if (turn) {
      await turn
      // Nobody waits for the answer any more.
      if (context.caller.gone) return undefined
    }
    const read = readBody(body, { levels: MAX_JSON_LEVELS, calls: MAX_BATCH, tooMany: 'batch too large' })
    if ('error' in read) return failureText('null', read.error)
    if ('batch' in read) return await handleBatch(read.batch, context, log)
    const answer = await handleCall(read.call, context, log)
    return answer.changes ? (await whenDurable([answer], context, log))[0] : answer.text
  } catch (error) {
    log('internal error in answering a body', error)
    return failureText('null', INTERNAL_ERROR)
  } finally {
    context.work.leaveReading(body.length)
    context.work.giveBody(body.length)
  }
}

/** Runs a batch in order, since each call may depend on earlier ones; their changes are stored together. */
async function handleBatch(batch: readonly ParsedCall[], context: CallerContext, log: DeveloperLog) {
  const pacer = createPacer(context.clock)
  const answers: Answer[] = []
  const room = context.work.openBatch(context.caller)
  let length = 0
  /** Why no more results fit. */
  let refused: RpcRefusedError | undefined
  try {
    for (const group of groupsOf(batch, context)) {
      if (context.caller.gone) return undefined
      let added = 0
      for (const answer of await Promise.all(group.map((call) => handleCall(call, context, log, refused)))) {
        answers.push(answer)
        added += answer.text?.length ?? 0
      }
      length += added
      if (!refused) refused = length > MAX_BATCH_ANSWER ? TOO_LARGE : await refusalOf(room.add(added))
      await pacer.checkpoint()
    }
    const texts = (await whenDurable(answers, context, log)).filter((text) => text !== undefined)
    return texts.length === 0 ? undefined : `[${texts.join(',')}]`
  } finally {
    room.close()
  }
}

const UNREADABLE = new RpcRefusedError('invalid-request', INVALID_CALL.message)
const TOO_LARGE = new RpcRefusedError('response-too-large', 'response too large')

/** The refusal with which a promise rejects; `undefined` if it resolves. */
async function refusalOf(promise: Promise<void>): Promise<RpcRefusedError | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    if (error instanceof RpcRefusedError) return error
    throw error
  }
}

/**
 * Groups the calls of a batch. Consecutive submissions form a group, as the decoder keeps their order. While
 * failures are planned, every call is its own group.
 */
function* groupsOf(batch: readonly ParsedCall[], { settings }: CallerContext): Generator<readonly ParsedCall[]> {
  let group: ParsedCall[] = []
  for (const call of batch) {
    const joins = call.method === SUBMISSION && settings.failures.isEmpty
    if (group.length > 0 && (!joins || group.length === MAX_TOGETHER)) {
      yield group
      group = []
    }
    if (joins) group.push(call)
    else yield [call]
  }
  if (group.length > 0) yield group
}

/**
 * The texts of the answers, once their changes are stored. If storing fails, so do these calls: their transactions are
 * removed from the pool, unless a partial block with them was written meanwhile.
 */
async function whenDurable(answers: readonly Answer[], context: CallerContext, log: DeveloperLog) {
  try {
    if (answers.some(({ changes }) => changes)) await context.storage.settled()
    return answers.map(({ text }) => text)
  } catch (error) {
    const reason = errorObject(error, 'storing the changes of calls', log)
    const texts: (string | undefined)[] = []
    for (const { id, text, changes, submitted } of answers.toReversed()) {
      const isStored = submitted.length > 0 && !(await context.control.undoSubmissions(submitted))
      texts.push(changes && !isStored && text !== undefined ? failureText(id, reason) : text)
    }
    return texts.reverse()
  }
}

/** @param refused - Why the call is refused. */
async function handleCall(
  call: ParsedCall,
  context: CallerContext,
  log: DeveloperLog,
  refused?: RpcRefusedError,
): Promise<Answer> {
  const { id, method } = call
  if (method === undefined) {
    const unreadable = context.dialect?.refuse(UNREADABLE, { method, params: undefined }, context) ?? INVALID_CALL
    return { id, text: failureText(id, unreadable), changes: false, submitted: [] }
  }
  const answerId = id ?? 'null'
  const submitted: Transaction[] = []
  let text: string
  let changes = false
  try {
    if (refused) throw refused
    const planned = context.settings.failures.take(method)
    if (planned) await applyPlannedFailure(planned, context.clock)
    const known = context.dialect?.lacks(method, context) ? undefined : findMethod(method)
    const found = requireMethod(method, known instanceof Promise ? await known : known)
    const args = argumentsOf(found, call.params)
    // A call after a submission sees its effect, even if the caller has not waited for the submission's answer.
    const underWay = isSubmission(found.name) ? undefined : context.decoder.settled()
    if (underWay) await underWay
    changes = changesChain(found.name)
    if (changes && context.film) throw new RpcRefusedError('server', IS_FILM)
    const queue = found.queue && context.work.of(found.queue)
    const turn = queue?.enter(context.caller)
    if (turn) await turn
    try {
      const mining: Promise<void>[] = []
      const own = changes ? noting(submitted, mining, found, context) : context
      const manner = context.dialect?.manners[found.name]
      const result = await (manner
        ? manner({ args, context: own, run: async (given) => resultOf(found, given, own) })
        : resultOf(found, args, own))
      if (mining.length > 0) await Promise.all(mining)
      // Results of calls are small.
      const isLarge = found.queue !== undefined && found.queue !== 'call'
      text = successText(answerId, isLarge ? await jsonInSlices(result, guardFor(context)) : JSON.stringify(result))
    } finally {
      queue?.leave()
    }
  } catch (error) {
    text = failureText(answerId, context.dialect?.refuse(error, call, context) ?? errorObject(error, method, log))
  }
  return { id: answerId, text: id === undefined ? undefined : text, changes, submitted }
}

/** @throws {RpcRefusedError} `method-not-found`. */
function requireMethod(name: string, found: NamedMethod | undefined): NamedMethod {
  if (found) return found
  throw new RpcRefusedError('method-not-found', `the method ${shorten(name)} does not exist/is not available`)
}

/** @throws {RpcRefusedError} `invalid-params`, if they are neither a list nor an object that the method takes. */
function argumentsOf(found: Method, params: unknown): readonly unknown[] {
  const args: unknown = found.takesObject && isObject(params) ? [params] : (params ?? [])
  if (!Array.isArray(args)) throw new RpcRefusedError('invalid-params', 'non-array args')
  return args
}

/**
 * The context of a call that may submit transactions: what it submits is noted, and mined at once where automine is on. A
 * submission emits an event; other changes may not.
 */
function noting(
  submitted: Transaction[],
  mining: Promise<void>[],
  found: Method,
  context: CallerContext,
): CallerContext {
  return {
    ...context,
    submit(tx) {
      context.dialect?.admit(tx, context)
      submitted.push(context.submit(tx))
      const mines = context.control.automine && !found.sealsItself
      const mine = () => (mines ? mineAtOnce(tx, context) : undefined)
      const mined = context.fork ? context.fork.whenReady(tx, mine) : mine()
      if (mined) mining.push(mined)
      return tx
    },
  }
}

/** Runs the method, with a preview of the block `pending` where what is sent waits for the seal. */
function resultOf(found: NamedMethod, args: readonly unknown[], context: CallerContext): unknown {
  if (!context.control.fillsAtSeal || !readsPending(found, args)) return run(found, args, context)
  return context.control.preview().then((preview) => run(found, args, context, preview))
}

/** Runs the method; on a fork with what the other chain answers. */
function run(found: NamedMethod, args: readonly unknown[], context: CallerContext, preview?: Block): unknown {
  const changes = changesChain(found.name)
  const persists = changes && !isSubmission(found.name)
  if (!context.fork) return runMethod(found, preview ? { ...context, preview } : context, args, persists)
  return context.fork.answer(found.name, args, !changes, (chain, given, see) =>
    runMethod(found, { ...context, chain, preview: preview && see(preview) }, given, persists),
  )
}

/** Whether a call reads the block `pending`: by itself, or because an argument or a member of one names it. */
function readsPending({ readsPending: byItself }: Method, args: readonly unknown[]): boolean {
  if (byItself !== undefined) return byItself
  return args.some(
    (arg) =>
      arg === 'pending' ||
      (isObject(arg) && [arg['blockNumber'], arg['fromBlock'], arg['toBlock'], arg['block']].includes('pending')),
  )
}

function runMethod(method: Method, context: CallerContext, args: readonly unknown[], persists: boolean): unknown {
  return persists ? runAndPersist(method, context, args) : method.run(context, args)
}

/** Runs a method and stores its changes, even if it throws. */
async function runAndPersist(method: Method, context: CallerContext, args: readonly unknown[]): Promise<unknown> {
  try {
    return await method.run(context, args)
  } finally {
    context.storage.touch()
  }
}

function errorObject(error: unknown, doing: string, log: DeveloperLog): JsonRpcErrorObject {
  const expected = toErrorObject(error)
  if (!expected) log(`internal error in ${doing}`, error)
  return expected ?? INTERNAL_ERROR
}

/**
 * Applies a failure planned by `devnet_failNext`: a delay, an error, or both.
 *
 * @throws {PlannedFailureError} If an error is planned.
 */
async function applyPlannedFailure(
  { error, delayMs }: Pick<PlannedFailure, 'error' | 'delayMs'>,
  clock: Clock,
): Promise<void> {
  if (delayMs !== undefined) await new Promise<void>((resolve) => clock.schedule(resolve, delayMs))
  if (error) throw new PlannedFailureError(error)
}
