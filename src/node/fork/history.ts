import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { RpcFeeHistory } from '#rpc-types/objects.ts'
import type { ChainReader } from '../storage/chain-reader.ts'
import { joinFeeHistory } from './fee-history.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'

export interface HistoryDeps {
  readonly chain: ChainReader
  /** Blocks behind the head. */
  readonly safeDistance: number
  /** Blocks behind the head. */
  readonly finalizedDistance: number
  /** Whether a transaction waits in the pool. */
  readonly isPooled: (hash: string) => boolean
}

/** What an answer may be. */
type Shape = 'object' | 'list' | 'text'
type Local = (args: readonly unknown[]) => Promise<unknown>

/** Methods whose answer is no object: hex, or a list. */
const SHAPES: Readonly<Record<string, Shape>> = {
  eth_getBlockTransactionCountByNumber: 'text',
  eth_getBlockTransactionCountByHash: 'text',
  eth_getBlockReceipts: 'list',
  eth_getUncleCountByBlockNumber: 'text',
  eth_getUncleCountByBlockHash: 'text',
  eth_getRawTransactionByHash: 'text',
  eth_getLogs: 'list',
  debug_getRawBlock: 'text',
  debug_getRawHeader: 'text',
  debug_getRawReceipts: 'list',
  debug_getRawTransaction: 'text',
  debug_traceBlockByHash: 'list',
  debug_traceBlockByNumber: 'list',
  trace_block: 'list',
  trace_replayBlockTransactions: 'list',
  trace_transaction: 'list',
  trace_filter: 'list',
  trace_callMany: 'list',
  ots_getInternalOperations: 'list',
  ots_getTransactionError: 'text',
  ots_traceTransaction: 'list',
  ots_getTransactionBySenderAndNonce: 'text',
  eth_call: 'text',
  eth_estimateGas: 'text',
  eth_getBalance: 'text',
  eth_getCode: 'text',
  eth_getStorageAt: 'text',
  eth_getTransactionCount: 'text',
}

/** Methods about blocks up to the fork, with the place of the block among their arguments. */
const BY_BLOCK: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getHeaderByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getUncleByBlockNumberAndIndex: 0,
  eth_getUncleCountByBlockNumber: 0,
  debug_getRawBlock: 0,
  debug_getRawHeader: 0,
  debug_getRawReceipts: 0,
  debug_traceBlockByHash: 0,
  debug_traceBlockByNumber: 0,
  trace_block: 0,
  trace_replayBlockTransactions: 0,
  ots_getBlockDetails: 0,
  ots_getBlockTransactions: 0,
}
/** Those that take its hash there, too. */
const TAKES_HASH: ReadonlySet<string> = new Set([
  'eth_getBlockReceipts',
  'debug_getRawBlock',
  'debug_getRawHeader',
  'debug_getRawReceipts',
  'debug_traceBlockByHash',
  'trace_block',
  'trace_replayBlockTransactions',
])
/** Methods about states before the fork; the fork's own block is here, and proven. */
const BY_STATE: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
  trace_call: 2,
  trace_callMany: 1,
}
/** Methods about something by its hash, of which a null is asked of the other chain as well. */
const BY_HASH: ReadonlySet<string> = new Set([
  'eth_getBlockByHash',
  'eth_getBlockTransactionCountByHash',
  'eth_getHeaderByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getRawTransactionByHash',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleCountByBlockHash',
  'ots_getBlockDetailsByHash',
])

/** Methods about a transaction by its hash that refuse an unknown one. */
const BY_TRANSACTION: ReadonlySet<string> = new Set([
  'debug_getRawTransaction',
  'debug_traceTransaction',
  'trace_get',
  'trace_replayTransaction',
  'trace_transaction',
  'ots_getInternalOperations',
  'ots_getTransactionError',
  'ots_traceTransaction',
])

/** Methods of explorers, some of which look through blocks from before and after the fork. */
const EXPLORERS = /^(?:trace_filter$|ots_)/

/**
 * Answers a call about what was before the fork, as the endpoint says it: unchanged, with every field and every type of
 * transaction that it has, and not proven.
 *
 * @param local - Answers it from this chain.
 * @throws {ForkError}
 */
export async function answerWithHistory(
  fork: Fork,
  deps: HistoryDeps,
  name: string,
  args: readonly unknown[],
  local: Local,
): Promise<unknown> {
  const forkedAt = fork.header.header.number
  const ask = (method: string, params: readonly unknown[]) => askFor(fork, method, params)
  const place = BY_BLOCK[name] ?? BY_STATE[name]
  if (place !== undefined && place < args.length) {
    const hash = name in BY_STATE || TAKES_HASH.has(name) ? hashIn(args[place]) : undefined
    const number = hash === undefined ? numberOf(args[place], deps) : ownNumberOf(hash, deps)
    const isOfState = name in BY_STATE
    const isOwn = number !== undefined && (number > forkedAt || (isOfState && number === forkedAt))
    if (hash !== undefined) return isOwn ? local(args) : ask(name, args)
    return number === undefined || isOwn ? local(args) : ask(name, args.with(place, toQuantity(number)))
  }
  if (name === 'eth_getLogs') {
    const [filter] = args
    if (typeof filter !== 'object' || filter === null) return local(args)
    return joinLogs(fork, deps, filter, (fromBlock) =>
      local(fromBlock === undefined ? args : [{ ...filter, fromBlock: toQuantity(fromBlock) }]),
    )
  }
  if (name === 'eth_feeHistory' && args.length > 1) {
    const newest = numberOf(args[1], deps)
    if (newest !== undefined && newest <= forkedAt) return ask(name, args.with(1, toQuantity(newest)))
    return joinFeeHistory(fork, args, (await local(args)) as RpcFeeHistory)
  }
  if (BY_TRANSACTION.has(name)) {
    const hash = hashIn(args[0]) as Hash | undefined
    const isOwn = hash === undefined || deps.isPooled(hash) || deps.chain.findTransaction(hash) !== undefined
    return isOwn ? local(args) : ask(name, args)
  }
  // Few ask for these.
  const join = EXPLORERS.test(name) ? (await import('./explorer-history.ts')).JOINED[name] : undefined
  if (join) return join(fork, args, { own: local, ask, numberOf: (ref) => numberOf(ref, deps) })
  if (!BY_HASH.has(name)) return local(args)
  const [hash] = args
  // What stands here for the fork's own block is only its header.
  const isForked = typeof hash === 'string' && hash.toLowerCase() === fork.header.hash
  const found = isForked ? null : await local(args)
  // A transaction that is not there has no bytes.
  const isMissing = found === null || (name === 'eth_getRawTransactionByHash' && found === '0x')
  return isMissing && typeof hash === 'string' && !deps.isPooled(hash) ? ask(name, args) : found
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
): Promise<readonly unknown[]> {
  const forkedAt = fork.header.header.number
  const ask = (asked: object) => askFor(fork, 'eth_getLogs', [asked]) as Promise<readonly unknown[] | null>
  const own = (fromBlock?: number) => local(fromBlock) as Promise<readonly unknown[]>
  const { fromBlock, toBlock, blockHash } = filter as Readonly<Record<string, unknown>>
  if (blockHash !== undefined && blockHash !== null) {
    const isOwn = typeof blockHash !== 'string' || (ownNumberOf(blockHash, deps) ?? 0) > forkedAt
    return isOwn ? own() : ((await ask(filter)) ?? [])
  }
  const from = numberOf(fromBlock ?? 'latest', deps)
  const to = numberOf(toBlock ?? 'latest', deps)
  if (from === undefined || from > forkedAt) return own()
  if (to !== undefined && to < from) return own()
  const isOver = to !== undefined && to <= forkedAt
  const before = ask({ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(isOver ? to : forkedAt) })
  // A new head may come between the two; the range that was asked for is the one that is answered.
  const [older, newer] = await Promise.all([before, isOver ? [] : own(forkedAt + 1)])
  return [...(older ?? []), ...newer]
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
  return chain.blockByHash(hash.toLowerCase() as Hash)?.header.number
}

/**
 * Asks the endpoint, once. What it says is passed on as it is, if it is of the kind that the method answers.
 *
 * @throws {ForkError}
 */
async function askFor({ answers, header, remote }: Fork, method: string, params: readonly unknown[]): Promise<unknown> {
  const shape = SHAPES[method] ?? 'object'
  const forkedAt = header.header.number
  const kept = answers.find(method, params)
  if (kept !== undefined && isOf(shape, kept) && !mayChange(kept, forkedAt)) return kept
  const answer = await remote.ask(method, params)
  if (answer === null || isOf(shape, answer)) {
    // Bytes of a transaction that is not there.
    const isNothing = answer === '0x' && method.includes('RawTransaction')
    if (!isNothing && !mayChange(answer, forkedAt)) answers.put(method, params, answer)
    return answer
  }
  throw new ForkError(`${remote.name} answers ${method} with what is no ${shape === 'text' ? 'hex' : shape}`)
}

/**
 * Whether the endpoint may say something else later: what is about a transaction that is in no block yet, or about a block
 * after the fork's, which may be reorganised.
 */
function mayChange(answer: unknown, forkedAt: number): boolean {
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  return items.some((item) => {
    if (typeof item !== 'object' || item === null) return false
    const { number, blockNumber = number } = item as Readonly<Record<string, unknown>>
    return blockNumber === null || Number(blockNumber) > forkedAt
  })
}

function isOf(shape: Shape, answer: unknown): boolean {
  if (shape === 'text') return typeof answer === 'string' && answer.startsWith('0x')
  if (shape === 'list') return Array.isArray(answer) && answer.every((each) => each !== null && each !== undefined)
  return typeof answer === 'object' && !Array.isArray(answer)
}

/** The number of the block that a caller names; `undefined` for the live one, and for what is no block. */
function numberOf(ref: unknown, { chain, safeDistance, finalizedDistance }: HistoryDeps): number | undefined {
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
      return numberOf(blockNumber, { chain, safeDistance, finalizedDistance, isPooled: () => false })
    }
  }
  if (typeof ref === 'string' && /^0x[0-9a-f]{1,13}$/i.test(ref)) return Number(ref)
  return undefined
}
