import { type CSSProperties, memo, useMemo } from 'react'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './PartialStrip.module.css'
import { type Square, Squares } from './Squares.tsx'

const css = classNames(styles)

/** The partial blocks of one block: what each brought, which is the newest, which are still to come. */
export function PartialStrip({
  slots,
  newest,
  transactionCount,
  partialsPerBlock,
  sealed = false,
}: {
  slots: readonly PartialSlot[]
  /** The newest index of a block that is not sealed. */
  newest: number | undefined
  transactionCount: number
  partialsPerBlock: number
  sealed?: boolean
}) {
  const byIndex = new Map(slots.map((slot) => [slot.index, slot]))
  const columns = { '--columns': Math.min(partialsPerBlock, 10) } as CSSProperties
  return (
    <div data-testid="block-canvas" data-tx-count={transactionCount}>
      <ol className={css('strip')} aria-label="Partial blocks" style={columns}>
        {Array.from({ length: partialsPerBlock }, (_, index) => (
          <Cell key={index} index={index} slot={byIndex.get(index)} newest={newest === index} sealed={sealed} />
        ))}
      </ol>
    </div>
  )
}

const NO_TRANSACTIONS: PartialSlot['transactions'] = []

const Cell = memo(function Cell({
  index,
  slot,
  newest,
  sealed,
}: {
  index: number
  slot: PartialSlot | undefined
  newest: boolean
  sealed: boolean
}) {
  const own = useOwnTransactions((state) => state.sent)
  const transactions = slot?.transactions ?? NO_TRANSACTIONS
  const squares = useMemo(() => {
    const ownHashes = new Set(own.map((tx) => tx.hash))
    return transactions.map(
      ({ hash, reverted }): Square => ({
        state: reverted ? 'reverted' : sealed ? 'sealed' : 'preconfirmed',
        own: ownHashes.has(hash),
      }),
    )
  }, [transactions, own, sealed])
  const label = slot
    ? `Partial block ${index}: ${formatCount(transactions.length, 'transaction')}`
    : `Partial block ${index}: ${sealed ? 'no transactions' : 'not cut yet'}`
  return (
    <li
      className={css('cell', (slot || sealed) && 'cut', newest && 'newest')}
      aria-label={label}
      aria-current={newest ? 'step' : undefined}
    >
      <span className={css('index')} aria-hidden="true">
        {index}
      </span>
      <div className={css('squares')}>{squares.length > 0 && <Squares squares={squares} />}</div>
      <span className={css('count')} aria-hidden="true">
        {slot && transactions.length > 0 ? transactions.length : ' '}
      </span>
    </li>
  )
})
