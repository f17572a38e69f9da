import { type RefObject, useEffect, useRef } from 'react'
import { useShortcut } from '#ui/page/use-shortcut.ts'

/** Positions of rows, in the markup. */
const ROW = 'data-row'

/**
 * `j` and `k` walk the rows of a table, on and on while they are held: the first link of the row gets the focus, so
 * that Enter opens it.
 *
 * @param count - Rows, those that are not drawn included.
 * @param reveal - Brings a row that is not drawn into sight.
 */
export function useRowWalk(
  table: RefObject<HTMLElement | null>,
  count: number,
  reveal: ((row: number) => void) | undefined,
): void {
  /** The row that was walked to last: it may have been scrolled away since, and have lost the focus. */
  const last = useRef<number>(undefined)
  /** The row that is still to be drawn. */
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
