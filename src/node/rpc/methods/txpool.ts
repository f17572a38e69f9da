import { type Address, toQuantity } from '#primitives/hex.ts'
import { effectiveTip, feeCap, type Transaction } from '../../tx/transaction.ts'
import type { PoolContent } from '../../txpool/txpool.ts'
import { defineMethod } from '../define-method.ts'
import { formatPooled } from '../format/transaction.ts'
import { address } from '../params/hex-params.ts'

/** Transactions of one answer, executable ones first. */
const MAX_TRANSACTIONS = 1_000

type Content = ReadonlyMap<Address, readonly Transaction[]>

function byNonce<Shown>(transactions: readonly Transaction[], format: (tx: Transaction) => Shown) {
  return Object.fromEntries(transactions.map((tx) => [tx.nonce.toString(), format(tx)]))
}

/** `txpool_content`: what waits in the pool, by sender and decimal nonce; the sender whose next one tips best is first. */
export const txpoolContent = defineMethod('txpool_content', [], ({ chain, pool }) => {
  return show(pool.content(), chain.pending().header.baseFeePerGas, formatPooled)
})

/** `txpool_inspect`: the same in a line for each. */
export const txpoolInspect = defineMethod('txpool_inspect', [], ({ chain, pool }) =>
  show(pool.content(), chain.pending().header.baseFeePerGas, describe),
)

/** `txpool_contentFrom`: what waits of one sender, by decimal nonce. */
export const txpoolContentFrom = defineMethod('txpool_contentFrom', [address], ({ pool }, sender) => {
  const { pending, queued } = pool.contentFrom(sender)
  return { pending: byNonce(pending, formatPooled), queued: byNonce(queued, formatPooled) }
})

/** `txpool_status`: how many wait. */
export const txpoolStatus = defineMethod('txpool_status', [], ({ pool }) => {
  const { pending, queued } = pool.size()
  return { pending: toQuantity(pending), queued: toQuantity(queued) }
})

/** As geth has it. */
function describe(tx: Transaction): string {
  return `${tx.to ?? 'contract creation'}: ${tx.value} wei + ${tx.gas} gas × ${feeCap(tx)} wei`
}

function show<Shown>(content: PoolContent, baseFee: bigint, format: (tx: Transaction) => Shown) {
  const pending = group(bestFirst(content.pending, baseFee), MAX_TRANSACTIONS, format)
  const queued = group(bestFirst(content.queued, baseFee), MAX_TRANSACTIONS - pending.count, format)
  return { pending: pending.bySender, queued: queued.bySender }
}

function bestFirst(senders: Content, baseFee: bigint) {
  const tipOfFirst = ([first]: readonly Transaction[]) => (first ? effectiveTip(first, baseFee) : 0n)
  return [...senders]
    .map(([sender, transactions]) => ({ sender, transactions, tip: tipOfFirst(transactions) }))
    .toSorted((a, b) => (a.tip > b.tip ? -1 : a.tip < b.tip ? 1 : 0))
}

function group<Shown>(senders: ReturnType<typeof bestFirst>, limit: number, format: (tx: Transaction) => Shown) {
  const bySender: Record<Address, Record<string, Shown>> = {}
  let count = 0
  for (const { sender, transactions } of senders) {
    const shown = transactions.slice(0, limit - count)
    if (shown.length === 0) break
    bySender[sender] = byNonce(shown, format)
    count += shown.length
  }
  return { bySender, count }
}
