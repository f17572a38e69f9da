import { useMemo } from 'react'
import { Squares } from '#ui/chain/Squares.tsx'
import { squareOf } from '#ui/chain/squares/square.ts'
import { Panel } from '#ui/components/Panel.tsx'
import { Term } from '#ui/components/Term.tsx'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Mempool.module.css'

const css = classNames(styles)

/** Transactions that were accepted and wait for a partial block. */
export function Mempool() {
  const transactions = useFeed((feed) => feed.transactions)
  const ownHashes = useOwnTransactions((state) => state.hashes)
  const squares = useMemo(
    () => pooledTransactions(transactions).map((tx) => squareOf(tx, 'mempool', ownHashes)),
    [transactions, ownHashes],
  )
  return (
    <Panel
      title={<Term of="mempool">Mempool</Term>}
      aside={<span aria-hidden="true">{formatInteger(squares.length)}</span>}
    >
      <div className={css('squares')}>
        <Squares squares={squares} block={null} />
        {squares.length === 0 && <p className={css('empty')}>The mempool is empty.</p>}
      </div>
      <p className="visually-hidden">{formatCount(squares.length, 'transaction')} waiting</p>
    </Panel>
  )
}
