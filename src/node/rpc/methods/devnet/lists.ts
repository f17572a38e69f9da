import { type Address, bytesToHex, type Hash, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type {
  RpcAccountPage,
  RpcBlockPage,
  RpcListedBlock,
  RpcListedTransaction,
  RpcListPlace,
  RpcTransactionPage,
} from '#rpc-types/chain-lists.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { delegateOf } from '../../../evm/transactions/authorization.ts'
import type { Block, IncludedTransaction, Log } from '../../../payload/block.ts'
import { mayHold, outcomesOf } from '../../../storage/stored-block.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { formatLog } from '../../format/receipt.ts'
import { charactersOf } from '../../logs/find-logs.ts'
import { createLogSelector, selectTransactionLogs } from '../../logs/log-selector.ts'
import { pendingBlock } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import {
  type AccountFilter,
  accountFilter,
  anyNumber,
  type BlockFilter,
  blockFilter,
  type ListRange,
  listPlace,
  logListFilter,
  type PageEnd,
  type TransactionFilter,
  transactionFilter,
} from './list-params.ts'

/** Most items of one page, and how many there are if a caller does not say. */
const MAX_COUNT = 100
const DEFAULT_COUNT = 50
/** How many blocks, transactions or accounts one call looks at, so that it is answered soon whatever is looked for. */
const MAX_SEARCHED = 10_000
/** Milliseconds after which a page ends with the block or account that was looked at: blocks may be large. */
const MAX_SEARCH_MS = 2_000
/** Selectors that are looked for in the bytes of a block; for more of them, its transactions are decoded. */
const MAX_SELECTORS_IN_BYTES = 4
/** Most characters of a page's logs, beside its first one: contracts may write long ones. */
const MAX_LOG_CHARACTERS = 4 * 1024 * 1024

const count = optional(integerWithin(1, MAX_COUNT), DEFAULT_COUNT)

const ALL_BLOCKS: BlockFilter = { fromBlock: undefined, toBlock: undefined, hasTransactions: undefined }
const ALL_TRANSACTIONS = transactionFilter.parse({})
const ALL_LOGS = logListFilter.parse({})

/** Pages of what the chain has, newest first. */
export const DEVNET_LIST_METHODS = {
  /** With the empty ones, unless the filter says otherwise. */
  devnet_listBlocks: defineMethod(
    [optional(blockFilter, ALL_BLOCKS), optional(anyNumber, undefined), count],
    listBlocks,
    { queue: 'answer' },
  ),

  devnet_listTransactions: defineMethod(
    [optional(transactionFilter, ALL_TRANSACTIONS), optional(listPlace, undefined), count],
    async (context, filter, before, size): Promise<RpcTransactionPage> => {
      const transactions: RpcListedTransaction[] = []
      const next = await walkBack(
        context,
        filter,
        before,
        (block, included) => {
          if (!isWanted(filter, included)) return 'go on'
          transactions.push(formatListed(block, included))
          return transactions.length < size ? 'go on' : 'full'
        },
        mayHave(filter),
      )
      return { transactions, next }
    },
    { queue: 'answer' },
  ),

  /** A page ends with a whole transaction, or within one. */
  devnet_listLogs: defineMethod([optional(logListFilter, ALL_LOGS), optional(listPlace, undefined), count], listLogs, {
    queue: 'answer',
  }),

  /** By the trie: what has the most wei or was used last is not known without reading all. */
  devnet_listAccounts: defineMethod(
    [optional(accountFilter, accountFilter.parse({})), optional(address, undefined), count],
    listAccounts,
    { queue: 'answer', readsPending: true },
  ),
} satisfies Partial<MethodTable>

/** Whether a page has taken its time. */
function timeLimit({ clock }: CallerContext): () => boolean {
  const endMs = clock.now() + MAX_SEARCH_MS
  return () => clock.now() > endMs
}

/**
 * Number of the newest block to look at, and of the oldest. What only waits in the pool is in no list, also while `pending`
 * has it.
 */
function endsOf({ chain }: CallerContext, range: ListRange, from: number | undefined) {
  const live = chain.pending()
  const newest = Math.min(
    live.header.number,
    range.toBlock ?? Number.POSITIVE_INFINITY,
    from ?? Number.POSITIVE_INFINITY,
  )
  const oldest = Math.max(chain.first().header.number, range.fromBlock ?? 0)
  const blockAt = (number: number): Block | undefined =>
    number === live.header.number ? live : chain.blockByNumber(number)
  return { newest, oldest, blockAt }
}

async function listBlocks(
  context: CallerContext,
  filter: BlockFilter,
  from: number | undefined,
  size: number,
): Promise<RpcBlockPage> {
  const guard = guardFor(context)
  const isLate = timeLimit(context)
  const { newest, oldest, blockAt } = endsOf(context, filter, from)
  const blocks: RpcListedBlock[] = []
  let number = newest
  for (let looked = 0; number >= oldest && looked < MAX_SEARCHED && blocks.length < size; looked++, number--) {
    if (looked > 0 && isLate()) break
    const pause = guard.checkpoint()
    if (pause) await pause
    const block = blockAt(number)
    // A reorg has shortened the chain meanwhile.
    if (!block) continue
    const hasTransactions = block.header.gasUsed > 0n
    if (filter.hasTransactions !== undefined && filter.hasTransactions !== hasTransactions) continue
    blocks.push(formatBlock(block))
  }
  return { blocks, next: number < oldest ? null : toQuantity(number) }
}

function formatBlock(block: Block): RpcListedBlock {
  const { number, timestamp, gasUsed, gasLimit, baseFeePerGas } = block.header
  return {
    number: toQuantity(number),
    hash: block.hash,
    timestamp: toQuantity(timestamp),
    isSealed: block.kind === 'sealed',
    gasUsed: toQuantity(gasUsed),
    gasLimit: toQuantity(gasLimit),
    baseFeePerGas: toQuantity(baseFeePerGas),
    ...outcomesOf(block),
  }
}

/**
 * Goes through transactions from the newest before a place backwards, as many as one call may look at.
 *
 * @param visit - Whether to go on; at `again` the next page begins with this transaction.
 * @returns Where the next page begins; `null` at the end.
 */
async function walkBack(
  context: CallerContext,
  range: ListRange,
  before: PageEnd | undefined,
  visit: (block: Block, included: IncludedTransaction) => 'go on' | 'full' | RpcListPlace,
  mayMatch: (block: Block) => boolean = () => true,
): Promise<RpcListPlace | null> {
  const guard = guardFor(context)
  const isLate = timeLimit(context)
  const { newest, oldest, blockAt } = endsOf(context, range, before?.blockNumber)
  let looked = 0
  let blocks = 0
  for (let number = newest; number >= oldest; number--) {
    const isOver = looked >= MAX_SEARCHED || blocks >= MAX_SEARCHED || (blocks > 0 && isLate())
    if (isOver) return { blockNumber: toQuantity(number) }
    blocks++
    const pause = guard.checkpoint()
    if (pause) await pause
    const block = blockAt(number)
    if (!block || block.header.gasUsed === 0n || !mayMatch(block)) continue
    const { transactions } = block
    const end = number === before?.blockNumber ? (before.index ?? transactions.length) : transactions.length
    for (let index = Math.min(end, transactions.length) - 1; index >= 0; index--) {
      const next = visit(block, transactions[index] as IncludedTransaction)
      if (typeof next === 'object') return next
      if (next === 'full')
        return index > 0 ? placeOf(number, index) : number > oldest ? { blockNumber: toQuantity(number - 1) } : null
      looked++
      const pauseWithin = guard.checkpoint()
      if (pauseWithin) await pauseWithin
    }
  }
  return null
}

const placeOf = (number: number, index: number): RpcListPlace => ({
  blockNumber: toQuantity(number),
  index: toQuantity(index),
})

function isWanted(
  { from, to, account, status, selectors }: TransactionFilter,
  { tx, receipt }: IncludedTransaction,
): boolean {
  return (
    (from === undefined || tx.sender === from) &&
    (to === undefined || tx.to === to) &&
    (account === undefined || tx.sender === account || tx.to === account || receipt.contractAddress === account) &&
    (status === undefined || receipt.status === status) &&
    (selectors === undefined || selectors.includes(bytesToHex(tx.input.subarray(0, SELECTOR_BYTES))))
  )
}

const SELECTOR_BYTES = 4

/**
 * Whether a block may have a transaction that is wanted, without decoding it; decides whether it has the right kind. A
 * created contract is in no block’s bytes.
 */
function mayHave({ from, to, status, selectors, isSealed }: TransactionFilter): (block: Block) => boolean {
  const addresses = [from, to].filter((each) => typeof each === 'string').map((each) => hexToBytes(each))
  const methods =
    selectors && selectors.length <= MAX_SELECTORS_IN_BYTES ? selectors.map((each) => hexToBytes(each)) : undefined
  return (block) =>
    (isSealed === undefined || isSealed === (block.kind === 'sealed')) &&
    addresses.every((each) => mayHold(block, each)) &&
    (methods === undefined || methods.some((each) => mayHold(block, each))) &&
    (status !== 0 || outcomesOf(block).failed > 0)
}

function formatListed(block: Block, included: IncludedTransaction): RpcListedTransaction {
  const { tx, receipt, transactionIndex, partialIndex } = included
  return {
    hash: tx.hash,
    blockNumber: toQuantity(block.header.number),
    transactionIndex: toQuantity(transactionIndex),
    partialIndex,
    isSealed: block.kind === 'sealed',
    timestamp: toQuantity(block.header.timestamp),
    from: tx.sender,
    to: tx.to,
    contractAddress: receipt.contractAddress,
    nonce: toQuantity(tx.nonce),
    value: toQuantity(tx.value),
    input: bytesToHex(tx.input.subarray(0, SELECTOR_BYTES)),
    status: receipt.status === 1 ? '0x1' : '0x0',
    gasUsed: toQuantity(receipt.gasUsed),
  }
}

async function listLogs(
  context: CallerContext,
  filter: ReturnType<typeof logListFilter.parse>,
  before: PageEnd | undefined,
  size: number,
): Promise<{ readonly logs: readonly RpcLog[]; readonly next: RpcListPlace | null }> {
  const selector = createLogSelector(filter)
  const { word } = filter
  const wordBytes = word && hexToBytes(word)
  const logs: RpcLog[] = []
  let characters = 0
  // Logs are counted through their block: the place may be within a transaction.
  const next = await walkBack(
    context,
    filter,
    before && { blockNumber: before.blockNumber, index: undefined },
    (block, included) => {
      const found = selectTransactionLogs(block, included, selector)
      for (const placed of found.toReversed()) {
        const index = placed.logIndex
        if (block.header.number === before?.blockNumber && index >= (before.index ?? Number.POSITIVE_INFINITY)) continue
        if (wordBytes && !hasWord(placed.log, word, wordBytes)) continue
        characters += charactersOf(placed.log)
        if (logs.length === size || (characters > MAX_LOG_CHARACTERS && logs.length > 0)) {
          return placeOf(block.header.number, index + 1)
        }
        logs.push(formatLog(placed, false))
      }
      return 'go on'
    },
    (block) => selector.mayMatch(block.header) && (wordBytes === undefined || mayHold(block, wordBytes)),
  )
  return { logs, next }
}

const WORD_BYTES = 32

/** Whether a word is one of a log's topics after the first, or one of its data's words. */
function hasWord({ topics, data }: Log, word: Hash | undefined, bytes: Uint8Array): boolean {
  if (topics.some((topic, i) => i > 0 && topic === word)) return true
  for (let start = 0; start + WORD_BYTES <= data.length; start += WORD_BYTES) {
    if (bytes.every((byte, i) => data[start + i] === byte)) return true
  }
  return false
}

async function listAccounts(
  context: CallerContext,
  { isContract }: AccountFilter,
  after: Address | undefined,
  size: number,
): Promise<RpcAccountPage> {
  const { state } = pendingBlock(context)
  const guard = guardFor(context)
  const isLate = timeLimit(context)
  const accounts: RpcAccountPage['accounts'][number][] = []
  let looked = 0
  let last: Address | null = null
  for (const [account, { balance, nonce, codeHash }] of state.accountsAfter(after)) {
    const isOver = accounts.length === size || looked === MAX_SEARCHED || (looked > 0 && isLate())
    if (isOver) return { accounts, next: last }
    looked++
    last = account
    const pause = guard.checkpoint()
    if (pause) await pause
    const code = state.codes.get(codeHash)
    const delegatedTo = delegateOf(code) ?? null
    if (isContract !== undefined && isContract !== (code.length > 0 && delegatedTo === null)) continue
    accounts.push({
      address: account,
      balance: toQuantity(balance),
      nonce: toQuantity(nonce),
      codeSize: code.length,
      delegatedTo,
    })
  }
  return { accounts, next: null }
}
