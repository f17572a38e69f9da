import { lazy, memo, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import { create } from 'zustand'
import type { Hex } from '#primitives/hex.ts'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { methodName } from '#ui/decode/method-name.ts'
import type { FeedTransaction } from '#ui/feed/feed-state.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatEth, formatInteger } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { useContractAt } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Address } from './Address.tsx'
import { StateChip } from './StateChip.tsx'
import styles from './TransactionTable.module.css'

const css = classNames(styles)

/** The fields of a transaction that a row needs. */
export interface TransactionRow extends Omit<FeedTransaction, 'nonce'> {
  readonly gasUsed?: bigint | undefined
}

interface Column {
  readonly name: string
  readonly cell: (tx: TransactionRow) => ReactNode
  /** Right-aligned; left out on the narrowest phones. */
  readonly numeric?: boolean
  /** Left out in narrow places. */
  readonly detail?: boolean
}

const STATE: Column = { name: 'State', cell: (tx) => <StateChip stage={tx.stage} outcome={tx.outcome} /> }
const HASH: Column = {
  name: 'Hash',
  cell: ({ hash }) => (
    <AppLink to={`/tx/${hash}`} className="mono">
      {shortHex(hash)}
    </AppLink>
  ),
}
const BLOCK: Column = {
  name: 'Block',
  cell: ({ blockNumber }) =>
    blockNumber === undefined ? '–' : <AppLink to={`/block/${blockNumber}`}>#{blockNumber}</AppLink>,
}
const PARTIAL: Column = {
  name: 'Partial',
  cell: ({ partialIndex }) => (partialIndex === undefined ? '–' : partialNumber(partialIndex)),
}
const CALL: readonly Column[] = [
  { name: 'Method', detail: true, cell: (tx) => <Method tx={tx} /> },
  { name: 'From', detail: true, cell: ({ from }) => <Address address={from} /> },
  { name: 'To', detail: true, cell: ({ to }) => (to ? <Address address={to} /> : 'new contract') },
]
const GAS_USED: Column = {
  name: 'Gas used',
  numeric: true,
  detail: true,
  cell: ({ gasUsed }) => (gasUsed === undefined ? '–' : formatInteger(gasUsed)),
}
const VALUE: Column = {
  name: 'Value',
  numeric: true,
  cell: ({ value }) => <Amount wei={value}>{formatEth(value)}</Amount>,
}

const COLUMNS = {
  /** Transactions of any block, or of none yet. */
  chain: [STATE, HASH, BLOCK, { ...PARTIAL, detail: true }, ...CALL, VALUE],
  /** Transactions of one block. */
  block: [STATE, HASH, PARTIAL, ...CALL, GAS_USED, VALUE],
} as const satisfies Readonly<Record<string, readonly Column[]>>

/** Columns whose contents are about as wide in every row. */
const WIDTHS: Readonly<Record<string, 'wide' | 'narrow'>> = {
  Hash: 'wide',
  Value: 'wide',
  Block: 'narrow',
  Partial: 'narrow',
}

type Scope = keyof typeof COLUMNS

const withoutPartials = (columns: readonly Column[]) => columns.filter(({ name }) => name !== PARTIAL.name)
/** For chains without partial blocks. */
const PLAIN_COLUMNS: Readonly<Record<Scope, readonly Column[]>> = {
  chain: withoutPartials(COLUMNS.chain),
  block: withoutPartials(COLUMNS.block),
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

/** A table of transactions in the given order. */
export function TransactionTable({
  of,
  transactions,
  empty,
  part,
}: {
  /** Where the table is used; this decides its columns. */
  of: Scope
  transactions: readonly TransactionRow[]
  /** The text if there are none. */
  empty: string
  /** The rows to draw; all of them by default. */
  part?: DrawnPart
}) {
  const { preconfirms } = useCapabilities()
  const columns = (preconfirms ? COLUMNS : PLAIN_COLUMNS)[of]
  const table = useRef<HTMLTableElement>(null)
  useRowWalk(table, transactions.length, part?.reveal)
  const first = part?.first ?? 0
  return (
    <>
      <table
        ref={table}
        className={css('table', part && 'long', 'steady')}
        aria-label="Transactions"
        aria-rowcount={part && transactions.length + 1}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={look(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part && <Gap height={part.above} />}
          {transactions.slice(first, part?.end).map((tx, i) => (
            <Row key={tx.hash} columns={columns} tx={tx} position={first + i} part={part !== undefined} />
          ))}
          {part && <Gap height={part.below} />}
        </tbody>
      </table>
      {transactions.length === 0 && <p className="empty">{empty}</p>}
    </>
  )
}

/** If its file does not come, selectors stay as they are. */
const MethodGuess = lazy(() =>
  import('./MethodGuess.tsx').then(
    (file) => ({ default: file.MethodGuess }),
    () => ({ default: ({ selector }: { selector: Hex }) => selector }),
  ),
)

function Method({ tx }: { tx: TransactionRow }) {
  const name = useMethodName(tx)
  if (!name.startsWith('0x')) return name
  return (
    <Suspense fallback={name}>
      <MethodGuess selector={name as Hex} />
    </Suspense>
  )
}

/** Takes the place of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return <tr aria-hidden="true" style={{ height }} />
}

const Row = memo(function Row({
  columns,
  tx,
  position,
  part,
}: {
  columns: readonly Column[]
  tx: TransactionRow
  position: number
  /** Whether only some of the rows are drawn. */
  part: boolean
}) {
  return (
    <tr
      data-testid="tx-row"
      data-hash={tx.hash}
      data-state={tx.stage}
      data-partial={tx.partialIndex}
      data-row={position}
      aria-rowindex={part ? position + 2 : undefined}
    >
      {columns.map((column) => (
        <td key={column.name} className={look(column)}>
          {column.cell(tx)}
        </td>
      ))}
    </tr>
  )
})

function look({ name, numeric = false, detail = false }: Column): string | undefined {
  const width = WIDTHS[name]
  return css(name === STATE.name && 'state', numeric && 'numeric', detail && 'detail', width) || undefined
}

/** Attribute with the index of a row. */
const ROW = 'data-row'

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

type AbiIndexing = typeof import('#ui/decode/abi-index.ts')

/**
 * Loaded with the first contract that the page knows, since it includes a hash function that the first script does not
 * need.
 */
const useIndexing = create<Partial<AbiIndexing>>()(() => ({}))
let loading: Promise<void> | undefined

async function load(): Promise<void> {
  useIndexing.setState(await import('#ui/decode/abi-index.ts'))
}

/** A transaction's method in one word. Names from remembered contracts appear as soon as those are loaded. */
export function useMethodName(tx: { readonly to: Hex | null; readonly input: Hex }): string {
  const contract = useContractAt(tx.input.length < 10 ? undefined : tx.to)
  const indexOf = useIndexing((indexing) => indexing.indexOf)
  const isWanted = contract !== undefined && indexOf === undefined
  useEffect(() => {
    if (isWanted) loading ??= load()
  }, [isWanted])
  return methodName(tx, contract && indexOf?.(contract.abi).functions)
}
