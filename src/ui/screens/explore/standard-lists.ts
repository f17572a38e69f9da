import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Quantity, toQuantity } from '#primitives/hex.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { type ChainLists, numbersOf, type TransactionItem, type TransactionWishes } from './chain-lists.ts'
import { type ItemPlace, isBefore, type ListPlace } from './list-place.ts'
import { PAGE_SIZE } from './list-state.ts'
import type { BlockRange } from './resolve.ts'

/** Blocks whose headers one page reads, at most this many at a time. */
const HEADERS = 20
/** Blocks whose transactions one page reads. */
const BODIES = 10
/** Blocks whose logs one call asks for; public endpoints refuse longer ranges. */
const LOG_BLOCKS = 1_000

interface NamedBlock {
  readonly block: RpcBlock<RpcTransaction>
  readonly tag: Quantity | 'pending'
}

/** Lists of a chain that has only the methods that every chain has: each page reads some blocks, and is filtered here. */
export function standardListsOf(provider: BlinknetProvider, hasPending: boolean): ChainLists {
  /** The newest block, which is pending where there are pending ones, when the chain was last asked. */
  let head = -1

  /** Numbers of the newest block to read and of the oldest. */
  async function endsOf(before: ListPlace | undefined, range: BlockRange | undefined, size: number) {
    // A place beyond it can only be from a link: below it there may be more empty numbers than anybody can search.
    if (before === undefined || before.block > head) {
      head = Number(await provider.request({ method: 'eth_blockNumber' })) + (hasPending ? 1 : 0)
    }
    const top = Math.min(head, before?.block ?? head)
    const newest = Math.min(top, range?.to ?? top)
    const lowest = range?.from ?? 0
    const oldest = Math.max(newest - size + 1, lowest)
    const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, i) => newest - i)
    return {
      isHead: newest === head,
      newest,
      oldest,
      numbers,
      next: oldest > lowest ? { block: oldest - 1, index: undefined } : null,
    }
  }

  /** A block by its number, and how it is called: the pending one where no sealed one has it. */
  async function blockAt(number: number, full: boolean): Promise<NamedBlock | undefined> {
    const sealed = await provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), full] })
    if (sealed) return { block: sealed as RpcBlock<RpcTransaction>, tag: toQuantity(number) }
    if (!hasPending) return undefined
    const pending = await provider.request({ method: 'eth_getBlockByNumber', params: ['pending', full] })
    return Number(pending?.number) === number
      ? { block: pending as RpcBlock<RpcTransaction>, tag: 'pending' }
      : undefined
  }

  return {
    async blocks({ hasTransactions, range }, before) {
      const { numbers, next } = await endsOf(before, range, HEADERS)
      const blocks = await Promise.all(numbers.map((number) => blockAt(number, false)))
      const items = blocks
        .filter((block) => block !== undefined)
        .map(({ block }) => ({
          ...numbersOf(block),
          hash: block.hash,
          count: block.transactions.length,
          failed: undefined,
          partials: undefined,
        }))
      const wanted = items.filter(({ count }) => hasTransactions === undefined || hasTransactions === count > 0)
      return { items: wanted, next }
    },

    async transactions(wishes, before) {
      const { numbers, next } = await endsOf(before, wishes.range, BODIES)
      const items: TransactionItem[] = []
      for (const number of numbers) {
        const named = await blockAt(number, true)
        if (!named) continue
        const { block, tag } = named
        const own = block.transactions.filter(
          (tx, index) => isWanted(wishes, tx) && (!before || isBefore({ block: number, index }, before)),
        )
        if (own.length === 0 || (wishes.state === 'sealed' && tag === 'pending')) continue
        if (wishes.state === 'preconfirmed' && tag !== 'pending') return { items, next: null }
        const told = await provider.request({ method: 'eth_getBlockReceipts', params: [tag] })
        const receipts = new Map((told ?? []).map((receipt) => [receipt.transactionHash, receipt]))
        for (const tx of own.toReversed()) {
          const item = itemOf(block, tx, receipts.get(tx.hash))
          if (wishes.state !== 'failed' || item.outcome === 'reverted') items.push(item)
        }
        if (items.length >= PAGE_SIZE)
          return { items, next: number > 0 ? { block: number - 1, index: undefined } : null }
      }
      return { items, next }
    },

    async logs({ address, topics, word, range }, before) {
      const { isHead, newest, oldest, numbers, next } = await endsOf(before, range, LOG_BLOCKS)
      if (numbers.length === 0) return { items: [], next: null }
      const query = {
        ...(address && { address }),
        ...(topics && { topics: [topics] }),
        fromBlock: toQuantity(oldest),
        // The pending block has no number yet, where a chain has one.
        toBlock: isHead ? (hasPending ? 'pending' : 'latest') : toQuantity(newest),
      } as const
      const logs = await provider.request({ method: 'eth_getLogs', params: [query] })
      // Another block may have come since the head was asked for.
      const isWithin = ({ block }: ItemPlace) => range?.to === undefined || block <= range.to
      const wanted = logs.filter(
        (log) => hasWord(log, word) && isWithin(placeOfLog(log)) && (!before || isBefore(placeOfLog(log), before)),
      )
      return { items: wanted.toReversed(), next }
    },
  }
}

/** Where a log stands. */
export function placeOfLog({ blockNumber, logIndex }: RpcLog) {
  return { block: Number(blockNumber), index: Number(logIndex) }
}

/** Whether a transaction is from, to and of the method that is looked for. */
export function isWanted(
  { from, to, method }: TransactionWishes,
  tx: Pick<RpcTransaction, 'from' | 'to' | 'input'>,
): boolean {
  if ((from && tx.from !== from) || (to && tx.to !== to)) return false
  if (!method) return true
  return 'creates' in method ? tx.to === null : method.selectors.some((selector) => tx.input.slice(0, 10) === selector)
}

function hasWord({ topics, data }: RpcLog, word: string | undefined): boolean {
  if (word === undefined || topics.some((topic, i) => i > 0 && topic === word)) return true
  const digits = word.slice(2)
  for (let start = 2; start + 64 <= data.length; start += 64) if (data.startsWith(digits, start)) return true
  return false
}

function itemOf(block: RpcBlock<RpcTransaction>, tx: RpcTransaction, receipt: RpcReceipt | undefined): TransactionItem {
  return {
    hash: tx.hash,
    blockNumber: Number(block.number),
    index: Number(tx.transactionIndex),
    partialIndex: undefined,
    timestamp: Number(block.timestamp),
    from: tx.from,
    to: tx.to,
    value: BigInt(tx.value),
    input: tx.input,
    outcome: receipt && (receipt.status === '0x1' ? 'success' : 'reverted'),
    gasUsed: receipt && BigInt(receipt.gasUsed),
  }
}
