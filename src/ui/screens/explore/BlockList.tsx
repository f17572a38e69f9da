import { Age } from '#ui/chain/Age.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount, formatGwei, formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './BlockList.module.css'
import type { BlockItem } from './chain-lists.ts'
import { Filters, TextFilter } from './Filters.tsx'
import { ListView } from './ListView.tsx'
import { Nothing } from './Nothing.tsx'
import { problemOf, resolveRange, valueOf } from './resolve.ts'
import { useChainLists, useListVersion } from './use-chain.ts'
import type { ListProps } from './use-list-address.ts'

const css = classNames(styles)

const CONTENTS = [
  { value: 'all', label: 'All' },
  { value: 'some', label: 'With transactions' },
  { value: 'none', label: 'Empty' },
] as const

const COLUMNS: readonly Column<BlockItem>[] = [
  { name: 'Block', width: '8.5em', fits: true, cell: ({ number }) => <BlockLink number={number} /> },
  { name: 'Age', width: '7.5em', fits: true, cell: ({ timestamp }) => <Age timestamp={timestamp} /> },
  {
    name: 'Transactions',
    numeric: true,
    width: '8.5em',
    fits: true,
    cell: ({ count, failed }) => (
      <>
        {failed !== undefined && failed > 0 && (
          <span className={css('failed')} title={`${formatInteger(failed)} failed`}>
            <Glyph sign="reverted" size={9} /> {formatInteger(failed)}
          </span>
        )}
        <span className={css(count === 0 && 'nothing')}>{formatInteger(count)}</span>
      </>
    ),
  },
  {
    name: 'Partial blocks',
    className: css('bars'),
    cell: ({ number, partials }) => partials && <Partials number={number} partials={partials} />,
    narrow: 'detail',
  },
  { name: 'Gas used', numeric: true, narrow: 'detail', width: '13em', fits: true, cell: (block) => <Gas {...block} /> },
  {
    name: 'Base fee',
    className: css('fee'),
    numeric: true,
    narrow: 'detail',
    width: '10em',
    cell: ({ baseFeePerGas }) => <Amount wei={baseFeePerGas}>{formatGwei(baseFeePerGas)}</Amount>,
  },
  {
    name: 'Hash',
    narrow: 'detail',
    width: '16em',
    fits: true,
    cell: ({ hash }) => (
      <span className="mono" title={hash}>
        {mediumHex(hash)}
      </span>
    ),
  },
]

/** For chains without partial blocks. */
const PLAIN_COLUMNS = COLUMNS.filter(({ name }) => name !== 'Partial blocks')

/** The chain's blocks. */
export function BlockList({ address, start, onNewest }: ListProps) {
  const { filters, setFilter, clear, setPlace } = address
  const lists = useChainLists()
  const { preconfirms } = useCapabilities()
  const version = useListVersion()
  const range = resolveRange(filters['range'] ?? '')
  const contents = filters['with']
  const hasTransactions = contents === 'some' ? true : contents === 'none' ? false : undefined
  const wishes = { hasTransactions, range: valueOf(range) }
  return (
    <>
      <Filters isFiltered={Object.keys(filters).length > 0} onClear={clear}>
        <Segmented
          legend="Blocks"
          options={CONTENTS}
          value={contents === 'some' || contents === 'none' ? contents : 'all'}
          onChange={(value) => setFilter('with', value === 'all' ? '' : value)}
        />
        <TextFilter
          label="Blocks"
          value={filters['range'] ?? ''}
          placeholder="all, or 10–20"
          problem={problemOf(range)}
          onChange={(text) => setFilter('range', text)}
        />
      </Filters>
      {problemOf(range) !== undefined ? (
        <Nothing title="Check the filters" onClear={clear}>
          {problemOf(range)}
        </Nothing>
      ) : (
        <ListView<BlockItem>
          key={JSON.stringify(wishes)}
          noun="block"
          source={{
            fetchPage: (before) => lists.blocks(wishes, before),
            placeOf: ({ number }) => ({ block: number, index: 0 }),
            version,
          }}
          start={start}
          onPlace={(place) => setPlace(place && { block: place.block, index: undefined })}
          onNewest={onNewest}
          empty={
            <Nothing title="No such blocks" onClear={clear}>
              No block matches these filters.
            </Nothing>
          }
        >
          {(blocks, part) => (
            <Table
              label="Blocks"
              columns={preconfirms ? COLUMNS : PLAIN_COLUMNS}
              items={blocks}
              keyOf={({ number }) => number}
              part={part}
              layout="steady"
              sticky
              walk
            />
          )}
        </ListView>
      )}
    </>
  )
}

function useIsSealed(number: number): boolean {
  return useFeed(({ sealed }) => number <= (sealed[0]?.number ?? -1))
}

function BlockLink({ number }: { number: number }) {
  const isSealed = useIsSealed(number)
  return (
    <AppLink to={`/block/${number}`} className={css('number')}>
      <Glyph sign={isSealed ? 'sealed' : 'preconfirmed'} size={11} />#{formatInteger(number)}
      <span className="visually-hidden">{isSealed ? ', sealed' : ', pending'}</span>
    </AppLink>
  )
}

/** Columns that are drawn at least, so that blocks can be compared. */
const PARTIALS = 10
/** More than these are drawn together. */
const MAX_PARTIALS = 24

/** How many transactions each partial block added, as bars. */
function Partials({ number, partials }: { number: number; partials: readonly number[] }) {
  const isSealed = useIsSealed(number)
  const columns = grouped(partials)
  const words = partials
    .flatMap((count, index) =>
      count > 0 ? [`${formatCount(count, 'transaction')} in partial block ${partialNumber(index)}`] : [],
    )
    .join(', ')
  return (
    <span
      role="img"
      aria-label={words || 'no transactions'}
      title={words || undefined}
      className={css('partials', isSealed && 'sealed')}
    >
      {columns.map((count, index) => (
        <i
          key={index}
          className={css('bar', count > 0 && 'some')}
          style={{ height: count > 0 ? heightOf(count) : undefined }}
        />
      ))}
    </span>
  )
}

/** This many transactions have a bar of the full height, as have more. */
const FULL = 64

/** A bar's height: each doubling adds as much, so that one transaction can be seen beside a hundred. */
function heightOf(count: number): string {
  return `${Math.round(20 + 80 * Math.min(1, Math.log2(count) / Math.log2(FULL)))}%`
}

/** Counts of partial blocks, in as many columns as there is room for. */
export function grouped(partials: readonly number[]): readonly number[] {
  const size = Math.ceil(Math.max(partials.length, 1) / MAX_PARTIALS)
  const columns = Array.from({ length: Math.max(PARTIALS, Math.ceil(partials.length / size)) }, () => 0)
  for (const [index, count] of partials.entries()) {
    const column = Math.floor(index / size)
    columns[column] = (columns[column] ?? 0) + count
  }
  return columns
}

function Gas({ gasUsed, gasLimit }: BlockItem) {
  if (gasUsed === 0n) return <span className={css('nothing')}>0</span>
  return (
    <span title={`${formatInteger(gasUsed)} of ${formatInteger(gasLimit)} gas`}>
      <span className={css('share')}>{formatPercent(gasUsed, gasLimit)}</span>
      {formatInteger(gasUsed)}
    </span>
  )
}
