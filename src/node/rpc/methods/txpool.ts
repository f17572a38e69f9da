import type { Address } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { effectiveTip, type Transaction } from '../../tx/transaction.ts'
import { defineMethod } from '../define-method.ts'
import { formatPooled } from '../format/transaction.ts'

/** Transactions of one answer, executable ones first. */
const MAX_TRANSACTIONS = 1_000

type BySender = Record<Address, Record<string, RpcTransaction>>
type Content = ReadonlyMap<Address, readonly Transaction[]>

/** `txpool_content`: what waits in the pool, by sender and decimal nonce; the sender whose next one tips best is first. */
export const txpoolContent = defineMethod('txpool_content', [], ({ chain, pool }) => {
  const { baseFeePerGas } = chain.pending().header
  const content = pool.content()
  const pending = group(bestFirst(content.pending, baseFeePerGas), MAX_TRANSACTIONS)
  const queued = group(bestFirst(content.queued, baseFeePerGas), MAX_TRANSACTIONS - pending.count)
  return { pending: pending.bySender, queued: queued.bySender }
})

function bestFirst(senders: Content, baseFee: bigint) {
  const tipOfFirst = ([first]: readonly Transaction[]) => (first ? effectiveTip(first, baseFee) : 0n)
  return [...senders]
    .map(([sender, transactions]) => ({ sender, transactions, tip: tipOfFirst(transactions) }))
    .toSorted((a, b) => (a.tip > b.tip ? -1 : a.tip < b.tip ? 1 : 0))
}

function group(senders: ReturnType<typeof bestFirst>, limit: number) {
  const bySender: BySender = {}
  let count = 0
  for (const { sender, transactions } of senders) {
    const shown = transactions.slice(0, limit - count)
    if (shown.length === 0) break
    bySender[sender] = Object.fromEntries(shown.map((tx) => [tx.nonce.toString(), formatPooled(tx)]))
    count += shown.length
  }
  return { bySender, count }
}
