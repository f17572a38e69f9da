import { useState } from 'react'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { LayoutWords } from '#ui/chain/storage/LayoutWords.tsx'
import { VariableTable } from '#ui/chain/storage/VariableTable.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { type ContractChanges, type StateChanges, useStateChanges } from '#ui/queries/storage.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './StateTab.module.css'

const css = classNames(styles)

/** Contracts that are drawn at first. */
const SHOWN = 5

/** What a transaction changed in the storage of contracts, by variable: before, pre-confirmed and sealed. */
export function StateTab({ tx, receipt, isSealed }: { tx: RpcTransaction; receipt: RpcReceipt; isSealed: boolean }) {
  const { data, error } = useStateChanges(tx, receipt, isSealed)
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return <p className="empty">Running it once more to see what it changed…</p>
  if (data === null) return <p className="empty">This endpoint cannot tell what a transaction changed.</p>
  if (data.contracts.length === 0) {
    return (
      <p className="empty">
        {receipt.status === '0x0'
          ? 'It changed no storage: what it wrote was undone as it failed.'
          : 'It changed the storage of no contract.'}
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
      <p className="note">
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
