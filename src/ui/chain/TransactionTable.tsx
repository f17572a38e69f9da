import { lazy, Suspense, useEffect } from 'react'
import { create } from 'zustand'
import type { Hex } from '#primitives/hex.ts'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { type Column, type DrawnPart, type RowProps, Table } from '#ui/components/Table.tsx'
import { methodName } from '#ui/decode/method-name.ts'
import type { FeedTransaction } from '#ui/feed/feed-state.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatEth, formatInteger } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useContractAt } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Address } from './Address.tsx'
import { Age } from './Age.tsx'
import { StateChip } from './StateChip.tsx'
import styles from './TransactionTable.module.css'

const css = classNames(styles)

/** The fields of a transaction that a row needs. */
export interface TransactionRow extends Omit<FeedTransaction, 'nonce'> {
  readonly gasUsed?: bigint | undefined
  /** When its block began, in seconds since the Unix epoch. */
  readonly timestamp?: number | undefined
}

type TransactionColumn = Column<TransactionRow>

const stateOf = (size: 'row' | 'brief') => (tx: TransactionRow) => (
  <StateChip status={tx.status} outcome={tx.outcome} size={size} />
)
const STATE: TransactionColumn = {
  name: 'State',
  width: '16.5em',
  narrowWidth: '10.5em',
  fits: true,
  className: css('state'),
  cell: stateOf('row'),
}
const HASH: TransactionColumn = {
  name: 'Hash',
  width: '9.5em',
  narrowWidth: '7.2em',
  fits: true,
  cell: ({ hash }) => (
    <AppLink to={`/tx/${hash}`} className="mono">
      {shortHex(hash)}
    </AppLink>
  ),
}
const BLOCK: TransactionColumn = {
  name: 'Block',
  width: '5.5em',
  narrowWidth: '4.25em',
  fits: true,
  cell: ({ blockNumber }) =>
    blockNumber === undefined ? '–' : <AppLink to={`/block/${blockNumber}`}>#{blockNumber}</AppLink>,
}
const PARTIAL: TransactionColumn = {
  name: 'Partial',
  width: '5.5em',
  fits: true,
  cell: ({ partialIndex }) => (partialIndex === undefined ? '–' : partialNumber(partialIndex)),
}
const METHOD: TransactionColumn = { name: 'Method', narrow: 'detail', cell: (tx) => <Method tx={tx} /> }
const FROM: TransactionColumn = {
  name: 'From',
  narrow: 'detail',
  fits: true,
  cell: ({ from }) => <Address address={from} />,
}
const TO: TransactionColumn = {
  name: 'To',
  narrow: 'detail',
  fits: true,
  cell: ({ to }) => (to ? <Address address={to} /> : 'new contract'),
}
const AGE: TransactionColumn = {
  name: 'Age',
  width: '6.5em',
  narrow: 'detail',
  fits: true,
  cell: ({ timestamp }) => (timestamp === undefined ? '–' : <Age timestamp={timestamp} />),
}
const GAS_USED: TransactionColumn = {
  name: 'Gas used',
  numeric: true,
  fits: ({ gasUsed = 0n }) => gasUsed < 10n ** 9n,
  narrow: 'detail',
  cell: ({ gasUsed }) => (gasUsed === undefined ? '–' : formatInteger(gasUsed)),
}
const VALUE: TransactionColumn = {
  name: 'Value',
  width: '9.5em',
  numeric: true,
  narrow: 'last',
  fits: ({ value }) => value < 10n ** 22n,
  cell: ({ value }) =>
    value === 0n ? <span className={css('zero')}>0 ETH</span> : <Amount wei={value}>{formatEth(value)}</Amount>,
}

const COLUMNS = {
  /** Transactions of any block, or of none yet, in a part of the page's width. */
  chain: [
    { ...STATE, width: 'var(--state-width)', className: css('state', 'beside'), cell: stateOf('brief') },
    { ...HASH, width: '7.75em' },
    { ...BLOCK, width: '4.5em' },
    { ...PARTIAL, width: '4.5em', narrow: 'detail', className: css('third') },
    METHOD,
    { ...FROM, width: 'var(--who-width, 9.5em)' },
    { ...TO, width: 'var(--who-width, 9.5em)' },
    { ...VALUE, width: '7.5em' },
  ],
  /** Transactions of any block, on a screen of their own. */
  list: [
    STATE,
    HASH,
    BLOCK,
    { ...PARTIAL, narrow: 'detail', className: css('third') },
    { ...AGE, className: css('second') },
    { ...METHOD, className: css('third') },
    FROM,
    TO,
    { ...GAS_USED, width: '7em', className: css('second') },
    VALUE,
  ],
  /** Transactions of one block. */
  block: [
    STATE,
    HASH,
    PARTIAL,
    { ...METHOD, className: css('third') },
    FROM,
    TO,
    { ...GAS_USED, className: css('second') },
    VALUE,
  ],
} as const satisfies Readonly<Record<string, readonly TransactionColumn[]>>

type Scope = keyof typeof COLUMNS

const withoutPartials = (columns: readonly TransactionColumn[]) => columns.filter(({ name }) => name !== PARTIAL.name)
/** For chains without partial blocks. */
const PLAIN_COLUMNS: Readonly<Record<Scope, readonly TransactionColumn[]>> = {
  chain: withoutPartials(COLUMNS.chain),
  list: withoutPartials(COLUMNS.list),
  block: withoutPartials(COLUMNS.block),
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
  empty?: string
  /** The rows to draw; all of them by default. */
  part?: DrawnPart
}) {
  const { preconfirms } = useCapabilities()
  return (
    <Table
      label="Transactions"
      columns={(preconfirms ? COLUMNS : PLAIN_COLUMNS)[of]}
      items={transactions}
      keyOf={hashOf}
      rowProps={rowProps}
      empty={empty}
      part={part}
      layout="steady"
      sticky={of === 'list'}
      enters={of !== 'list'}
      walk
    />
  )
}

const hashOf = ({ hash }: TransactionRow) => hash

function rowProps({ hash, status, partialIndex }: TransactionRow): RowProps {
  return { 'data-testid': 'tx-row', 'data-hash': hash, 'data-state': status, 'data-partial': partialIndex }
}

/** If its file does not come, selectors stay as they are. */
const MethodGuess = lazy(() =>
  import('./MethodGuess.tsx').then(
    (file) => ({ default: file.MethodGuess }),
    () => ({ default: ({ selector }: { selector: Hex }) => <>{selector}</> }),
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

type AbiIndexing = typeof import('#ui/decode/abi-index.ts')

/**
 * Loaded with the first contract that the page knows, since it includes a hash function that the first script does not
 * need.
 */
const useIndexing = create<Partial<AbiIndexing>>()(() => ({}))
let loading: Promise<void> | undefined

/** If the file does not come, methods stay as they are, and the next row that is drawn asks again. */
function load(): Promise<void> {
  return import('#ui/decode/abi-index.ts').then(
    (file) => useIndexing.setState(file),
    () => {
      loading = undefined
    },
  )
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
