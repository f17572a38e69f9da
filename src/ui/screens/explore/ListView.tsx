import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadOlder } from '#ui/components/LoadOlder.tsx'
import type { DrawnPart } from '#ui/components/Table.tsx'
import { rowHeight, useDrawnPart } from '#ui/components/use-drawn-part.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ListView.module.css'
import type { ItemPlace, ListPlace } from './list-place.ts'
import { type ListSource, useList } from './use-list.ts'

const css = classNames(styles)

/** Milliseconds after the last movement before the address says where it has ended. */
const SETTLED_MS = 200

/** A list of the chain: its items, what is new above them, and what is older below. Another filter needs another key. */
export function ListView<Item>({
  noun,
  source,
  start,
  empty,
  onPlace,
  onNewest,
  children,
}: {
  /** One item. */
  noun: string
  source: ListSource<Item>
  /** The first item, where it is not the newest one. */
  start: ListPlace | undefined
  /** What is shown if there are no items. */
  empty: ReactNode
  /** Called with the first item in sight, once the list stands still. */
  onPlace: (place: ListPlace | undefined) => void
  /** Begins anew, at the newest item. */
  onNewest: () => void
  /** The table of the items; `part` is what to draw of it. */
  children: (items: readonly Item[], part: DrawnPart) => ReactNode
}) {
  const area = useRef<HTMLDivElement>(null)
  const list = useList(source, start, () => firstInSight(area.current) <= 0)
  const { items, next, note, error, isLoading, news } = list
  const part = useDrawnPart(area, items.length)
  const last = items.at(-1)
  usePlaceInAddress(area, items.length, (row) => {
    const item = items[row]
    if (row <= 0 || !item) onPlace(start)
    else onPlace(after(source.placeOf(item)))
  })
  const newest = start !== undefined ? 'Newest' : news.count > 0 ? newWords(news.count, news.isMore) : undefined
  return (
    <div ref={area} className={css('list')} aria-busy={isLoading && items.length === 0}>
      {newest !== undefined && (
        <div className={css('above')}>
          <button
            type="button"
            className={css('newest')}
            onClick={() => {
              window.scrollTo(0, 0)
              if (start === undefined) list.showNewest()
              else onNewest()
            }}
          >
            <ArrowUp size={14} aria-hidden="true" />
            {newest}
          </button>
        </div>
      )}
      {children(items, part)}
      {items.length === 0 && next === null && empty}
      {items.length === 0 && next !== null && error === undefined && (
        <p className="empty">
          {isLoading ? (next ? `Searching block #${formatInteger(next.block)}…` : 'Reading…') : 'Nothing found so far.'}
        </p>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {error !== undefined && next === undefined && (
        <div>
          <Button size="small" onClick={list.loadOlder}>
            Try again
          </Button>
        </div>
      )}
      {note !== undefined && <p className="note">{note}</p>}
      {next !== undefined && (items.length > 0 || next !== null) && (
        <LoadOlder isLoading={isLoading} onMore={next === null ? undefined : list.loadOlder}>
          {formatCount(items.length, noun)}
          {next === null ? ', down to the first block.' : last ? `, down to block #${formatInteger(next.block)}.` : '.'}
        </LoadOlder>
      )}
    </div>
  )
}

/** The place from which on a page begins with the item. */
function after({ block, index }: ItemPlace): ListPlace {
  return { block, index: index + 1 }
}

function newWords(count: number, isMore: boolean): string {
  return `${formatInteger(count)}${isMore ? '+' : ''} new`
}

/** Index of the first row below the header of the page; below 0 where something above the rows is in sight. */
function firstInSight(area: HTMLElement | null): number {
  const rows = area?.querySelector('tbody')
  // The heads stay in sight, not the row that they are in.
  const head = area?.querySelector('thead th')
  if (!rows || !head) return -1
  return Math.ceil((head.getBoundingClientRect().bottom - rows.getBoundingClientRect().top) / rowHeight())
}

/** Calls back with the first row in sight, once the window has not been scrolled for a while. */
function usePlaceInAddress(
  area: React.RefObject<HTMLElement | null>,
  count: number,
  onSettled: (row: number) => void,
): void {
  const settled = useEffectEvent(() => onSettled(firstInSight(area.current)))
  const hasRows = count > 0
  useEffect(() => {
    if (!hasRows) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function onScroll(): void {
      clearTimeout(timer)
      timer = setTimeout(() => settled(), SETTLED_MS)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', onScroll)
    }
  }, [hasRows])
}
