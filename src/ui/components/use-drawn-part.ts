import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { inPixels } from '#ui/styles/in-pixels.ts'
import type { DrawnPart } from './Table.tsx'

/** Height of an even row in CSS pixels, as in the table's style. So no row is measured, and scrolling never jumps. */
export const rowHeight = () => inPixels(2.625)
/** How many rows are drawn beyond the visible part: towards where a person scrolls, and behind. */
const AHEAD = 14
const BEHIND = 4
/** Rows come and go so many at a time: each change costs a frame some time, however few they are. */
const STEP = 4

/** The rows of a long list to draw: the visible ones and some more. */
export function useDrawnPart(list: RefObject<HTMLElement | null>, count: number): DrawnPart {
  const [top, setTop] = useState(0)
  // Asked for once, not for each of thousands of rows.
  const [height] = useState(rowHeight)
  useLayoutEffect(() => {
    const measure = () =>
      setTop(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0)
    measure()
    // Content above the list may change its height at any time.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  // The React compiler, which it cannot work with, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 0,
    rangeExtractor: ({ startIndex, endIndex }): number[] => {
      const isUpwards = rows.scrollDirection === 'backward'
      const first = Math.max(0, startIndex - (isUpwards ? AHEAD : BEHIND))
      const end = endIndex + 1 + (isUpwards ? BEHIND : AHEAD)
      const [from, to] = [first - (first % STEP), Math.min(count, Math.ceil(end / STEP) * STEP)]
      return Array.from({ length: to - from }, (_, i) => from + i)
    },
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
