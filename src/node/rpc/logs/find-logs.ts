import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { Block, Log } from '../../payload/block.ts'
import { searchBlocks } from '../caller-guard.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'
import { formatLog } from '../format/receipt.ts'
import type { BlockByNumber } from '../params/block-params.ts'
import { type BlockContext, pendingBlock, requireStateBlock } from '../params/block-params.ts'
import type { LogQuery } from './log-filter-params.ts'
import { beyondHead, createLogSelector, invalidRange, selectTransactionLogs } from './log-selector.ts'

/** Most blocks per query. */
export const MAX_BLOCK_RANGE = 100_000
/** Most logs per answer, except if they are all in one block, which cannot be split. */
export const MAX_LOGS = 20_000

/** Most characters of logs per answer: four answers at a time must stay well below a process's memory. */
export const MAX_LOG_CHARACTERS = 64 * 1024 * 1024
/** Characters of a log's JSON without its data. */
const LOG_CHARACTERS = 1_000

/** Upper bound for the length of a log's JSON. */
export const charactersOf = ({ data }: Log) => LOG_CHARACTERS + 2 * data.length

type LogContext = BlockContext & Pick<NodeContext, 'clock'> & { readonly caller: Caller }

/**
 * The logs selected by a query, oldest first, as of the moment of the call, however long it takes.
 *
 * @throws {RpcRefusedError} `invalid-params` for a range that is reversed, ends in a block that does not exist, is too
 * long or has too many logs, `server` for an unknown block hash or when the time is up.
 */
export async function findLogs(context: LogContext, query: LogQuery): Promise<readonly RpcLog[]> {
  const blocks = blocksOf(context, query)
  const selector = createLogSelector(query)
  const found: RpcLog[] = []
  let characters = 0
  return searchBlocks(context, async (guard) => {
    for (const block of blocks) {
      const pause = guard.checkpoint()
      if (pause) await pause
      if (!selector.mayMatch(block.header)) continue
      for (const included of block.transactions) {
        for (const placed of selectTransactionLogs(block, included, selector)) {
          characters += charactersOf(placed.log)
          if (characters > MAX_LOG_CHARACTERS) throw tooLarge()
          found.push(formatLog(placed, false))
        }
        if (found.length > MAX_LOGS && blocks.length > 1) {
          throw new RpcRefusedError('invalid-params', `query exceeds max results ${MAX_LOGS}`)
        }
        const pauseWithin = guard.checkpoint()
        if (pauseWithin) await pauseWithin
      }
    }
    return found
  })
}

function tooLarge(): RpcRefusedError {
  const limit = `query exceeds max size: its logs have over ${MAX_LOG_CHARACTERS} characters`
  return new RpcRefusedError('invalid-params', `${limit}, ask for fewer blocks, addresses or topics`)
}

/**
 * The blocks of a query, collected at once, so that a seal or a reorg during the query neither repeats nor loses one.
 *
 * The live block is among them if the range ends at `pending`, at the live block's number, which receipts name, or at
 * `latest` where that is read as pre-confirmed; and if it goes from the live block's number to `latest`.
 */
export function blocksOf(
  context: BlockContext,
  {
    blockHash,
    fromBlock = 'latest',
    toBlock = 'latest',
  }: { readonly blockHash?: Hash | undefined } & Pick<LogQuery, 'fromBlock' | 'toBlock'>,
): readonly Block[] {
  const { chain } = context
  if (blockHash !== undefined) {
    const block = chain.blockByHash(blockHash)
    if (!block) throw new RpcRefusedError('server', 'unknown block')
    return [block]
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
  const blocks: Block[] = []
  for (let number = from; number <= last; number++) {
    const block = withLive && number === last ? live : chain.blockByNumber(number)
    invariant(block, `block ${number} is missing below the head`)
    blocks.push(block)
  }
  return blocks
}
