import { findDevAccount } from '#client/signing/dev-accounts.ts'
import { type Column, Table } from '#ui/components/Table.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatEth, formatInteger } from '#ui/format/numbers.ts'
import type { OwnTransaction } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './OutcomeTable.module.css'
import type { Answers } from './use-followed.ts'

const css = classNames(styles)

interface Row {
  readonly name: string
  readonly value: (answers: Answers) => string
}

/** Compares the node's answers before and after a transaction is sealed. */
export function OutcomeTable({
  own,
  early,
  late,
}: {
  own: OwnTransaction
  early: Answers | undefined
  late?: Answers | undefined
}) {
  const isOther = ({ value }: Row) => early !== undefined && late !== undefined && value(early) !== value(late)
  return (
    <Table
      label="The node’s answers"
      columns={columnsOf(early, late, isOther)}
      items={rowsFor(own)}
      keyOf={({ name }) => name}
      rowProps={(row) => ({ className: css(isOther(row) && 'changed') || undefined })}
      rows="compact"
      className={css('answers')}
    />
  )
}

function columnsOf(
  early: Answers | undefined,
  late: Answers | undefined,
  isOther: (row: Row) => boolean,
): readonly Column<Row>[] {
  return [
    { name: 'Question', isRowHead: true, cell: ({ name }) => name },
    { name: 'Pre-confirmed', cell: ({ value }) => (early ? value(early) : 'not seen') },
    ...(late
      ? [
          {
            name: 'Sealed',
            cell: (row: Row) => (
              <>
                {row.value(late)}
                {isOther(row) && <span className="visually-hidden"> (changed)</span>}
              </>
            ),
          },
        ]
      : []),
  ]
}

function rowsFor({ to }: OwnTransaction): readonly Row[] {
  const rows: Row[] = [
    {
      name: 'Outcome',
      value: ({ receipt }) => (receipt ? (receipt.status === '0x1' ? 'success' : 'reverted') : 'no receipt'),
    },
    { name: 'Gas used', value: ({ receipt }) => (receipt ? formatInteger(BigInt(receipt.gasUsed)) : '–') },
    { name: 'Block', value: ({ receipt }) => (receipt ? `#${formatInteger(BigInt(receipt.blockNumber))}` : '–') },
    { name: 'Block hash', value: ({ receipt }) => blockHashWords(receipt?.blockHash) },
    { name: 'Latest block', value: ({ latest }) => `#${formatInteger(latest)}` },
  ]
  if (!to) return rows
  const whose = findDevAccount(to)?.name ?? shortHex(to)
  return [
    ...rows,
    {
      name: `${whose} at pending`,
      value: ({ balances }) => (balances ? formatEth(balances.pending) : '–'),
    },
    {
      name: `${whose} at latest`,
      value: ({ balances }) => (balances ? formatEth(balances.latest) : '–'),
    },
  ]
}

function blockHashWords(hash: `0x${string}` | undefined): string {
  if (hash === undefined) return '–'
  return BigInt(hash) === 0n ? 'zeros: not known yet' : shortHex(hash)
}
