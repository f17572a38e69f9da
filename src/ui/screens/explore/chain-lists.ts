import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, type Quantity, toQuantity } from '#primitives/hex.ts'
import type {
  RpcListedBlock,
  RpcListedTransaction,
  RpcListPlace,
  RpcListRange,
  RpcTransactionFilter,
} from '#rpc-types/chain-lists.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { ListPlace } from './list-place.ts'
import { PAGE_SIZE, type Page } from './list-state.ts'
import type { BlockRange, MethodChoice } from './resolve.ts'

/** A block in the list. */
export interface BlockItem {
  readonly number: number
  readonly hash: Hash
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFeePerGas: bigint
  readonly count: number
  /** How many of its transactions failed; `undefined` if the endpoint does not say. */
  readonly failed: number | undefined
  /** How many transactions each partial block added; `undefined` if the endpoint does not say. */
  readonly partials: readonly number[] | undefined
}

export interface BlockWishes {
  /** Only blocks with transactions, or only those without. */
  readonly hasTransactions: boolean | undefined
  readonly range: BlockRange | undefined
}

/** A transaction in the list. */
export interface TransactionItem {
  readonly hash: Hash
  readonly blockNumber: number
  readonly index: number
  readonly partialIndex: number | undefined
  /** Seconds since the Unix epoch. */
  readonly timestamp: number | undefined
  readonly from: Address
  readonly to: Address | null
  readonly value: bigint
  /** At least its first 4 bytes. */
  readonly input: Hex
  /** `undefined` if the endpoint was not asked. */
  readonly outcome: 'success' | 'reverted' | undefined
  readonly gasUsed: bigint | undefined
}

export interface TransactionWishes {
  readonly from: Address | undefined
  readonly to: Address | undefined
  readonly method: MethodChoice | undefined
  readonly state: 'preconfirmed' | 'sealed' | 'failed' | undefined
  readonly range: BlockRange | undefined
}

export interface LogWishes {
  readonly address: Address | undefined
  readonly topics: readonly Hash[] | undefined
  readonly word: Hash | undefined
  readonly range: BlockRange | undefined
}

/** How a chain is listed. */
export interface ChainLists {
  readonly blocks: (wishes: BlockWishes, before: ListPlace | undefined) => Promise<Page<BlockItem>>
  readonly transactions: (wishes: TransactionWishes, before: ListPlace | undefined) => Promise<Page<TransactionItem>>
  readonly logs: (wishes: LogWishes, before: ListPlace | undefined) => Promise<Page<RpcLog>>
}

/** Lists of a chain with Blinknet's own methods: one call for each page. */
export function listsOf(provider: BlinknetProvider): ChainLists {
  return {
    async blocks({ hasTransactions, range }, before) {
      const filter = { ...rangeOf(range), ...(hasTransactions !== undefined && { hasTransactions }) }
      const from = before && ([toQuantity(before.block), PAGE_SIZE] as const)
      const { blocks, next } = await provider.request({
        method: 'devnet_listBlocks',
        params: from ? [filter, ...from] : [filter],
      })
      return { items: blocks.map(blockItem), next: next === null ? null : { block: Number(next), index: undefined } }
    },
    async transactions(wishes, before) {
      const filter = transactionFilter(wishes)
      const { transactions, next } = await provider.request({
        method: 'devnet_listTransactions',
        params: before ? [filter, placeAt(before), PAGE_SIZE] : [filter],
      })
      return { items: transactions.map(transactionItem), next: next && placeFrom(next) }
    },
    async logs({ address, topics, word, range }, before) {
      const filter = {
        ...rangeOf(range),
        ...(address && { address }),
        ...(topics && { topics: [topics] }),
        ...(word && { word }),
      }
      const { logs, next } = await provider.request({
        method: 'devnet_listLogs',
        params: before ? [filter, placeAt(before), PAGE_SIZE] : [filter],
      })
      return { items: logs, next: next && placeFrom(next) }
    },
  }
}

function rangeOf(range: BlockRange | undefined): RpcListRange {
  return {
    ...(range?.from !== undefined && { fromBlock: toQuantity(range.from) }),
    ...(range?.to !== undefined && { toBlock: toQuantity(range.to) }),
  }
}

function transactionFilter({ from, to, method, state, range }: TransactionWishes): RpcTransactionFilter {
  return {
    ...rangeOf(range),
    ...(from && { from }),
    ...(to && { to }),
    ...(method && ('creates' in method ? { to: null } : { selector: method.selectors })),
    ...(state === 'failed' && { status: 'failed' as const }),
    ...((state === 'sealed' || state === 'preconfirmed') && { isSealed: state === 'sealed' }),
  }
}

function placeAt({ block, index }: ListPlace): RpcListPlace {
  return { blockNumber: toQuantity(block), ...(index !== undefined && { index: toQuantity(index) }) }
}

function placeFrom({ blockNumber, index }: RpcListPlace): ListPlace {
  return { block: Number(blockNumber), index: index === undefined ? undefined : Number(index) }
}

function blockItem(block: RpcListedBlock): BlockItem {
  return {
    ...numbersOf(block),
    hash: block.hash,
    count: block.transactionsByPartial.reduce((sum, added) => sum + added, 0),
    failed: block.failed,
    partials: block.transactionsByPartial,
  }
}

/** The numbers of a block, which every endpoint says. */
export function numbersOf(block: {
  readonly number: Quantity
  readonly timestamp: Quantity
  readonly gasUsed: Quantity
  readonly gasLimit: Quantity
  readonly baseFeePerGas: Quantity
}): Pick<BlockItem, 'number' | 'timestamp' | 'gasUsed' | 'gasLimit' | 'baseFeePerGas'> {
  return {
    number: Number(block.number),
    timestamp: Number(block.timestamp),
    gasUsed: BigInt(block.gasUsed),
    gasLimit: BigInt(block.gasLimit),
    baseFeePerGas: BigInt(block.baseFeePerGas),
  }
}

function transactionItem(tx: RpcListedTransaction): TransactionItem {
  return {
    hash: tx.hash,
    blockNumber: Number(tx.blockNumber),
    index: Number(tx.transactionIndex),
    partialIndex: tx.partialIndex,
    timestamp: Number(tx.timestamp),
    from: tx.from,
    to: tx.to,
    value: BigInt(tx.value),
    input: tx.input,
    outcome: tx.status === '0x1' ? 'success' : 'reverted',
    gasUsed: BigInt(tx.gasUsed),
  }
}
