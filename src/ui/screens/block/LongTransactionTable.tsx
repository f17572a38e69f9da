import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type DrawnPart, type TransactionRow, TransactionTable } from '#ui/chain/TransactionTable.tsx'

/** A table of thousands, of which as many rows are drawn as are in sight. */
export function LongTransactionTable({ transactions }: { transactions: readonly TransactionRow[] }) {
  const list = useRef<HTMLDivElement>(null)
  const part = useDrawnPart(list, transactions.length)
  return (
    <div ref={list}>
      <TransactionTable of="block" transactions={transactions} empty="" part={part} />
    </div>
  )
}

/** CSS pixels of a row, as the table's style has it: nothing has to be measured, and no scrolling is corrected. */
const ROW_HEIGHT = 42
/** Rows that are drawn beyond what is in sight. */
const OVERSCAN = 20

/** The rows of a long list to draw: those in sight of the window, and some more. */
export function useDrawnPart(list: RefObject<HTMLElement | null>, count: number): DrawnPart {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () =>
      setTop(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0)
    measure()
    // What stands above the list may become higher or lower at any time, and the page with it.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  // The React compiler, which it cannot work with, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
  })
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    first: first?.index ?? 0,
    end: last ? last.index + 1 : 0,
    above: first ? first.start - top : 0,
    below: last ? rows.getTotalSize() - (last.end - top) : rows.getTotalSize(),
    reveal: (row) => window.scrollTo(0, rows.getOffsetForIndex(row, 'center')?.[0] ?? 0),
  }
}
