import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Address, Hash } from '#primitives/hex.ts'
import { type TransactionRow, TransactionTable } from '#ui/chain/TransactionTable.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadOlder } from '#ui/components/LoadOlder.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { accountTransactionsQuery, type FoundTransaction } from '#ui/queries/account-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Transactions.module.css'

const css = classNames(styles)

/** Transactions of the account: those in the page's feed, and those found in earlier blocks. */
export function Transactions({ address }: { address: Address }) {
  const provider = useProvider()
  const head = useFeed((feed) => feed.sealed[0]?.number) ?? 0
  const reorgs = useFeed((feed) => feed.reorgs)
  const heard = useFeed((feed) => feed.transactions)
  // The feed has everything after it.
  const [start] = useState(head)
  const [read, setRead] = useState<number>()
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(
    accountTransactionsQuery(provider, address, Math.min(start, head), reorgs, setRead),
  )
  const oldest = data?.pages.at(-1)?.from
  const rows = useMemo(() => {
    // The feed may also have some from before the blocks that were read here: they come with their blocks.
    const since = [...heard.values()].filter(({ blockNumber }) => (blockNumber ?? start) >= (oldest ?? start))
    return mergeRows(address, since, data?.pages.flatMap((page) => page.transactions) ?? [])
  }, [address, heard, data, oldest, start])
  return (
    <>
      <div className={css('scroll')}>
        <TransactionTable
          of="chain"
          transactions={rows}
          empty={isFetching ? 'Reading the newest blocks…' : emptyWords(oldest)}
        />
      </div>
      {error && <ErrorNote error={error} />}
      <LoadOlder isLoading={isFetching} onMore={hasNextPage ? () => void fetchNextPage() : undefined}>
        {isFetching ? `Reading block #${read ?? start}…` : standWords(rows.length, oldest)}
      </LoadOlder>
    </>
  )
}

function emptyWords(oldest: number | undefined): string {
  return oldest === 0
    ? 'This account has no transactions.'
    : 'No transactions in the blocks loaded so far. You can load older ones.'
}

function standWords(count: number, oldest: number | undefined): string {
  const since = oldest === 0 ? 'since the first block' : `since block #${oldest}`
  return `${formatCount(count, 'transaction')} ${since}, sent or received by this account. Calls between contracts are not included.`
}

/**
 * An account's transactions, newest first, without duplicates.
 *
 * @param heard - All transactions of the page's feed, oldest first.
 * @param found - The account's in sealed blocks, newest first.
 */
export function mergeRows(
  address: Address,
  heard: readonly TransactionRow[],
  found: readonly FoundTransaction[],
): readonly TransactionRow[] {
  const own = heard.filter((tx) => tx.from === address || tx.to === address).toReversed()
  const known = new Set<Hash>(own.map(({ hash }) => hash))
  return [...own, ...found.filter(({ hash }) => !known.has(hash)).map(sealedRow)]
}

/** A transaction from its block; the outcome is in the receipt. */
function sealedRow({ hash, from, to, value, input, blockNumber, partialIndex }: FoundTransaction): TransactionRow {
  return {
    hash,
    from,
    to,
    value: BigInt(value),
    input,
    status: 'sealed',
    outcome: undefined,
    blockNumber: blockNumber === null ? undefined : Number(blockNumber),
    partialIndex,
  }
}
