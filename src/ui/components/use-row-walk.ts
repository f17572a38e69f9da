import { type RefObject, useEffect, useRef } from 'react'
import { useShortcut } from '#ui/page/use-shortcut.ts'

/** Attribute with the index of a row. */
export const ROW = 'data-row'

/**
 * `j` and `k` move through the rows of a table, repeatedly while held. They focus the row's first link, so Enter opens
 * it.
 *
 * @param count - Number of rows, including those not drawn.
 * @param reveal - Scrolls to a row that is not drawn.
 */
export function useRowWalk(
  table: RefObject<HTMLElement | null>,
  count: number,
  reveal: ((row: number) => void) | undefined,
): void {
  /** The last row reached. It may have been scrolled away since and lost the focus. */
  const last = useRef<number>(undefined)
  /** A row that has to be drawn before it gets the focus. */
  const awaited = useRef<number>(undefined)

  function focus(row: number): boolean {
    const link = table.current?.querySelector<HTMLElement>(`[${ROW}="${row}"] a`)
    link?.focus()
    return link !== undefined && link !== null
  }
  function walk(step: 1 | -1): void {
    const focused = document.activeElement?.closest(`[${ROW}]`)
    const here = focused && table.current?.contains(focused) ? Number(focused.getAttribute(ROW)) : last.current
    const row = here === undefined ? 0 : Math.min(Math.max(here + step, 0), count - 1)
    if (row >= count) return
    last.current = row
    if (focus(row)) return
    awaited.current = row
    reveal?.(row)
  }
  useEffect(() => {
    if (awaited.current !== undefined && focus(awaited.current)) awaited.current = undefined
  })
  useShortcut('j', () => walk(1), 'repeats')
  useShortcut('k', () => walk(-1), 'repeats')
}
