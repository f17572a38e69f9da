import { useMemo, useRef } from 'react'
import { type TransactionRow, TransactionTable } from '#ui/chain/TransactionTable.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { useDrawnPart } from '#ui/components/use-drawn-part.ts'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useAnswer } from '#ui/queries/answer.ts'
import { arrivalWords } from '#ui/screens/live/watch-words.ts'
import type { TransactionItem, TransactionWishes } from './chain-lists.ts'
import { Filters, TextFilter } from './Filters.tsx'
import { ListView } from './ListView.tsx'
import { Nothing } from './Nothing.tsx'
import { problemOf, resolveAddress, resolveMethod, resolveRange, valueOf } from './resolve.ts'
import { isWanted } from './standard-lists.ts'
import { useAbis, useChainLists, useListVersion, useNames } from './use-chain.ts'
import type { ListProps } from './use-list-address.ts'

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'preconfirmed', label: 'Pre-confirmed' },
  { value: 'sealed', label: 'Sealed' },
  { value: 'failed', label: 'Failed' },
] as const

type State = (typeof STATES)[number]['value']

const stateOf = (text: string | undefined): State => STATES.find(({ value }) => value === text)?.value ?? 'all'

/** The chain's transactions. */
export function TransactionList({ address, start, onNewest }: ListProps) {
  const { filters, setFilter, clear, setPlace } = address
  const names = useNames()
  const abis = useAbis()
  const { preconfirms } = useCapabilities()
  const state = stateOf(filters['state'])
  const from = resolveAddress(filters['from'] ?? '', names)
  const to = resolveAddress(filters['to'] ?? '', names)
  const method = resolveMethod(filters['method'] ?? '', abis)
  const range = resolveRange(filters['range'] ?? '')
  const problem = [from, to, method, range].map(problemOf).find((one) => one !== undefined)
  const isFiltered = Object.keys(filters).length > 0
  const wishes: TransactionWishes = {
    from: valueOf(from),
    to: valueOf(to),
    method: valueOf(method),
    state: state === 'all' || state === 'waiting' ? undefined : state,
    range: valueOf(range),
  }
  const offers = names.map(([name]) => name)
  return (
    <>
      <Filters isFiltered={isFiltered} onClear={clear}>
        <Segmented
          legend="State"
          options={preconfirms ? STATES : STATES.filter(({ value }) => value !== 'preconfirmed')}
          value={state}
          onChange={(value) => setFilter('state', value === 'all' ? '' : value)}
        />
        <TextFilter
          label="From"
          value={filters['from'] ?? ''}
          placeholder="anyone"
          problem={problemOf(from)}
          offers={offers}
          onChange={(text) => setFilter('from', text)}
        />
        <TextFilter
          label="To"
          value={filters['to'] ?? ''}
          placeholder="anyone"
          problem={problemOf(to)}
          offers={offers}
          onChange={(text) => setFilter('to', text)}
        />
        <TextFilter
          label="Method"
          value={filters['method'] ?? ''}
          placeholder="any, such as transfer"
          problem={problemOf(method)}
          onChange={(text) => setFilter('method', text)}
        />
        <TextFilter
          label="Blocks"
          value={filters['range'] ?? ''}
          placeholder="all, or 10–20"
          problem={problemOf(range)}
          onChange={(text) => setFilter('range', text)}
        />
      </Filters>
      {problem !== undefined ? (
        <Nothing title="Check the filters" onClear={clear}>
          {problem}
        </Nothing>
      ) : state === 'waiting' ? (
        <Waiting wishes={wishes} onClear={isFiltered ? clear : undefined} />
      ) : (
        <Included
          key={JSON.stringify(wishes)}
          wishes={wishes}
          start={start}
          onPlace={setPlace}
          onNewest={onNewest}
          onClear={isFiltered ? clear : undefined}
        />
      )}
    </>
  )
}

function Included({
  wishes,
  onClear,
  ...rest
}: {
  wishes: TransactionWishes
  start: ListProps['start']
  onPlace: ListProps['address']['setPlace']
  onNewest: () => void
  onClear: (() => void) | undefined
}) {
  const lists = useChainLists()
  const version = useListVersion()
  const head = useFeed(({ sealed }) => sealed[0]?.number ?? 0)
  return (
    <ListView<TransactionItem>
      noun="transaction"
      source={{
        fetchPage: (before) => lists.transactions(wishes, before),
        placeOf: ({ blockNumber, index }) => ({ block: blockNumber, index }),
        version,
      }}
      empty={<NoTransactions onClear={onClear} />}
      {...rest}
    >
      {(items, part) => <Rows items={items} head={head} part={part} />}
    </ListView>
  )
}

function Rows({
  items,
  head,
  part,
}: {
  items: readonly TransactionItem[]
  /** Number of the newest sealed block. */
  head: number
  part: Parameters<typeof TransactionTable>[0]['part']
}) {
  const rows = useMemo(
    () =>
      items.map((item): TransactionRow => ({ ...item, status: item.blockNumber <= head ? 'sealed' : 'preconfirmed' })),
    [items, head],
  )
  return <TransactionTable of="list" transactions={rows} {...(part && { part })} />
}

function NoTransactions({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear) {
    return (
      <Nothing title="No such transactions" onClear={onClear}>
        No transaction of the chain matches these filters.
      </Nothing>
    )
  }
  return (
    <Nothing
      title="No transactions yet"
      actions={
        <>
          <AppLink to="/send">Send a transaction</AppLink>
          <AppLink to="/contracts">Deploy a contract</AppLink>
          <AppLink to="/">Watch the live chain</AppLink>
        </>
      }
    >
      They appear here as soon as they are pre-confirmed.
    </Nothing>
  )
}

/** What waits in the mempool, as the page hears of it. */
function Waiting({ wishes, onClear }: { wishes: TransactionWishes; onClear: (() => void) | undefined }) {
  const area = useRef<HTMLDivElement>(null)
  const answer = useAnswer()
  const all = useFeed((feed) => feed.transactions)
  const waiting = pooledTransactions(all)
    .filter((tx) => isWanted(wishes, tx))
    .toReversed()
  const part = useDrawnPart(area, waiting.length)
  if (waiting.length === 0) {
    return (
      <Nothing title="Nothing is waiting" onClear={onClear}>
        The mempool has no such transactions: {arrivalWords(answer)}.
      </Nothing>
    )
  }
  return (
    <div ref={area}>
      <TransactionTable of="list" transactions={waiting} part={part} />
      <p role="status" className="note">
        {formatCount(waiting.length, 'transaction')} waiting in the mempool.
      </p>
    </div>
  )
}
