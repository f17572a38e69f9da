import { type ReactNode, useState } from 'react'
import type { Address as AddressHex, Hash } from '#primitives/hex.ts'
import type { Slots, ViewedVariable } from '#solidity/storage/describe-slots.ts'
import type { NamedAccount } from '#solidity/worker/messages.ts'
import { Address } from '#ui/chain/Address.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
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
  const rows = [
    ...variables.map((variable) => ({ key: `${variable.kind} ${variable.path} ${variable.slot}`, variable })),
    ...slots.map((slot) => ({ key: slot, slot })),
  ]
  return (
    <>
      <div className={css('scroll')}>
        <table className={css('table')} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">Variable</th>
              <th scope="col">Type</th>
              {columns.map((column, i) => (
                <th key={i} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .slice(0, shown)
              .map((row) =>
                'variable' in row ? (
                  <VariableRow key={row.key} variable={row.variable} />
                ) : (
                  <SlotRow key={row.key} slot={row.slot} views={views} />
                ),
              )}
          </tbody>
        </table>
      </div>
      <ShowMore left={rows.length - shown} onMore={() => setShown(shown + 4 * SHOWN)} />
    </>
  )
}

function VariableRow({ variable }: { variable: ViewedVariable }) {
  const { kind, path, type, slot, offset, values } = variable
  const where = slot === undefined ? 'in the code of the contract' : `slot ${slot}, byte ${offset}`
  return (
    <tr>
      <th scope="row" title={`${othersText(path, LONGEST_PATH)}\n${where}`}>
        <Path path={path} />
      </th>
      <td className={css('type')}>
        {othersText(type, LONGEST_NAME)}
        {kind !== 'stored' && ` ${kind}`}
      </td>
      {values.map((value, i) => (
        <td key={i} className={css('value', i === 1 && value !== values[0] && 'changed')}>
          <Value variable={variable} value={value} />
        </td>
      ))}
    </tr>
  )
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

/** A slot that no variable is known of. */
function SlotRow({ slot, views }: { slot: Hash; views: readonly Slots[] }) {
  return (
    <tr>
      <th scope="row" title={slot} className={css('slot')}>
        slot {mediumHex(slot)}
      </th>
      <td className={css('type')}>not known</td>
      {views.map((view, i) => (
        <td key={i} className={css('value', i === 1 && view.get(slot) !== views[0]?.get(slot) && 'changed')}>
          <Word word={view.get(slot)} />
        </td>
      ))}
    </tr>
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
