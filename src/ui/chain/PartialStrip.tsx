import { type CSSProperties, memo, useMemo, useState } from 'react'
import type { PartialSlot, WithdrawnPartial } from '#ui/feed/feed-state.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './PartialStrip.module.css'
import { Squares } from './Squares.tsx'
import { squareOf } from './squares/square.ts'

const css = classNames(styles)

const COLUMNS = 10

/** The partial blocks of one block: what each added, which is the newest, and which are still to come. */
export function PartialStrip({
  slots,
  newest,
  withdrawn = [],
  transactionCount,
  partialsPerBlock,
  sealed = false,
  block,
  chosen,
  onChoose,
}: {
  slots: readonly PartialSlot[]
  /** The newest index of the pending block. */
  newest: number | undefined
  /** Transactions that a fault withdrew. */
  withdrawn?: readonly WithdrawnPartial[]
  transactionCount: number
  partialsPerBlock: number
  sealed?: boolean
  /** The block's number, if other blocks are beside it. */
  block?: number | undefined
  /** The selected partial block. */
  chosen?: number | undefined
  /** Left out if none can be selected. */
  onChoose?: (index: number) => void
}) {
  const byIndex = new Map(slots.map((slot) => [slot.index, slot]))
  const lost = new Map(withdrawn.map(({ index, count }) => [index, count]))
  const most = Math.max(0, ...slots.map(({ transactions }) => transactions.length))
  const columns = { '--columns': Math.min(partialsPerBlock, COLUMNS) } as CSSProperties
  return (
    <div data-testid="block-canvas" data-tx-count={transactionCount}>
      <ol className={css('strip', partialsPerBlock > COLUMNS && 'low')} aria-label="Partial blocks" style={columns}>
        {Array.from({ length: partialsPerBlock }, (_, index) => (
          <Cell
            key={index}
            index={index}
            slot={byIndex.get(index)}
            lost={lost.get(index)}
            newest={newest === index}
            sealed={sealed}
            most={most}
            block={block}
            chosen={chosen === index}
            onChoose={onChoose}
          />
        ))}
      </ol>
    </div>
  )
}

const NO_TRANSACTIONS: PartialSlot['transactions'] = []

const Cell = memo(function Cell({
  index,
  slot,
  lost,
  newest,
  sealed,
  most,
  block,
  chosen,
  onChoose,
}: {
  index: number
  slot: PartialSlot | undefined
  /** Transactions that were withdrawn from it. */
  lost: number | undefined
  newest: boolean
  sealed: boolean
  /** Transactions of the fullest partial block. */
  most: number
  block: number | undefined
  chosen: boolean
  onChoose: ((index: number) => void) | undefined
}) {
  const ownHashes = useOwnTransactions((state) => state.hashes)
  const transactions = slot?.transactions ?? NO_TRANSACTIONS
  const [beganEmpty] = useState(transactions.length === 0)
  const squares = useMemo(
    () => transactions.map((tx) => squareOf(tx, sealed ? 'sealed' : 'preconfirmed', ownHashes)),
    [transactions, ownHashes, sealed],
  )
  return (
    <li
      className={css(
        'cell',
        (slot || sealed) && 'cut',
        newest && 'newest',
        lost !== undefined && 'withdrawn',
        chosen && 'chosen',
      )}
      aria-label={`Partial block ${partialNumber(index)}: ${describe()}`}
      aria-current={newest ? 'step' : undefined}
    >
      {onChoose && transactions.length > 0 ? (
        <button
          type="button"
          className={css('index', 'choice')}
          aria-label={`Only partial block ${partialNumber(index)}`}
          aria-pressed={chosen}
          onClick={() => onChoose(index)}
        >
          {partialNumber(index)}
        </button>
      ) : (
        <span className={css('index')} aria-hidden="true">
          {partialNumber(index)}
        </span>
      )}
      {/* Even an empty canvas would be a layer to composite in every frame. */}
      <div className={css('squares')} data-morph="cell">
        {squares.length > 0 && (
          <Squares squares={squares} align="bottom" most={most} block={block} arriving={beganEmpty} />
        )}
      </div>
      <span className={css('count')} aria-hidden="true">
        {lost !== undefined ? `−${lost}` : slot && transactions.length > 0 ? `+${transactions.length}` : ' '}
      </span>
    </li>
  )

  function describe(): string {
    if (lost !== undefined) return `withdrawn, with ${formatCount(lost, 'transaction')}`
    if (slot) return formatCount(transactions.length, 'transaction')
    return sealed ? 'no transactions' : 'not cut yet'
  }
})
