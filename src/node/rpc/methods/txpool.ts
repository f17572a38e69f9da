import { type Address, toQuantity } from '#primitives/hex.ts'
import { checksumAddress } from '../../crypto/checksum-address.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { mapInSlices } from '../../turns/map-in-slices.ts'
import { effectiveTip, feeCap, type Transaction } from '../../tx/transaction.ts'
import { guardFor } from '../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../define-method.ts'
import { formatPooled } from '../format/transaction.ts'
import { address } from '../params/hex-params.ts'

/** Most transactions per answer, executable ones first. */
const MAX_TRANSACTIONS = 1_000

/** Most bytes of transactions per answer, which has two characters per byte; the rest is left out. */
const MAX_BYTES = 8 * 1024 * 1024

type Content = ReadonlyMap<Address, readonly Transaction[]>

async function formatByNonce<Shown>(
  transactions: readonly Transaction[],
  format: (tx: Transaction) => Shown,
  guard: ExecutionGuard,
): Promise<Record<string, Shown>> {
  const entries = await mapInSlices(transactions, (tx) => [tx.nonce.toString(), format(tx)] as const, guard)
  return Object.fromEntries(entries)
}

/** The first transactions, as many as fit into an answer. */
function fitting(transactions: readonly Transaction[]): readonly Transaction[] {
  let bytes = 0
  const end = transactions.findIndex(({ raw }) => (bytes += raw.length) > MAX_BYTES)
  return end === -1 ? transactions : transactions.slice(0, end)
}

/** The contents of the pool. */
export const TXPOOL_METHODS = {
  /** All pooled transactions as a list, those that can be executed first. */
  eth_pendingTransactions: defineMethod(
    [],
    (context) => {
      const { pending, queued } = context.pool.content()
      const all = [...pending.values(), ...queued.values()].flat().slice(0, MAX_TRANSACTIONS)
      return mapInSlices(fitting(all), formatPooled, guardFor(context))
    },
    { queue: 'answer' },
  ),

  /**
   * Pooled transactions by sender and decimal nonce; senders are ordered by the tip of their next transaction, the best
   * first.
   */
  txpool_content: defineMethod([], (context) => show(context, formatPooled), { queue: 'answer' }),

  /** Pooled transactions as in `txpool_content`, one line each. */
  txpool_inspect: defineMethod([], (context) => show(context, describe), { queue: 'answer' }),

  /** Pooled transactions of one sender, by decimal nonce. */
  txpool_contentFrom: defineMethod(
    [address],
    async (context, sender) => {
      const { pending, queued } = context.pool.contentFrom(sender)
      const guard = guardFor(context)
      const shown = (transactions: readonly Transaction[]) => formatByNonce(fitting(transactions), formatPooled, guard)
      return { pending: await shown(pending), queued: await shown(queued) }
    },
    { queue: 'answer' },
  ),

  /** Number of pooled transactions. */
  txpool_status: defineMethod([], ({ pool }) => {
    const { pending, queued } = pool.size()
    return { pending: toQuantity(pending), queued: toQuantity(queued) }
  }),
} satisfies Partial<MethodTable>

/** One line, as in geth. */
function describe(tx: Transaction): string {
  return `${tx.to ? checksumAddress(tx.to) : 'contract creation'}: ${tx.value} wei + ${tx.gas} gas × ${feeCap(tx)} wei`
}

async function show<Shown>(context: CallerContext, format: (tx: Transaction) => Shown) {
  const { chain, pool } = context
  const content = pool.content()
  const { baseFeePerGas } = chain.pending().header
  const guard = guardFor(context)
  const room = { bytes: MAX_BYTES }
  const pending = await group(bestFirst(content.pending, baseFeePerGas), MAX_TRANSACTIONS, format, room, guard)
  const left = MAX_TRANSACTIONS - pending.count
  const queued = await group(bestFirst(content.queued, baseFeePerGas), left, format, room, guard)
  return { pending: pending.bySender, queued: queued.bySender }
}

function bestFirst(senders: Content, baseFee: bigint) {
  const tipOfFirst = ([first]: readonly Transaction[]) => (first ? effectiveTip(first, baseFee) : 0n)
  return [...senders]
    .map(([sender, transactions]) => ({ sender, transactions, tip: tipOfFirst(transactions) }))
    .toSorted((a, b) => (a.tip > b.tip ? -1 : a.tip < b.tip ? 1 : 0))
}

async function group<Shown>(
  senders: ReturnType<typeof bestFirst>,
  limit: number,
  format: (tx: Transaction) => Shown,
  room: { bytes: number },
  guard: ExecutionGuard,
) {
  const bySender: Record<string, Record<string, Shown>> = {}
  let count = 0
  for (const { sender, transactions } of senders) {
    const shown: Transaction[] = []
    for (const tx of transactions) {
      if (count + shown.length >= limit || room.bytes < tx.raw.length) break
      room.bytes -= tx.raw.length
      shown.push(tx)
    }
    if (shown.length === 0) break
    bySender[checksumAddress(sender)] = await formatByNonce(shown, format, guard)
    count += shown.length
  }
  return { bySender, count }
}
