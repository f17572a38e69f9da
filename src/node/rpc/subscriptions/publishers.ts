import type { Hash } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { NewHeads } from '#rpc-types/connection.ts'
import type { SubscriptionKind } from '#rpc-types/subscriptions.ts'
import { quote } from '../../spec/parse-option.ts'
import { RpcRefusedError } from '../errors.ts'
import { countCriteria, type LogFilter, type LogQuery, logFilter, logQuery } from '../logs/log-filter-params.ts'
import { createLogSelector, liveRange } from '../logs/log-selector.ts'
import { parseHash } from '../params/hex-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError, readParams } from '../params/param.ts'
import { boolean } from '../params/plain-params.ts'
import type { AcceptedTexts, PartialTexts, RemovedTexts, SealTexts } from './event-texts.ts'
import { FlashblockSequence } from './flashblocks.ts'

/** Turns each event into the notifications of one subscription, as JSON texts. */
export interface Publisher {
  /** Number of addresses and topics it matches. */
  readonly criteria?: number
  partial?(texts: PartialTexts): readonly string[]
  seal?(texts: SealTexts): readonly string[]
  unconfirmed?(texts: RemovedTexts): readonly string[]
  reorg?(texts: RemovedTexts): readonly string[]
  accepted?(texts: AcceptedTexts): readonly string[]
  console?(text: string): readonly string[]
}

const EVERY_LOG: LogQuery = {
  addresses: [],
  topics: [],
  blockHash: undefined,
  fromBlock: undefined,
  toBlock: undefined,
}

/** Opens a publisher; takes the parameters after the kind, and what `newHeads` sends. */
type OpenPublisher = (params: readonly unknown[], heads?: NewHeads) => Publisher

/** Does not compile while a kind of the contract is missing. */
const PUBLISHERS: Readonly<Record<SubscriptionKind, OpenPublisher>> = {
  newPartialBlockTransactions: definePublisher(transactionMode(), openPartialBlockTransactions),
  newPartialBlocks: definePublisher(partialBlockMode(), openPartialBlocks),
  newHeads: (params, heads) => {
    readParams([], params, 1)
    return openNewHeads(heads)
  },
  logs: definePublisher(optional(logQuery, EVERY_LOG), openLogs),
  pendingLogs: definePublisher(optional(logQuery, EVERY_LOG), openPendingLogs),
  newPendingTransactions: definePublisher(optional(boolean, false), (full) => ({
    accepted: (texts) => [full ? texts.transaction() : texts.hash()],
  })),
  transactionReceipts: definePublisher(receiptQuery(), openTransactionReceipts),
  syncing: (params) => {
    readParams([], params, 1)
    return {}
  },
  consoleLogs: (params) => {
    readParams([], params, 1)
    return { console: (text) => [text] }
  },
  newFlashblockTransactions: definePublisher(transactionMode(), openPartialBlockTransactions),
  newFlashblocks: (params) => {
    readParams([], params, 1)
    return openPartialBlocks('block')
  },
}

const publishers: ReadonlyMap<string, OpenPublisher> = new Map(Object.entries(PUBLISHERS))

/**
 * The publisher of one subscription.
 *
 * @param params - The parameters after the kind.
 * @param heads - What `newHeads` sends; default `sealed`.
 * @throws {RpcRefusedError} `method-not-found` for an unknown kind, `invalid-params` for its parameters.
 */
export function openPublisher(kind: string, params: readonly unknown[], heads?: NewHeads): Publisher {
  const open = publishers.get(kind)
  if (!open) throw new RpcRefusedError('method-not-found', `no ${quote(kind)} subscription in eth namespace`)
  return open(params, heads)
}

/** A kind with one parameter; the kind itself is argument 0. */
function definePublisher<Value>(param: Param<Value>, open: (value: Value) => Publisher): OpenPublisher {
  return (params) => open(readParams([param], params, 1)[0] as Value)
}

/** @param heads - For `partial`, a block that is sealed has been sent with its last partial block, but for one that comes back. */
function openNewHeads(heads: NewHeads = 'sealed'): Publisher {
  if (heads === 'sealed') return { seal: (texts) => [texts.header()] }
  return {
    partial: (texts) => [texts.header()],
    seal: (texts) => (texts.restored ? [texts.header()] : []),
  }
}

/** Logs of sealed blocks, and again as removed when blocks are reverted. */
function openLogs(query: LogQuery): Publisher {
  const range = liveRange(query)
  if (range.preconfirmed) throw new RpcRefusedError('invalid-params', 'pending logs are not supported')
  const selector = createLogSelector(query, range)
  return {
    criteria: countCriteria(query),
    seal: (texts) => texts.logs(selector),
    reorg: (texts) => texts.logs(selector),
  }
}

/**
 * Logs as soon as they are pre-confirmed, even if the range ends at `latest`, and again as removed when they are
 * withdrawn.
 */
function openPendingLogs(query: LogQuery): Publisher {
  const selector = createLogSelector(query, liveRange(query))
  const removed = (texts: RemovedTexts) => texts.logs(selector)
  return {
    criteria: countCriteria(query),
    partial: (texts) => texts.logs(selector),
    // A restored log was pre-confirmed before, and withdrawn.
    seal: (texts) => (texts.restored ? texts.logs(selector) : []),
    unconfirmed: removed,
    reorg: removed,
  }
}

function transactionMode(): Param<boolean | LogFilter> {
  return optional({ parse: (value) => (isObject(value) ? logFilter.parse(value) : boolean.parse(value)) }, false)
}

/** With a filter: transactions with a matching log, including all of their logs. */
function openPartialBlockTransactions(mode: boolean | LogFilter): Publisher {
  if (mode === false) return { partial: (texts) => texts.hashes() }
  if (mode === true) return { partial: (texts) => texts.transactions() }
  return { criteria: countCriteria(mode), partial: (texts) => texts.transactionsMatching(mode) }
}

/** Most hashes of one subscription, as in geth. */
const MAX_RECEIPTS = 200

/** The hashes of the wanted transactions; `undefined` for all. */
function receiptQuery(): Param<ReadonlySet<Hash> | undefined> {
  return optional(
    {
      parse(value) {
        if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type filters.TransactionReceiptsQuery')
        const hashes = value['transactionHashes'] ?? []
        if (!Array.isArray(hashes)) {
          const field = 'struct field TransactionReceiptsQuery.transactionHashes of type []common.Hash'
          throw cannotUnmarshal(jsonType(hashes), field)
        }
        if (hashes.length > MAX_RECEIPTS) {
          const limit = `exceed max number of transaction hashes allowed per transactionReceipts subscription`
          throw new ParamError(`${limit} (${MAX_RECEIPTS})`)
        }
        const wanted = hashes.map((each) => parseHash(each, 'TransactionReceiptsQuery.transactionHashes'))
        return wanted.length === 0 ? undefined : new Set(wanted)
      },
    },
    undefined,
  )
}

/** One notification for each partial block and each sealed block that has some of them. */
function openTransactionReceipts(wanted: ReadonlySet<Hash> | undefined): Publisher {
  const select = (texts: ReadonlyMap<Hash, string>) => {
    const found = wanted
      ? [...wanted].map((each) => texts.get(each)).filter((text) => text !== undefined)
      : [...texts.values()]
    return found.length === 0 ? [] : [`[${found.join(',')}]`]
  }
  return {
    criteria: wanted?.size ?? 0,
    partial: (texts) => select(texts.receipts()),
    seal: (texts) => select(texts.receipts()),
  }
}

type PartialBlockMode = 'diff' | 'block' | 'flashblock'

function partialBlockMode(): Param<PartialBlockMode> {
  return optional(
    {
      parse(value) {
        if (value === 'diff' || value === 'block' || value === 'flashblock') return value
        throw new ParamError(`unknown mode ${quote(value)}, want "diff", "block" or "flashblock"`)
      },
    },
    'diff',
  )
}

function openPartialBlocks(mode: PartialBlockMode): Publisher {
  if (mode === 'block') return { partial: (texts) => [texts.block()] }
  if (mode === 'flashblock') {
    const sequence = new FlashblockSequence()
    return { partial: (texts) => [texts.flashblock(sequence)] }
  }
  let first = true
  return {
    partial(texts) {
      const text = first ? texts.firstDiff() : texts.diff()
      first = false
      return [text]
    },
  }
}
