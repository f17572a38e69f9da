import { memo, useMemo } from 'react'
import { Address } from '#ui/components/Address.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { DataTable } from '#ui/components/DataTable.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { StateChip } from '#ui/components/StateChip.tsx'
import type { FeedTransaction } from '#ui/feed/feed-state.ts'
import { recentTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { describeCall, shortHex } from '#ui/format/hex.ts'
import { formatEth } from '#ui/format/numbers.ts'

const SHOWN = 20

/** The newest transactions of all senders. */
export function TransactionsPanel() {
  const transactions = useFeed((feed) => feed.transactions)
  const recent = useMemo(() => recentTransactions(transactions, SHOWN), [transactions])
  return (
    <Panel title="Transactions" aside={`the newest ${SHOWN} since this page opened`}>
      <DataTable
        name="Transactions"
        columns={[
          { name: 'State' },
          { name: 'Hash' },
          { name: 'Block' },
          { name: 'Partial', detail: true },
          { name: 'Method', detail: true },
          { name: 'From', detail: true },
          { name: 'To', detail: true },
          { name: 'Value', numeric: true },
        ]}
        empty="No transactions since this page opened. Those before are in their blocks."
      >
        {recent.map((tx) => (
          <Row key={tx.hash} tx={tx} />
        ))}
      </DataTable>
    </Panel>
  )
}

const Row = memo(function Row({ tx }: { tx: FeedTransaction }) {
  return (
    <tr data-testid="tx-row" data-hash={tx.hash} data-state={tx.stage} data-partial={tx.partialIndex}>
      <td>
        <StateChip stage={tx.stage} outcome={tx.outcome} />
      </td>
      <td>
        <AppLink to={`/tx/${tx.hash}`} className="mono">
          {shortHex(tx.hash)}
        </AppLink>
      </td>
      <td>
        {tx.blockNumber === undefined ? '–' : <AppLink to={`/block/${tx.blockNumber}`}>#{tx.blockNumber}</AppLink>}
      </td>
      <td>{tx.partialIndex ?? '–'}</td>
      <td>{describeCall(tx)}</td>
      <td>
        <Address address={tx.from} />
      </td>
      <td>{tx.to ? <Address address={tx.to} /> : 'new contract'}</td>
      <td>{formatEth(tx.value)}</td>
    </tr>
  )
})
