import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { MethodSubject } from '#rpc-types/method.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { RpcFeeHistory } from '#rpc-types/objects.ts'
import type { ChainReader } from '../storage/chain-reader.ts'
import { joinFeeHistory } from './fee-history.ts'
import type { Fork } from './fork.ts'
import { type JoinedMethod, subjectOf } from './routes.ts'
import { askFor, lacksMethod, numberIn, requireNotLater } from './settled-answers.ts'

export interface HistoryDeps {
  readonly chain: ChainReader
  /** Blocks behind the head. */
  readonly safeDistance: number
  /** Blocks behind the head. */
  readonly finalizedDistance: number
  /** Whether a transaction waits in the pool. */
  readonly isPooled: (hash: string) => boolean
}

type Args = readonly unknown[]
type Local = (args: Args) => Promise<unknown>
type SubjectAbout<About extends MethodSubject['about']> = MethodSubject & { readonly about: About }

/** The name under which the number of a block, or of a transaction's block, is kept by hash. */
const NUMBER = 'number'

/**
 * Answers a call about what was before the fork, as the endpoint says it: unchanged, with every field and every type of
 * transaction that it has, and not proven. What the endpoint has after the fork's block does not exist here.
 *
 * @param local - Answers it from this chain.
 * @throws {ForkError}
 */
export async function answerWithHistory(
  fork: Fork,
  deps: HistoryDeps,
  name: MethodName,
  args: Args,
  local: Local,
): Promise<unknown> {
  const subject = subjectOf(name)
  switch (subject.about) {
    case 'nothing':
    case 'own':
      return local(args)
    case 'block':
    case 'state':
      return answerAtBlock(fork, deps, subject, name, args, local)
    case 'transaction':
      return answerOfTransaction(fork, deps, subject, name, args, local)
    case 'logs': {
      const [filter] = args
      if (typeof filter !== 'object' || filter === null) return local(args)
      return joinLogs(fork, deps, filter, (fromBlock) =>
        local(fromBlock === undefined ? args : [{ ...filter, fromBlock: toQuantity(fromBlock) }]),
      )
    }
    case 'fees': {
      if (args.length < 2) return local(args)
      const newest = numberOf(args[1], deps)
      if (newest !== undefined && newest <= forkedAt(fork)) {
        return askFor(fork, name, args.with(1, toQuantity(newest)), 'object')
      }
      return joinFeeHistory(fork, args, (await local(args)) as RpcFeeHistory)
    }
    case 'both': {
      const { JOINED } = await import('./joined-methods.ts')
      const ask = (method: MethodName, params: Args) => askFor(fork, method, params, shapeOf(method))
      const look = (method: MethodName, params: Args) => askFor(fork, method, params, shapeOf(method), 'never')
      const sides = { own: local, ask, look, numberOf: (ref: unknown) => numberOf(ref, deps) }
      return JOINED[name as JoinedMethod](fork, args, sides)
    }
    default:
      return subject satisfies never
  }
}

/** Answers a call that names a block or the state after it. */
async function answerAtBlock(
  fork: Fork,
  deps: HistoryDeps,
  subject: SubjectAbout<'block' | 'state'>,
  name: MethodName,
  args: Args,
  local: Local,
): Promise<unknown> {
  const { at } = subject
  if (at >= args.length) return local(args)
  const ref = refIn(subject, args)
  const naming = (number: number) => args.with(at, renamed(subject, args[at], toQuantity(number)))
  // The state of the fork's own block is here, and proven; of the block there is only its header.
  const isOwn = (number: number) => number > forkedAt(fork) || (subject.about === 'state' && number === forkedAt(fork))
  const hash = subject.about === 'block' && subject.by === 'number' ? undefined : hashIn(ref)
  if (hash === undefined) {
    const number = subject.about === 'block' && subject.by === 'hash' ? undefined : numberOf(ref, deps)
    if (number === undefined || isOwn(number)) return local(args)
    return askUnchanged(fork, subject, name, naming(number))
  }
  const own = ownNumberOf(hash, deps)
  if (own !== undefined && isOwn(own)) return local(args)
  if (subject.answers === 'numbered') return askNumbered(fork, name, args, hash, local)
  const number = own ?? (await askNumber(fork, 'eth_getBlockByHash', hash))
  if (number === undefined || number > forkedAt(fork)) return local(args)
  return askUnchanged(fork, subject, name, args)
}

/** How a caller names the block. */
function refIn(subject: SubjectAbout<'block' | 'state'>, args: Args): unknown {
  const given = args[subject.at]
  if (subject.about === 'block' || subject.member === undefined) return given
  return typeof given === 'object' && given !== null
    ? (given as Readonly<Record<string, unknown>>)[subject.member]
    : undefined
}

/** A parameter with another name for its block. */
function renamed(subject: SubjectAbout<'block' | 'state'>, given: unknown, ref: unknown): unknown {
  if (subject.about === 'block' || subject.member === undefined) return ref
  return { ...(given as object), [subject.member]: ref }
}

/** Answers a call about a transaction. */
async function answerOfTransaction(
  fork: Fork,
  { chain, isPooled }: HistoryDeps,
  subject: SubjectAbout<'transaction'>,
  name: MethodName,
  args: Args,
  local: Local,
): Promise<unknown> {
  const hash = hashIn(args[0]) as Hash | undefined
  if (hash === undefined || isPooled(hash) || chain.findTransaction(hash) !== undefined) return local(args)
  if (subject.answers === 'numbered') return askNumbered(fork, name, args, hash, local)
  const number = await askNumber(fork, 'eth_getTransactionByHash', hash)
  if (number === undefined || number > forkedAt(fork)) return local(args)
  return askUnchanged(fork, subject, name, args)
}

/** Asks for something that names its own block. This chain answers instead if that block is later than the fork's. */
async function askNumbered(fork: Fork, name: MethodName, args: Args, hash: string, local: Local): Promise<unknown> {
  const answer = await askUnchanged(fork, subjectOf(name), name, args, true)
  const number = numberIn(fork, name, answer)
  if (number === undefined || number > forkedAt(fork)) return local(args)
  fork.answers.put(NUMBER, [hash], toQuantity(number))
  return answer
}

/**
 * The number of a block, or of a transaction's block.
 *
 * @returns `undefined` if the endpoint does not know it, or a transaction is in no block.
 * @throws {ForkError}
 */
async function askNumber(
  fork: Fork,
  method: 'eth_getBlockByHash' | 'eth_getTransactionByHash',
  hash: string,
): Promise<number | undefined> {
  const kept = fork.answers.find(NUMBER, [hash])
  if (kept !== undefined) return numberIn(fork, method, { number: kept })
  const params = method === 'eth_getBlockByHash' ? [hash, false] : [hash]
  const known = fork.answers.find(method, params) ?? (await fork.remote.ask(method, params))
  const number = numberIn(fork, method, known)
  if (number !== undefined && number <= forkedAt(fork)) fork.answers.put(NUMBER, [hash], toQuantity(number))
  return number
}

/**
 * Asks the endpoint; if it lacks the method, by another one that gives the same answer.
 *
 * @param mayBeLater - Whether the caller looks at the number itself.
 * @throws {ForkError}
 */
async function askUnchanged(
  fork: Fork,
  subject: MethodSubject,
  name: MethodName,
  args: Args,
  mayBeLater = false,
): Promise<unknown> {
  const ask = async (method: MethodName, params: Args) => {
    const answer = await askFor(
      fork,
      method,
      params,
      shapeOf(method),
      subject.about === 'state' ? 'always' : 'by-number',
    )
    // A simulated block may have any number, and the result of a tracer any form.
    if (!mayBeLater && subject.about !== 'state' && shapeOf(method) !== 'any') requireNotLater(fork, method, answer)
    return answer
  }
  if (subject.about === 'state' && subject.slots)
    return (await import('./stand-ins.ts')).askWithWholeSlots(name, args, ask)
  try {
    const answer = await ask(name, args)
    // For a transaction that is not there some endpoints answer null; geth and this node answer `0x`.
    return answer === null && shapeOf(name) === 'bytes' ? '0x' : answer
  } catch (error) {
    if (!lacksMethod(error)) throw error
    const standIn = (await import('./stand-ins.ts')).STAND_INS[name]
    if (!standIn) throw error
    return standIn(args, ask)
  }
}

/**
 * Logs of both chains, oldest first.
 *
 * @param filter - As `eth_getLogs` takes it.
 * @param local - Finds those of this chain, from another block on if one is given.
 * @throws {ForkError}
 */
export async function joinLogs(
  fork: Fork,
  deps: HistoryDeps,
  filter: object,
  local: (fromBlock?: number) => Promise<unknown>,
): Promise<Args> {
  const ask = async (asked: object): Promise<Args> => {
    const answer = await askFor(fork, 'eth_getLogs', [asked], 'list')
    requireNotLater(fork, 'eth_getLogs', answer)
    return (answer ?? []) as Args
  }
  const own = (fromBlock?: number) => local(fromBlock) as Promise<Args>
  const { fromBlock, toBlock, blockHash } = filter as Readonly<Record<string, unknown>>
  if (blockHash !== undefined && blockHash !== null) {
    const hash = hashIn(blockHash)
    if (hash === undefined) return own()
    const number = ownNumberOf(hash, deps) ?? (await askNumber(fork, 'eth_getBlockByHash', hash))
    return number === undefined || number > forkedAt(fork) ? own() : ask(filter)
  }
  const from = numberOf(fromBlock ?? 'latest', deps)
  const to = numberOf(toBlock ?? 'latest', deps)
  if (from === undefined || from > forkedAt(fork)) return own()
  if (to !== undefined && to < from) return own()
  const isOver = to !== undefined && to <= forkedAt(fork)
  const before = ask({ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(isOver ? to : forkedAt(fork)) })
  // A new head may come between the two; the range that was asked for is the one that is answered.
  const [older, newer] = await Promise.all([before, isOver ? [] : own(forkedAt(fork) + 1)])
  return [...older, ...newer]
}

function forkedAt({ header }: Fork): number {
  return header.header.number
}

/** What the endpoint may answer to a method. */
function shapeOf(method: MethodName) {
  const subject = subjectOf(method)
  return 'answers' in subject ? subject.answers : 'any'
}

/** The hash by which a caller names a block, as text or as in EIP-1898; `undefined` if it is named otherwise. */
function hashIn(ref: unknown): string | undefined {
  const named: Readonly<Record<string, unknown>> =
    typeof ref === 'object' && ref !== null ? { ...ref } : { blockHash: ref }
  const { blockHash, blockNumber } = named
  if (blockNumber !== undefined && blockNumber !== null) return undefined
  if (typeof blockHash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(blockHash)) return undefined
  return blockHash.toLowerCase()
}

/** The number of a block of this chain; `undefined` for any other. */
function ownNumberOf(hash: string, { chain }: HistoryDeps): number | undefined {
  return chain.blockByHash(hash as Hash)?.header.number
}

/** The number of the block that a caller names; `undefined` for the live one, and for what is no block. */
function numberOf(ref: unknown, deps: HistoryDeps): number | undefined {
  const { chain, safeDistance, finalizedDistance } = deps
  const head = chain.head().header.number
  const first = chain.first().header.number
  if (ref === undefined || ref === 'latest') return head
  if (ref === 'safe') return Math.max(first, head - safeDistance)
  if (ref === 'finalized') return Math.max(first, head - finalizedDistance)
  if (ref === 'earliest') return 0
  if (typeof ref === 'number' && Number.isSafeInteger(ref) && ref >= 0) return ref
  if (typeof ref === 'object' && ref !== null) {
    const { blockNumber, blockHash } = ref as Readonly<Record<string, unknown>>
    if (blockNumber !== undefined && (blockHash === undefined || blockHash === null)) {
      return numberOf(blockNumber, deps)
    }
  }
  if (typeof ref === 'string' && /^0x[0-9a-f]{1,13}$/i.test(ref)) return Number(ref)
  return undefined
}
