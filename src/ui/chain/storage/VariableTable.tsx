import { type ReactNode, useState } from 'react'
import type { Address as AddressHex, Hash } from '#primitives/hex.ts'
import type { Slots, ViewedVariable } from '#solidity/storage/describe-slots.ts'
import type { NamedAccount } from '#solidity/worker/messages.ts'
import { Address } from '#ui/chain/Address.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './VariableTable.module.css'

const css = classNames(styles)

/** Rows that are drawn at first. */
const SHOWN = 50

/** Variables of a contract with their values in several states, and the slots that no variable is known of. */
export function VariableTable({
  label,
  columns,
  named,
  views,
}: {
  label: string
  /** The heads of the columns of values, in the order of the views. */
  columns: readonly ReactNode[]
  /** `undefined`: no variable is known. */
  named: NamedAccount | undefined
  /** The values of its slots. */
  views: readonly Slots[]
}) {
  const [shown, setShown] = useState(SHOWN)
  const variables = named?.hasLayout ? named.variables : []
  const slots = named?.hasLayout ? named.unnamed : changedSlots(views)
  const rows: readonly Row[] = [
    ...variables.map((variable) => ({ key: `${variable.kind} ${variable.path} ${variable.slot}`, variable })),
    ...slots.map((slot) => ({ key: slot, slot })),
  ]
  return (
    <>
      <Table
        label={label}
        columns={columnsOf(columns, views)}
        items={rows.slice(0, shown)}
        keyOf={({ key }) => key}
        rows="compact"
        scrolls
        className="mono"
      />
      <ShowMore left={rows.length - shown} onMore={() => setShown(shown + 4 * SHOWN)} />
    </>
  )
}

function columnsOf(columns: readonly ReactNode[], views: readonly Slots[]): readonly Column<Row>[] {
  return [
    { name: 'Variable', isRowHead: true, className: css('variable'), cell: (row) => <Name row={row} /> },
    {
      name: 'Type',
      className: css('type'),
      cell: (row) => ('variable' in row ? typeWords(row.variable) : 'not known'),
    },
    ...columns.map(
      (head, i): Column<Row> => ({
        name: String(i),
        head,
        className: css('value'),
        look: (row) => (isOther(row, i, views) ? css('changed') : undefined),
        cell: (row) =>
          'variable' in row ? (
            <Value variable={row.variable} value={row.variable.values[i]} />
          ) : (
            <Word word={views[i]?.get(row.slot)} />
          ),
      }),
    ),
  ]
}

/** A variable, or a slot that no variable is known of. */
type Row = { readonly key: string } & ({ readonly variable: ViewedVariable } | { readonly slot: Hash })

function Name({ row }: { row: Row }) {
  if (!('variable' in row)) {
    return (
      <span title={row.slot} className={css('slot')}>
        slot {mediumHex(row.slot)}
      </span>
    )
  }
  const { path, slot, offset } = row.variable
  const where = slot === undefined ? 'in the code of the contract' : `slot ${slot}, byte ${offset}`
  return (
    <span title={`${othersText(path, LONGEST_PATH)}\n${where}`}>
      <Path path={path} />
    </span>
  )
}

function typeWords({ kind, type }: ViewedVariable): string {
  return `${othersText(type, LONGEST_NAME)}${kind === 'stored' ? '' : ` ${kind}`}`
}

/** Whether a column has another value than the first. */
function isOther(row: Row, column: number, views: readonly Slots[]): boolean {
  if (column !== 1) return false
  if ('variable' in row) return row.variable.values[1] !== row.variable.values[0]
  return views[1]?.get(row.slot) !== views[0]?.get(row.slot)
}

/** A path whose keys are named where they are addresses. */
function Path({ path }: { path: string }) {
  return othersText(path, LONGEST_PATH)
    .split(/(?<=\[)(0x[\da-f]{40})(?=\])/i)
    .map((part, i) => (i % 2 === 1 ? <Address key={i} address={part.toLowerCase() as AddressHex} /> : part))
}

/** Longest path and value, in characters. */
const LONGEST_PATH = 200
const LONGEST_VALUE = 400

function Value({
  variable: { type, isAddress },
  value,
}: {
  variable: ViewedVariable
  value: ViewedVariable['values'][number]
}) {
  if (value === null) return <span className="muted">no such item</span>
  if (value === undefined) {
    return <span className="muted">{type.startsWith('mapping') ? 'no keys seen' : 'not known'}</span>
  }
  return isAddress && BigInt(value) !== 0n ? (
    <Address address={value.toLowerCase() as AddressHex} />
  ) : (
    othersText(value, LONGEST_VALUE)
  )
}

function Word({ word }: { word: Hash | undefined }) {
  if (word === undefined) return 0
  const value = BigInt(word)
  return value < LARGEST_NUMBER ? value.toString() : <span title={word}>{mediumHex(word)}</span>
}

/** A larger word is hardly a number. */
const LARGEST_NUMBER = 10n ** 24n

/** The slots whose values are not the same in all states. */
function changedSlots(views: readonly Slots[]): readonly Hash[] {
  const slots = new Set(views.flatMap((view) => [...view.keys()]))
  return [...slots].filter((slot) => views.some((view) => view.get(slot) !== views[0]?.get(slot)))
}
