import type { CSSProperties } from 'react'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Hex } from '#primitives/hex.ts'
import { type Column, Table } from '#ui/components/Table.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { dissectTransaction } from './dissect.ts'
import { explainField } from './explain-field.ts'
import styles from './SignedBytes.module.css'

const css = classNames(styles)

/** How many hex digits of a field are shown; the rest is counted. */
const SHOWN = 130

/** The bytes of a signed transaction, coloured and explained by field. */
export function SignedBytes({ raw }: { raw: Hex }) {
  const dissection = dissectTransaction(raw)
  if (!dissection.ok) {
    return (
      <>
        <p className={css('bytes')}>{raw.length > 600 ? `${raw.slice(0, 600)}…` : raw}</p>
        <p className={css('problem')}>
          These bytes are not a transaction: {dissection.problem} The node will refuse them.
        </p>
      </>
    )
  }
  return (
    <>
      <p className={css('bytes')} aria-label="Signed bytes, coloured by field">
        0x
        {dissection.fields.map((field, i) => (
          <span
            key={field.name}
            className={css('run', 'coloured')}
            style={hue(i)}
            title={explainField(field, nameOf).label}
          >
            {field.bytes.length > SHOWN ? `${field.bytes.slice(2, SHOWN)}…` : field.bytes.slice(2)}
          </span>
        ))}
      </p>
      <Table
        label="Fields of the transaction"
        columns={COLUMNS}
        items={dissection.fields}
        keyOf={({ name }) => name}
        rows="compact"
        hidesHeads
        className={css('fields')}
      />
    </>
  )
}

const COLUMNS: readonly Column<Parameters<typeof explainField>[0]>[] = [
  {
    name: 'Field',
    isRowHead: true,
    className: css('name'),
    cell: (field, position) => (
      <span className={css('label', 'coloured')} style={hue(position)}>
        {explainField(field, nameOf).label}
      </span>
    ),
  },
  {
    name: 'Value and meaning',
    cell: (field) => {
      const { value, meaning } = explainField(field, nameOf)
      return (
        <>
          {value && <span className={css('value')}>{value}</span>}
          <span className={css('meaning')}>{meaning}</span>
        </>
      )
    },
  },
]

/** Hues in degrees, with large steps between neighbours. */
const HUES = [215, 40, 325, 150, 265, 75, 15, 185]

function hue(position: number): CSSProperties {
  return { '--hue': HUES[position % HUES.length] } as CSSProperties
}

function nameOf(address: Hex): string | undefined {
  return findDevAccount(address)?.name
}
