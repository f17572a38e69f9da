import { useMemo, useRef } from 'react'
import type { Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { type TransactionRow, TransactionTable } from '#ui/chain/TransactionTable.tsx'
import { useDrawnPart } from '#ui/components/use-drawn-part.ts'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useCapabilities } from '#ui/page/session.ts'
import type { FullBlock } from '#ui/queries/blocks.ts'

/** Above this number of rows only the visible ones are drawn. */
const LONG = 100

/**
 * A block's transactions in order, each with its partial block if known.
 *
 * @param only - Shows only the transactions of this partial block; all by default.
 */
export function BlockTransactions({
  block,
  receipts,
  slots,
  isLive,
  only,
}: {
  block: FullBlock
  receipts: readonly RpcReceipt[]
  slots: readonly PartialSlot[] | undefined
  isLive: boolean
  only: number | undefined
}) {
  const { preconfirms } = useCapabilities()
  const status = isLive ? (preconfirms ? 'preconfirmed' : 'mempool') : 'sealed'
  const all = useMemo(() => rowsOf(block, receipts, slots, status), [block, receipts, slots, status])
  const rows = useMemo(
    () => (only === undefined ? all : all.filter(({ partialIndex }) => partialIndex === only)),
    [all, only],
  )
  if (rows.length > LONG) return <LongTransactionTable transactions={rows} />
  return <TransactionTable of="block" transactions={rows} empty={emptyWords(isLive, only)} />
}

function emptyWords(isLive: boolean, only: number | undefined): string {
  if (only !== undefined) return `Partial block ${partialNumber(only)} added no transactions.`
  return isLive ? 'No transactions in this block so far.' : 'This block is empty.'
}

function rowsOf(
  block: FullBlock,
  receipts: readonly RpcReceipt[],
  slots: readonly PartialSlot[] | undefined,
  status: TransactionRow['status'],
): readonly TransactionRow[] {
  const receiptOf = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const partialOf = new Map<Hash, number>()
  for (const slot of slots ?? []) for (const { hash } of slot.transactions) partialOf.set(hash, slot.index)
  return block.transactions.map(({ hash, from, to, value, input }) => {
    const receipt = receiptOf.get(hash)
    return {
      hash,
      from,
      to,
      value: BigInt(value),
      input,
      status,
      outcome: receipt && (receipt.status === '0x0' ? 'reverted' : 'success'),
      blockNumber: Number(block.number),
      partialIndex: partialOf.get(hash),
      gasUsed: receipt && BigInt(receipt.gasUsed),
    }
  })
}

/** A table of thousands of rows, which draws only the visible ones. */
function LongTransactionTable({ transactions }: { transactions: readonly TransactionRow[] }) {
  const list = useRef<HTMLDivElement>(null)
  const part = useDrawnPart(list, transactions.length)
  return (
    <div ref={list}>
      <TransactionTable of="block" transactions={transactions} empty="" part={part} />
    </div>
  )
}
