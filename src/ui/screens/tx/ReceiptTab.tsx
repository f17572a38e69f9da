import { useState } from 'react'
import type { Hex } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { type ComparedField, compareReceipts } from '#ui/decode/compare-receipts.ts'
import { isPreconfirmed, preconfirmedReceipt } from '#ui/feed/preconfirmed-receipts.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { PartProps } from './part-props.ts'
import styles from './ReceiptTab.module.css'

const css = classNames(styles)

/** The pre-confirmed receipt beside the sealed one, to compare the promise with the result. */
export function ReceiptTab({ tx, receipt }: PartProps) {
  const { preconfirms } = useCapabilities()
  if (!receipt) {
    return (
      <p className="empty">
        There is no receipt yet: it comes with the {preconfirms ? 'partial block' : 'block'} that runs the transaction.
      </p>
    )
  }
  const before = isPreconfirmed(receipt) ? receipt : preconfirmedReceipt(tx.hash)
  const after = isPreconfirmed(receipt) ? undefined : receipt
  return (
    <>
      <p className="muted">{lesson(before, after, preconfirms)}</p>
      <Comparison before={before} after={after} preconfirms={preconfirms && before !== undefined} />
    </>
  )
}

function lesson(before: RpcReceipt | undefined, after: RpcReceipt | undefined, preconfirms: boolean): string {
  if (before && !after) {
    return 'Pre-confirmed, not final: the block is not sealed. It has no hash yet, so the receipt has 32 zero bytes in its place.'
  }
  if (!before) {
    const sealed = 'This is the sealed receipt.'
    return preconfirms
      ? `${sealed} The page has no pre-confirmed one: it was not open at the time, or no longer has it.`
      : `${sealed} This chain does not pre-confirm, so there is no earlier one.`
  }
  const fields = after ? compareReceipts(before, after) : []
  const changed = fields.filter(({ equal }) => !equal)
  const equal = `${fields.length - changed.length} of ${formatCount(fields.length, 'field')} are the same as when pre-confirmed.`
  if (changed.length === 0) return equal
  if (changed.every(({ name }) => name.endsWith('blockHash'))) {
    return `${equal} The seal only filled in the block hash, which was not known before.`
  }
  return `${equal} The others changed because the block was removed and built again.`
}

function Comparison({
  before,
  after,
  preconfirms,
}: {
  before: RpcReceipt | undefined
  after: RpcReceipt | undefined
  /** Whether the page has a pre-confirmed one; otherwise there is only one column. */
  preconfirms: boolean
}) {
  const [onlyChanged, setOnlyChanged] = useState(false)
  const both = before !== undefined && after !== undefined
  const known = after ?? before
  if (!known) return undefined
  const fields = compareReceipts(before ?? known, after ?? known)
  const isChanged = ({ equal }: ComparedField) => both && preconfirms && !equal
  const shown = both && onlyChanged ? fields.filter(({ equal }) => !equal) : fields
  return (
    <>
      {both && (
        <CheckField checked={onlyChanged} onChange={setOnlyChanged}>
          Only what changed
        </CheckField>
      )}
      <Table
        label={preconfirms ? 'Receipt, pre-confirmed and sealed' : 'Receipt'}
        columns={columnsOf(preconfirms, after !== undefined, isChanged)}
        items={shown}
        keyOf={({ name }) => name}
        rowProps={(field) => ({ className: isChanged(field) ? css('changed') : undefined })}
        rows="compact"
        scrolls
        className={css('receipt')}
      />
    </>
  )
}

function columnsOf(
  preconfirms: boolean,
  isSealed: boolean,
  isChanged: (field: ComparedField) => boolean,
): readonly Column<ComparedField>[] {
  return [
    {
      name: 'Field',
      isRowHead: true,
      cell: (field) => (
        <>
          {field.name}
          {isChanged(field) && <span className={css('mark')}>changed</span>}
        </>
      ),
    },
    ...(preconfirms
      ? [
          {
            name: 'Pre-confirmed',
            head: (
              <>
                <Glyph sign="preconfirmed" /> Pre-confirmed
              </>
            ),
            cell: (field: ComparedField) => <Cell text={field.before} />,
          },
        ]
      : []),
    {
      name: 'Sealed',
      head: (
        <>
          <Glyph sign="sealed" /> Sealed
        </>
      ),
      cell: (field) => (isSealed ? <Cell text={field.after} /> : <span className="muted">not sealed yet</span>),
    },
  ]
}

function Cell({ text }: { text: string | undefined }) {
  if (text === undefined) return <span className="muted">absent</span>
  const short = text.startsWith('0x') ? mediumHex(text as Hex) : text
  return <code title={text}>{short}</code>
}
