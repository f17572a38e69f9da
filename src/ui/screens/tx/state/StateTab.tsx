import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { LayoutWords } from '#ui/chain/storage/LayoutWords.tsx'
import { VariableTable } from '#ui/chain/storage/VariableTable.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatEth, formatInteger } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { versionOf } from '#ui/queries/executions.ts'
import { type ContractChanges, type StateChanges, useStateChanges } from '#ui/queries/storage.ts'
import { type AccountDelta, accountChangesQuery } from '#ui/queries/traces.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './StateTab.module.css'

const css = classNames(styles)

/** Contracts that are drawn at first. */
const SHOWN = 5

/** What a transaction changed: balances, and the storage of contracts by variable, before, pre-confirmed and sealed. */
export function StateTab({ tx, receipt, isSealed }: { tx: RpcTransaction; receipt: RpcReceipt; isSealed: boolean }) {
  const { data, error } = useStateChanges(tx, receipt, isSealed)
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return <p className="empty">Running it once more to see what it changed…</p>
  if (data === null) return <p className="empty">This endpoint cannot tell what a transaction changed.</p>
  return (
    <div className={css('contracts')}>
      <Balances tx={tx} receipt={receipt} />
      <Storage data={data} receipt={receipt} isSealed={isSealed} />
    </div>
  )
}

/** Balances and nonces before and after; the seal does not change them. */
function Balances({ tx, receipt }: { tx: RpcTransaction; receipt: RpcReceipt }) {
  const { data, error } = useQuery(accountChangesQuery(useProvider(), tx.hash, versionOf(receipt)))
  if (error) return <ErrorNote error={error} />
  if (!data || data.length === 0) return null
  return (
    <section aria-label="Changed balances">
      <h3 className={css('title')}>Balances and nonces</h3>
      <Table
        label="Changed balances and nonces"
        columns={BALANCE_COLUMNS}
        items={data}
        keyOf={({ address }) => address}
        rows="dense"
        scrolls
      />
    </section>
  )
}

const BALANCE_COLUMNS: readonly Column<AccountDelta>[] = [
  { name: 'Account', isRowHead: true, cell: ({ address }) => <Address address={address} /> },
  {
    name: 'Before',
    numeric: true,
    cell: ({ balance }) => <Amount wei={balance.before}>{formatEth(balance.before, 6)}</Amount>,
  },
  {
    name: 'After',
    numeric: true,
    cell: ({ balance }) => <Amount wei={balance.after}>{formatEth(balance.after, 6)}</Amount>,
  },
  { name: 'Change', numeric: true, cell: ({ balance }) => changeOf(balance.after - balance.before) },
  {
    name: 'Nonce',
    numeric: true,
    cell: ({ nonce }) => (nonce.before === nonce.after ? nonce.after : `${nonce.before} → ${nonce.after}`),
  },
]

/** @param wei - What was added; negative if it was taken away. */
function changeOf(wei: bigint): string {
  if (wei === 0n) return '–'
  return wei > 0n ? `+${formatEth(wei, 6)}` : `−${formatEth(-wei, 6)}`
}

function Storage({ data, receipt, isSealed }: { data: StateChanges; receipt: RpcReceipt; isSealed: boolean }) {
  if (data.contracts.length === 0) {
    return (
      <p className="empty">
        {receipt.status === '0x0'
          ? 'No contract storage changed: what it wrote was undone when it reverted.'
          : 'No contract storage changed.'}
      </p>
    )
  }
  return <Changes changes={data} isSealed={isSealed} />
}

function Changes({ changes: { contracts, more, sealedAt }, isSealed }: { changes: StateChanges; isSealed: boolean }) {
  const [shown, setShown] = useState(SHOWN)
  const columns = [
    'Before',
    <Head key="after" sign="preconfirmed" words="Pre-confirmed" />,
    ...(sealedAt === undefined
      ? []
      : [
          <Head
            key="sealed"
            sign="sealed"
            words={
              isSealed
                ? `Sealed in #${formatInteger(BigInt(sealedAt))}`
                : `Sealed so far, #${formatInteger(BigInt(sealedAt))}`
            }
          />,
        ]),
  ]
  return (
    <div className={css('contracts')}>
      {contracts.slice(0, shown).map((contract) => (
        <Contract key={contract.address} contract={contract} columns={columns} />
      ))}
      <ShowMore left={contracts.length - shown} onMore={() => setShown(shown + 4 * SHOWN)} />
      {more > 0 && <p className="note">{formatCount(more, 'further contract')} had no room here.</p>}
    </div>
  )
}

function Head({ sign, words }: { sign: 'preconfirmed' | 'sealed'; words: string }) {
  return (
    <span className={css('head')}>
      <Glyph sign={sign} /> {words}
    </span>
  )
}

function Contract({
  contract: { address, views, named, implementation, isProxyUnknown },
  columns,
}: {
  contract: ContractChanges
  columns: Parameters<typeof VariableTable>[0]['columns']
}) {
  const name = named ? othersText(named.contract, LONGEST_NAME) : address
  return (
    <section aria-label={`Changes of ${name}`}>
      <h3 className={css('title')}>
        <Address address={address} />
      </h3>
      <p className={`note ${css('words')}`}>
        {isProxyUnknown ? (
          'It is not known whether this was a proxy then, or which code it ran: the chain no longer has that state, or it changed within the block. So its slots have no names.'
        ) : (
          <LayoutWords named={named} implementation={implementation} isPast />
        )}
      </p>
      <VariableTable label={`Changed variables of ${name}`} columns={columns} named={named} views={views} />
    </section>
  )
}
