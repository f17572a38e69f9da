import { type CSSProperties, memo, type ReactNode, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { LinksContext, useLinks } from './AppLink.tsx'
import styles from './Table.module.css'
import { ROW, useRowWalk } from './use-row-walk.ts'

const css = classNames(styles)

/** A column of a {@link Table}. */
export interface Column<Item> {
  /** Shown as its head; also its key. */
  readonly name: string
  /** Shown as its head in place of the name. */
  readonly head?: ReactNode
  readonly cell: (item: Item, position: number) => ReactNode
  /** Names the row: one column, at most. */
  readonly isRowHead?: boolean
  /** Right-aligned. */
  readonly numeric?: boolean
  /** On a narrow window it is left out: `detail` on every phone, `last` only on the narrowest. */
  readonly narrow?: 'detail' | 'last'
  /** A length in CSS, where the layout is not by the contents. */
  readonly width?: string
  /** A length in CSS that takes its place on a phone. */
  readonly narrowWidth?: string
  /**
   * Whether, in a wide window, its width has room for what it shows of an item. Every cell that cuts its contents costs the browser time
   * when rows are scrolled.
   */
  readonly fits?: true | ((item: Item) => boolean)
  /** A class for all of its cells, its head included. */
  readonly className?: string | undefined
  /** A class for one of its cells. */
  readonly look?: (item: Item) => string | undefined
}

/** The drawn part of a long list; gaps keep the height of the rest. */
export interface DrawnPart {
  /** Index of the first drawn row. */
  readonly first: number
  readonly end: number
  /** CSS pixels. */
  readonly above: number
  readonly below: number
  readonly reveal: (row: number) => void
}

/** Attributes of a row, such as `data-hash`, and its class. */
export type RowProps = Readonly<Record<`data-${string}`, string | number | undefined>> & {
  readonly className?: string | undefined
}

interface TableProps<Item> {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item, position: number) => string | number
  /** The text if there are none; without one the table has only its heads. */
  readonly empty?: ReactNode
  readonly rowProps?: (item: Item) => RowProps
  /** The rows to draw; all of them by default. */
  readonly part?: DrawnPart | undefined
  /**
   * How wide columns are: by their contents, or as they say. `steady`: as they say, but on a phone by their contents; for
   * rows that come and go, with which no column may move.
   */
  readonly layout?: 'contents' | 'steady' | 'given'
  /** `even` and `dense`: all of the same height, in one line; `compact`: as high as their text. */
  readonly rows?: 'even' | 'dense' | 'compact'
  /** Whether its heads are only for screen readers. */
  readonly hidesHeads?: boolean
  /** Whether it scrolls sideways by itself, also by keyboard, where it has too little room. */
  readonly scrolls?: boolean
  readonly className?: string
  /** Whether the heads stay in sight while the window is scrolled. Not within a part that scrolls sideways. */
  readonly sticky?: boolean
  /** Whether `j` and `k` move through the rows. */
  readonly walk?: boolean
  /** Whether the first rows come in with a short motion. */
  readonly enters?: boolean
}

/** What scrolls by itself takes the focus, so that keys can scroll it. */
const SCROLLER = { role: 'group', tabIndex: 0 }

/** Rows of the same kind, in typed columns. */
export function Table<Item>({ walk = false, ...props }: TableProps<Item>) {
  return walk ? <WalkedTable {...props} /> : <PlainTable {...props} table={undefined} />
}

function WalkedTable<Item>(props: TableProps<Item>) {
  const table = useRef<HTMLTableElement>(null)
  useRowWalk(table, props.items.length, props.part?.reveal)
  return <PlainTable {...props} table={table} />
}

function PlainTable<Item>({
  label,
  columns,
  items,
  keyOf,
  empty,
  rowProps,
  part,
  layout = 'contents',
  rows = 'even',
  sticky = false,
  enters = false,
  hidesHeads = false,
  scrolls = false,
  className = '',
  table,
}: TableProps<Item> & { readonly table: React.RefObject<HTMLTableElement | null> | undefined }) {
  const first = part?.first ?? 0
  const links = useLinks()
  const own = css(
    'table',
    layout !== 'contents' && layout,
    rows,
    sticky && 'sticky',
    enters && 'enters',
    part && 'long',
  )
  const drawn = (
    <table
      ref={table}
      className={`${own} ${className}`.trim()}
      aria-label={label}
      aria-rowcount={part && items.length + 1}
      style={part && tracksOf(columns)}
      {...links.handlers}
    >
      <thead className={hidesHeads ? 'visually-hidden' : undefined}>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={lookOf(column)} style={part ? undefined : widthOf(column)}>
              {column.head ?? column.name}
            </th>
          ))}
        </tr>
      </thead>
      <LinksContext value={links.hrefOf}>
        <tbody>
          {part && <Gap height={part.above} />}
          {items.slice(first, part?.end).map((item, i) => (
            <Row
              key={keyOf(item, first + i)}
              columns={columns}
              item={item}
              position={first + i}
              rowProps={rowProps}
              isPart={part !== undefined}
            />
          ))}
          {part && <Gap height={part.below} />}
        </tbody>
      </LinksContext>
    </table>
  )
  return (
    <>
      {scrolls ? (
        <div className={css('scroll')} aria-label={label} {...SCROLLER}>
          {drawn}
        </div>
      ) : (
        drawn
      )}
      {items.length === 0 && empty !== undefined && <p className="empty">{empty}</p>}
    </>
  )
}

/** Takes the place of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return <tr aria-hidden="true" style={{ height }} />
}

const Row = memo(function Row<Item>({
  columns,
  item,
  position,
  rowProps,
  isPart,
}: {
  columns: readonly Column<Item>[]
  item: Item
  position: number
  rowProps: ((item: Item) => RowProps) | undefined
  /** Whether only some of the rows are drawn. */
  isPart: boolean
}) {
  return (
    <tr {...rowProps?.(item)} {...{ [ROW]: position }} aria-rowindex={isPart ? position + 2 : undefined}>
      {columns.map((column) => {
        const fits = typeof column.fits === 'function' && column.fits(item) && css('fits')
        const look = [lookOf(column), fits, column.look?.(item)].filter(Boolean).join(' ') || undefined
        return column.isRowHead ? (
          <th key={column.name} scope="row" className={look}>
            {column.cell(item, position)}
          </th>
        ) : (
          <td key={column.name} className={look}>
            {column.cell(item, position)}
          </td>
        )
      })}
    </tr>
  )
}) as <Item>(props: {
  columns: readonly Column<Item>[]
  item: Item
  position: number
  rowProps: ((item: Item) => RowProps) | undefined
  isPart: boolean
}) => ReactNode

function lookOf<Item>({ numeric = false, narrow, fits, className }: Column<Item>): string | undefined {
  return `${css(numeric && 'numeric', narrow, fits === true && 'fits')} ${className ?? ''}`.trim() || undefined
}

/** Rows of a long list are laid out by themselves, so that each knows the widths of its cells without the others. */
function tracksOf<Item>(columns: readonly Column<Item>[]): CSSProperties {
  const track = (width: string | undefined) => (width === undefined ? '1 1 0' : `0 0 ${width}`)
  return Object.fromEntries(
    columns.map(({ width, narrowWidth }, i) => [
      `--w${i + 1}`,
      `var(--wide, ${track(width)}) var(--narrow, ${track(narrowWidth)})`,
    ]),
  ) as CSSProperties
}

function widthOf<Item>({ width, narrowWidth }: Column<Item>): CSSProperties | undefined {
  if (width === undefined && narrowWidth === undefined) return undefined
  return { '--width': width, '--narrow-width': narrowWidth } as CSSProperties
}
