import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { Block, Log } from '../../payload/block.ts'
import { listOfTexts } from '../../turns/json-texts.ts'
import { searchBlocks } from '../caller-guard.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'
import { formatLog } from '../format/receipt.ts'
import type { BlockByNumber } from '../params/block-params.ts'
import { type BlockContext, pendingBlock, requireStateBlock } from '../params/block-params.ts'
import type { LogQuery } from './log-filter-params.ts'
import { beyondHead, createLogSelector, invalidRange, type LogSelector, logsOfBlock } from './log-selector.ts'

/** Most blocks per query. */
export const MAX_BLOCK_RANGE = 100_000
/** Most characters of logs per answer: four answers at a time must stay well below a process's memory. */
export const MAX_LOG_CHARACTERS = 64 * 1024 * 1024
/** Characters of a log's JSON without its topics and its data. */
const LOG_CHARACTERS = 450
/** Characters of a topic. */
const TOPIC_CHARACTERS = 69
const LOGS_PER_TEXT = 64

/** Upper bound for the length of a log's JSON. */
export const charactersOf = ({ topics, data }: Log) =>
  LOG_CHARACTERS + TOPIC_CHARACTERS * topics.length + 2 * data.length

type LogContext = BlockContext & Pick<NodeContext, 'clock'> & { readonly caller: Caller }

/**
 * The logs selected by a query, oldest first, as of the moment of the call, however long it takes.
 *
 * @throws {RpcRefusedError} `invalid-params` for a range that is reversed, ends in a block that does not exist, is too
 * long or has too much in its logs, `server` for an unknown block hash or when the time is up.
 */
export async function findLogs(context: LogContext, query: LogQuery): Promise<readonly RpcLog[]> {
  const found: RpcLog[] = []
  await eachLog(context, query, (log) => found.push(log))
  return found
}

/** As {@link findLogs}, but a {@link listOfTexts}: as objects, many logs would take several times the memory. For answers only. */
export async function findLogTexts(context: LogContext, query: LogQuery): Promise<readonly RpcLog[]> {
  const texts: string[] = []
  let newest: RpcLog[] = []
  const write = () => {
    if (newest.length > 0) texts.push(JSON.stringify(newest).slice(1, -1))
    newest = []
  }
  await eachLog(context, query, (log) => {
    newest.push(log)
    if (newest.length === LOGS_PER_TEXT) write()
  })
  write()
  return listOfTexts(texts)
}

async function eachLog(context: LogContext, query: LogQuery, take: (log: RpcLog) => void): Promise<void> {
  const selector = createLogSelector(query)
  const blocks = blocksWithLogs(context, query, selector)
  let characters = 0
  await searchBlocks(context, async (guard) => {
    for (const block of blocks) {
      const pause = guard.checkpoint()
      if (pause) await pause
      if (!selector.mayHaveLogs(block)) continue
      for (const logs of logsOfBlock(block, selector)) {
        for (const placed of logs) {
          characters += charactersOf(placed.log)
          if (characters > MAX_LOG_CHARACTERS) throw tooLarge()
          take(formatLog(placed, false))
        }
        const pauseWithin = guard.checkpoint()
        if (pauseWithin) await pauseWithin
      }
    }
  })
}

function tooLarge(): RpcRefusedError {
  const limit = `query exceeds max size: its logs have over ${MAX_LOG_CHARACTERS} characters`
  return new RpcRefusedError('invalid-params', `${limit}, ask for fewer blocks, addresses or topics`)
}

/** The blocks of a query that may have selected logs, oldest first; collected at once, as {@link blocksOf}. */
function blocksWithLogs(context: BlockContext, query: LogQuery, { query: bloom }: LogSelector): readonly Block[] {
  const range = rangeOf(context, query)
  if ('block' in range) return [range.block]
  const { from, last, live } = range
  const sealed = context.chain.blocksWithLogs(from, live ? last - 1 : last, bloom)
  return live ? [...sealed, live] : sealed
}

/** Blocks of a query: one that it names, or all from one number to another, of which the last may be live. */
type QueriedBlocks =
  | { readonly block: Block }
  | { readonly from: number; readonly last: number; readonly live: Block | undefined }

/**
 * The blocks of a query, collected at once, so that a seal or a reorg during the query neither repeats nor loses one.
 */
export function blocksOf(context: BlockContext, query: RangeQuery): readonly Block[] {
  const range = rangeOf(context, query)
  if ('block' in range) return [range.block]
  const { from, last, live } = range
  const blocks: Block[] = []
  for (let number = from; number <= last; number++) {
    const block = live && number === last ? live : context.chain.blockByNumber(number)
    invariant(block, `block ${number} is missing below the head`)
    blocks.push(block)
  }
  return blocks
}

type RangeQuery = { readonly blockHash?: Hash | undefined } & Pick<LogQuery, 'fromBlock' | 'toBlock'>

/**
 * What a query names.
 *
 * The live block is among them if the range ends at `pending`, at the live block's number, which receipts name, or at
 * `latest` where that is read as pre-confirmed; and if it goes from the live block's number to `latest`.
 */
function rangeOf(
  context: BlockContext,
  { blockHash, fromBlock = 'latest', toBlock = 'latest' }: RangeQuery,
): QueriedBlocks {
  const { chain } = context
  if (blockHash !== undefined) {
    const block = chain.blockByHash(blockHash)
    if (!block) throw new RpcRefusedError('server', 'unknown block')
    return { block }
  }
  const numberOf = (ref: BlockByNumber) =>
    typeof ref === 'number' ? ref : requireStateBlock(context, ref).header.number
  const from = numberOf(fromBlock)
  const live = fromBlock === 'pending' || toBlock === 'pending' ? pendingBlock(context) : chain.pending()
  const last = toBlock === 'latest' && fromBlock === live.header.number ? fromBlock : numberOf(toBlock)
  const withLive = last === live.header.number
  if (fromBlock === 'pending' && !withLive) throw invalidRange()
  if (typeof fromBlock === 'number' && typeof toBlock === 'number' && from > last) throw invalidRange()
  // A missing block must not look like a block without logs.
  if (Math.max(from, last) > (withLive ? last : chain.head().header.number)) throw beyondHead()
  if (from > last) throw invalidRange()
  if (last - from + 1 > MAX_BLOCK_RANGE) {
    throw new RpcRefusedError('invalid-params', `query exceeds max block range ${MAX_BLOCK_RANGE}`)
  }
  const first = chain.first().header.number
  if (from < first) {
    throw new RpcRefusedError('invalid-params', `this fork begins at block ${first}`)
  }
  return { from, last, live: withLive ? live : undefined }
}
