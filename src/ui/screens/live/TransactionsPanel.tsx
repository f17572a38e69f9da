import { useState, useSyncExternalStore } from 'react'
import { TransactionTable } from '#ui/chain/TransactionTable.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { atReadingPace } from '#ui/feed/at-reading-pace.ts'
import { recentTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './TransactionsPanel.module.css'

const css = classNames(styles)

const SHOWN = 20

const newest = () => recentTransactions(useFeed.getState().transactions, SHOWN)

/** The newest transactions of all senders. */
export function TransactionsPanel() {
  const [{ subscribe, get }] = useState(() => atReadingPace(newest, useFeed.subscribe))
  const recent = useSyncExternalStore(subscribe, get)
  return (
    <div className={css('unseen')}>
      <Panel title="Transactions" aside={<AppLink to="/explore/transactions">All transactions</AppLink>}>
        <TransactionTable
          of="chain"
          transactions={recent}
          empty="No transactions in the newest blocks or the mempool."
        />
      </Panel>
    </div>
  )
}
