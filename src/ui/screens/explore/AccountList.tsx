import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadOlder } from '#ui/components/LoadOlder.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useDrawnPart } from '#ui/components/use-drawn-part.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatEth, formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AccountList.module.css'
import { type AccountItem, type AccountKind, accountsQuery } from './accounts.ts'
import { Filters, TextFilter } from './Filters.tsx'
import { Nothing } from './Nothing.tsx'
import { useNames } from './use-chain.ts'
import type { ListProps } from './use-list-address.ts'

const css = classNames(styles)

const ACCOUNT: Column<AccountItem> = {
  name: 'Account',
  width: 'var(--account-width)',
  cell: ({ address, name }) => (
    <span className={css('who')}>
      {name === undefined ? (
        <>
          <span className={css('digits')}>
            <Address address={address} full />
          </span>
          <span className={css('short')}>
            <Address address={address} />
          </span>
        </>
      ) : (
        <>
          <Address address={address} />
          <span className={`${css('digits', 'faint')} mono`} title={address}>
            {address}
          </span>
        </>
      )}
    </span>
  ),
}
const BALANCE: Column<AccountItem> = {
  name: 'Balance',
  numeric: true,
  cell: ({ balance }) =>
    balance === 0n ? (
      <span className={css('zero')}>{formatEth(0n)}</span>
    ) : (
      <Amount wei={balance}>{formatEth(balance)}</Amount>
    ),
}

/** Shown where an account has one. */
const DELEGATE = 'Delegates to'

const COLUMNS: Readonly<Record<AccountKind, readonly Column<AccountItem>[]>> = {
  accounts: [
    ACCOUNT,
    {
      name: DELEGATE,
      narrow: 'detail',
      fits: true,
      cell: ({ delegatedTo }) =>
        delegatedTo ? <Address address={delegatedTo} /> : <span className={css('zero')}>–</span>,
    },
    {
      name: 'Transactions sent',
      numeric: true,
      narrow: 'detail',
      cell: ({ nonce }) => <span className={css(nonce === 0 && 'zero')}>{formatInteger(nonce)}</span>,
    },
    {
      name: 'Its',
      head: <span className="visually-hidden">Lists</span>,
      numeric: true,
      narrow: 'detail',
      width: '9em',
      fits: true,
      cell: ({ address }) => <AppLink to={`/explore/transactions?f.from=${address}`}>Transactions</AppLink>,
    },
    BALANCE,
  ],
  contracts: [
    { ...ACCOUNT, name: 'Contract' },
    {
      name: 'Code',
      numeric: true,
      cell: ({ codeSize }) => `${formatInteger(codeSize)} bytes`,
    },
    {
      name: 'Its',
      head: <span className="visually-hidden">Lists</span>,
      numeric: true,
      narrow: 'detail',
      width: '14em',
      fits: true,
      cell: ({ address }) => (
        <span className={css('lists')}>
          <AppLink to={`/explore/transactions?f.to=${address}`}>Transactions</AppLink>
          <AppLink to={`/explore/events?f.contract=${address}`}>Events</AppLink>
        </span>
      ),
    },
    BALANCE,
  ],
}

/** Accounts, or contracts: those with a name, then all others of the chain. */
export function AccountList({ kind, address: { filters, setFilter, clear } }: ListProps & { kind: AccountKind }) {
  const area = useRef<HTMLDivElement>(null)
  const provider = useProvider()
  const { devnet } = useCapabilities()
  const names = useNames()
  const seen = useSeen()
  const sealed = useFeed((feed) => feed.sealed[0]?.hash)
  const text = filters['find'] ?? ''
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    accountsQuery(provider, { kind, names, seen, text, isListed: devnet }),
  )
  useFresh(sealed, (data?.pages.length ?? 0) <= MAX_REFRESHED, refetch)
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])
  // A page may have none of those that are looked for.
  const isSearching = hasNextPage && items.length < WANTED && (data?.pages.length ?? 0) < MAX_PAGES && !error
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage()
  }, [isSearching, isFetching, fetchNextPage])
  const part = useDrawnPart(area, items.length)
  const delegates = items.some(({ delegatedTo }) => delegatedTo !== null)
  const columns = useMemo(() => COLUMNS[kind].filter(({ name }) => delegates || name !== DELEGATE), [kind, delegates])
  const noun = kind === 'accounts' ? 'account' : 'contract'
  const note = data?.pages.find((page) => page.note !== undefined)?.note
  return (
    <>
      <Filters isFiltered={text !== ''} onClear={clear}>
        <TextFilter
          label="Find"
          value={text}
          placeholder="a name or an address"
          offers={names.map(([name]) => name)}
          onChange={(typed) => setFilter('find', typed)}
        />
      </Filters>
      <div ref={area} className={css('list')} aria-busy={!data && !error}>
        <Table
          label={kind === 'accounts' ? 'Accounts' : 'Contracts'}
          columns={columns}
          items={items}
          keyOf={({ address }) => address}
          part={part}
          layout="steady"
          sticky
          walk
        />
        {data && items.length === 0 && !hasNextPage && (
          <Nothing
            title={`No ${noun}s${text ? ' found' : ' yet'}`}
            onClear={text ? clear : undefined}
            actions={!text && <AppLink to="/contracts">Deploy a contract</AppLink>}
          >
            {text
              ? 'None is called like this, and none begins with these digits.'
              : 'They appear here once they exist.'}
          </Nothing>
        )}
        {error && <ErrorNote error={error} />}
        {note !== undefined && <p className="note">{note}</p>}
        {items.length > 0 && (
          <LoadOlder
            label="Load more"
            isLoading={isFetching && isSearching}
            onMore={hasNextPage ? () => void fetchNextPage() : undefined}
          >
            {formatCount(items.length, noun)}
            {!hasNextPage && note === undefined && (text ? '.' : ', all of this chain.')}
          </LoadOlder>
        )}
      </div>
    </>
  )
}

/** Rows that a person looks at before asking for more. */
const WANTED = 50
/** Pages of a search that go by themselves. */
const MAX_PAGES = 20
/** With more pages than these, the list stays as it was when they were loaded. */
const MAX_REFRESHED = 4

/** Asks again with each sealed block. */
function useFresh(
  version: string | undefined,
  isRefreshed: boolean,
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>,
): void {
  const first = useRef(version)
  useEffect(() => {
    if (version === first.current || !isRefreshed) return
    first.current = version
    // A page that is on its way, such as one that somebody asked for, is not given up for it.
    void refetch({ cancelRefetch: false })
  }, [version, isRefreshed, refetch])
}

/** Most accounts that are taken from what the page has seen. */
const MAX_SEEN = 50

/** Accounts that took part in the newest transactions, for chains that cannot list theirs. */
function useSeen(): readonly AddressHex[] {
  const transactions = useFeed((feed) => feed.transactions)
  return useMemo(() => {
    const newest = [...transactions.values()].slice(-MAX_SEEN).toReversed()
    return [...new Set(newest.flatMap(({ from, to }) => (to ? [from, to] : [from])))].slice(0, MAX_SEEN)
  }, [transactions])
}
