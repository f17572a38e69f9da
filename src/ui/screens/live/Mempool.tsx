import { useMemo } from 'react'
import { Panel } from '#ui/components/Panel.tsx'
import { type Square, Squares } from '#ui/components/Squares.tsx'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Mempool.module.css'

const css = classNames(styles)

/** What was accepted and waits for a partial block. */
export function Mempool() {
  const transactions = useFeed((feed) => feed.transactions)
  const own = useOwnTransactions((state) => state.sent)
  const squares = useMemo(() => {
    const ownHashes = new Set(own.map((tx) => tx.hash))
    return pooledTransactions(transactions).map(({ hash }): Square => ({ state: 'mempool', own: ownHashes.has(hash) }))
  }, [transactions, own])
  return (
    <Panel title="Mempool" aside={<span aria-hidden="true">{formatInteger(squares.length)}</span>}>
      <div className={css('squares')}>
        {squares.length > 0 ? <Squares squares={squares} /> : <p className={css('empty')}>Nothing waits.</p>}
      </div>
      <p className="visually-hidden">{formatCount(squares.length, 'transaction')} waiting</p>
    </Panel>
  )
}
