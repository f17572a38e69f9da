import { keccak256 } from 'viem'
import { findDevAccount } from '#client/dev-accounts.ts'
import type { Hex } from '#primitives/hex.ts'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { dissectTransaction } from '#ui/compose/dissect.ts'
import { explainField } from '#ui/compose/explain-field.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SignedPreview.module.css'

const css = classNames(styles)

/** Hex digits of a field that are shown among the bytes; the rest is counted. */
const SHOWN = 130

/** The signed bytes, field by field. */
export function SignedPreview({
  raw,
  snippet,
  waitingFor,
}: {
  raw: Hex | undefined
  /** Code that does the same; `undefined` while there is nothing to do. */
  snippet: string | undefined
  /** Why there are no bytes yet. */
  waitingFor: string
}) {
  if (!raw) {
    return (
      <Panel title="Signed bytes">
        <p className={css('empty')}>{waitingFor}</p>
      </Panel>
    )
  }
  return (
    <Panel
      title="Signed bytes"
      aside={
        <span className={css('aside')}>
          {formatCount(raw.length / 2 - 1, 'byte')}, hash {shortHex(keccak256(raw))}
          <CopyButton value={raw} label="Signed bytes" />
        </span>
      }
    >
      <Bytes raw={raw} />
      {snippet && (
        <details className={css('details')}>
          <summary>The same with viem</summary>
          <div className={css('snippet')}>
            <CopyButton value={snippet} label="Viem code" />
            <pre className={css('code')}>{snippet}</pre>
          </div>
        </details>
      )}
    </Panel>
  )
}

function Bytes({ raw }: { raw: Hex }) {
  const dissection = dissectTransaction(raw)
  if (!dissection.ok) {
    return (
      <>
        <p className={css('bytes')}>{raw.length > 600 ? `${raw.slice(0, 600)}…` : raw}</p>
        <p className={css('problem')}>
          These bytes are no transaction: {dissection.problem} The node will refuse them.
        </p>
      </>
    )
  }
  return (
    <>
      <p className={css('bytes')} aria-label="Signed bytes, coloured by field">
        0x
        {dissection.fields.map((field, i) => (
          <span key={field.name} className={css('run', hue(i))} title={explainField(field, nameOf).label}>
            {field.bytes.length > SHOWN ? `${field.bytes.slice(2, SHOWN)}…` : field.bytes.slice(2)}
          </span>
        ))}
      </p>
      <table className={css('table')} aria-label="Fields of the transaction">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value and meaning</th>
          </tr>
        </thead>
        <tbody>
          {dissection.fields.map((field, i) => {
            const { label, value, meaning } = explainField(field, nameOf)
            return (
              <tr key={field.name}>
                <th scope="row">
                  <span className={css('label', hue(i))}>{label}</span>
                </th>
                <td>
                  {value && <span className={css('value')}>{value}</span>}
                  <span className={css('meaning')}>{meaning}</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}

const HUES = 8

function hue(position: number): string {
  return `hue${position % HUES}`
}

function nameOf(address: Hex): string | undefined {
  return findDevAccount(address)?.name
}
