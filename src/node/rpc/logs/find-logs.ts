import { invariant } from '#primitives/invariant.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { createPacer, ExecutionTimeoutError } from '../../evm/pacer.ts'
import type { Block } from '../../payload/block.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'
import { formatLog } from '../format/receipt.ts'
import type { BlockByNumber } from '../params/block-params.ts'
import type { LogQuery } from '../params/log-filter-params.ts'
import { requireBlock } from '../resolve-block.ts'
import { beyondHead, invalidRange } from './log-range.ts'
import { createLogSelector, selectTransactionLogs } from './log-selector.ts'

/** Blocks of one query. */
export const MAX_BLOCK_RANGE = 100_000
/** Logs of one answer, unless they are all of one block, which nobody can ask for in parts. */
export const MAX_LOGS = 20_000

type LogContext = Pick<NodeContext, 'chain' | 'spec' | 'clock'>

/**
 * The logs that a query selects, oldest first: what the chain had when it was asked, however long it takes.
 *
 * @throws {RpcRefusedError} `invalid-params` for a range that is none, ends in a block that there is not, is too long or
 * has too many logs, `server` for an unknown block hash or when the time is up.
 */
export async function findLogs(context: LogContext, query: LogQuery): Promise<readonly RpcLog[]> {
  const blocks = blocksOf(context, query)
  const selector = createLogSelector(query)
  const pacer = createPacer(context.clock, context.spec.callTimeoutMs)
  const found: RpcLog[] = []
  try {
    for (const block of blocks) {
      const pause = pacer.checkpoint()
      if (pause) await pause
      if (!selector.mayMatch(block.header)) continue
      for (const included of block.transactions) {
        for (const placed of selectTransactionLogs(block, included, selector)) found.push(formatLog(placed, false))
        if (found.length > MAX_LOGS && blocks.length > 1) {
          throw new RpcRefusedError('invalid-params', `query exceeds max results ${MAX_LOGS}`)
        }
        const pauseWithin = pacer.checkpoint()
        if (pauseWithin) await pauseWithin
      }
    }
  } catch (error) {
    if (!(error instanceof ExecutionTimeoutError)) throw error
    throw new RpcRefusedError('server', 'query timeout exceeded', { cause: error })
  }
  return found
}

/** Taken all at once, so that a seal or a reorg while the query runs neither doubles nor loses a log. */
function blocksOf(context: LogContext, { blockHash, fromBlock = 'latest', toBlock = 'latest' }: LogQuery) {
  const { chain } = context
  if (blockHash !== undefined) {
    const block = chain.blockByHash(blockHash)
    if (!block) throw new RpcRefusedError('server', 'unknown block')
    return [block]
  }
  const numberOf = (ref: BlockByNumber) => (typeof ref === 'number' ? ref : requireBlock(context, ref).header.number)
  const [from, last] = [numberOf(fromBlock), numberOf(toBlock)]
  const [live, head] = [chain.pending(), chain.head().header.number]
  const withLive = toBlock === 'pending'
  if (fromBlock === 'pending' && !withLive) throw invalidRange()
  if (typeof fromBlock === 'number' && typeof toBlock === 'number' && from > last) throw invalidRange()
  // A block that there is not must not look like a block without logs.
  if (Math.max(from, last) > (withLive ? live.header.number : head)) throw beyondHead()
  if (from > last) throw invalidRange()
  if (last - from + 1 > MAX_BLOCK_RANGE) {
    throw new RpcRefusedError('invalid-params', `query exceeds max block range ${MAX_BLOCK_RANGE}`)
  }
  const to = withLive ? head : last
  const blocks: Block[] = []
  for (let number = from; number <= to; number++) {
    const block = chain.blockByNumber(number)
    invariant(block, `block ${number} is missing below the head`)
    blocks.push(block)
  }
  if (withLive) blocks.push(live)
  return blocks
}
