import { type Address, toQuantity } from '#primitives/hex.ts'
import type { RpcOtsPage } from '#rpc-types/methods/ots.ts'
import { type Block, type IncludedTransaction, type SealedBlock, StatePrunedError } from '../../../payload/block.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { guardFor, searchBlocks } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { findNewest } from '../../find-newest.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatIncluded } from '../../format/transaction.ts'
import { address } from '../../params/hex-params.ts'
import { hexOrDecimal, integerWithin } from '../../params/plain-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { traceFlat } from '../../tracers/trace-flat.ts'
import { InnerCalls } from './inner-calls.ts'

/** Transactions of one page, but for the rest of its last block. */
const MAX_PAGE = 100

const number = integerWithin(0, Number.MAX_SAFE_INTEGER)
const pageSize = integerWithin(1, MAX_PAGE)

interface Found {
  readonly included: IncludedTransaction
  readonly block: Block
}

/** Transactions that an explorer looks for. */
export const OTS_SEARCH_METHODS = {
  /** Backwards. */
  ots_searchTransactionsBefore: defineMethod(
    [address, number, pageSize],
    async (context, account, before, size) => {
      const head = context.chain.head().header.number
      const from = before === 0 ? head : Math.min(before - 1, head)
      const { found, hasMore } = await collect(context, account, size, from, -1)
      return formatPage(context, found, { firstPage: before === 0 || before > head, lastPage: !hasMore })
    },
    { queue: 'answer' },
  ),

  /** Forwards. */
  ots_searchTransactionsAfter: defineMethod(
    [address, number, pageSize],
    async (context, account, after, size) => {
      const { found, hasMore } = await collect(context, account, size, after + 1, 1)
      return formatPage(context, found.toReversed(), { firstPage: !hasMore, lastPage: after === 0 })
    },
    { queue: 'answer' },
  ),

  /** The newest one, where a nonce was set back. */
  ots_getTransactionBySenderAndNonce: defineMethod([address, hexOrDecimal], async (context, sender, nonce) => {
    const found = await findNewest(context, ({ tx }) => tx.nonce === nonce && tx.sender === sender)
    return found?.included.tx.hash ?? null
  }),

  /** By the block that brought the code, or, where no state says which, by the receipts. */
  ots_getContractCreator: defineMethod(
    [address],
    async (context, account) => {
      const birth = birthOf(context, account)
      if (birth === 'never' || birth === 'at-first') return null
      if (birth === 'long-ago') return findCreation(context, account)
      const traced = await boundedTrace(context, undefined, (guard) => traceFlat(context, { block: birth }, guard))
      for (const { included, tracer } of traced.toReversed()) {
        for (const trace of tracer.result().toReversed()) {
          if (trace.type === 'create' && trace.error === undefined && trace.result?.address === account) {
            return { hash: included.tx.hash, creator: trace.action.from }
          }
        }
      }
      return null
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

/**
 * The transactions that have to do with an account, block after block, until there are enough.
 *
 * @param step - 1 to look forwards, -1 to look back; then the newest of a block comes first.
 */
function collect(context: CallerContext, account: Address, size: number, from: number, step: 1 | -1) {
  const { chain } = context
  return searchBlocks(context, async (guard) => {
    const innerCalls = new InnerCalls(context, account, guard)
    const found: Found[] = []
    for (let block = chain.blockByNumber(from); block; block = chain.blockByNumber(block.header.number + step)) {
      const own = await ownOf(block, account, innerCalls)
      if (own.length > 0 && found.length >= size) return { found, hasMore: true }
      for (const included of step > 0 ? own : own.toReversed()) found.push({ included, block })
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    return { found, hasMore: false }
  })
}

/** The transactions of a block that have to do with an account. */
async function ownOf(
  block: SealedBlock,
  account: Address,
  innerCalls: InnerCalls,
): Promise<readonly IncludedTransaction[]> {
  const { transactions } = block
  const own = transactions.map((included) => concerns(included, account))
  const calling = await innerCalls.within(
    block,
    transactions.filter((_, i) => !own[i]),
  )
  return transactions.filter((_, i) => own[i] || calling.has(i))
}

function concerns({ tx, receipt }: IncludedTransaction, account: Address): boolean {
  return (
    tx.sender === account ||
    tx.to === account ||
    receipt.contractAddress === account ||
    receipt.logs.some((log) => log.address === account)
  )
}

/** In slices, as a block may have thousands of transactions. */
async function formatPage(
  context: CallerContext,
  found: readonly Found[],
  ends: Pick<RpcOtsPage, 'firstPage' | 'lastPage'>,
): Promise<RpcOtsPage> {
  const formatted = await mapInSlices(
    found,
    ({ included, block }) => ({
      tx: formatIncluded(included, block),
      receipt: { ...formatReceipt(included, block), timestamp: toQuantity(block.header.timestamp) },
    }),
    guardFor(context),
  )
  return { txs: formatted.map(({ tx }) => tx), receipts: formatted.map(({ receipt }) => receipt), ...ends }
}

/** The block with which an account got its code, as far back as states are kept. */
function birthOf({ chain }: CallerContext, account: Address): Block | 'never' | 'at-first' | 'long-ago' {
  const hasCode = (block: Block) => block.state.code(account).length > 0
  let block: Block = chain.pending()
  if (!hasCode(block)) return 'never'
  if (hasCode(chain.first())) return 'at-first'
  try {
    for (;;) {
      const parent = chain.blockByNumber(block.header.number - 1)
      if (!parent || !hasCode(parent)) return block
      block = parent
    }
  } catch (error) {
    if (error instanceof StatePrunedError) return 'long-ago'
    throw error
  }
}

/** @throws {RpcRefusedError} If no transaction was sent to create it: then another contract did, or somebody by hand. */
async function findCreation(context: CallerContext, account: Address) {
  const found = await findNewest(context, ({ receipt }) => receipt.status === 1 && receipt.contractAddress === account)
  if (!found) {
    throw new RpcRefusedError(
      'server',
      `no transaction was sent to create ${account}, and the states that would tell who did are no longer kept`,
    )
  }
  return { hash: found.included.tx.hash, creator: found.included.tx.sender }
}
