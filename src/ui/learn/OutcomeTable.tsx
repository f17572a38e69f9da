import { findDevAccount } from '#client/signing/dev-accounts.ts'
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
  return (
    <table className={css('table')} aria-label="The node’s answers">
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Pre-confirmed</th>
          {late && <th scope="col">Sealed</th>}
        </tr>
      </thead>
      <tbody>
        {rowsFor(own).map(({ name, value }) => {
          const before = early ? value(early) : 'not seen'
          const after = late && value(late)
          const isOther = early !== undefined && after !== undefined && before !== after
          return (
            <tr key={name} className={css(isOther && 'changed') || undefined}>
              <th scope="row">{name}</th>
              <td>{before}</td>
              {late && (
                <td>
                  {after}
                  {isOther && <span className="visually-hidden"> (changed)</span>}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
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
