import { useRef } from 'react'
import { type TransactionRow, TransactionTable } from '#ui/chain/TransactionTable.tsx'
import { useDrawnPart } from '#ui/components/use-drawn-part.ts'

/** A table of thousands of rows, which draws only the visible ones. */
export function LongTransactionTable({ transactions }: { transactions: readonly TransactionRow[] }) {
  const list = useRef<HTMLDivElement>(null)
  const part = useDrawnPart(list, transactions.length)
  return (
    <div ref={list}>
      <TransactionTable of="block" transactions={transactions} empty="" part={part} />
    </div>
  )
}
