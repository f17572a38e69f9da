import { memo, type RefObject, useMemo, useRef } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Squares } from '#ui/chain/Squares.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Term } from '#ui/components/Term.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SealedTiles.module.css'
import { type SealedRun, sealedRuns } from './sealed-runs.ts'
import { sealedSquares } from './sealed-squares.ts'
import { useSealMorph } from './use-seal-morph.ts'

const css = classNames(styles)

/** As many as a wide window has room for; the style sheet shows fewer in others. */
const MOST = 12

/**
 * The newest sealed blocks as tiles, newest first; empty ones in a row are one tile.
 *
 * @param livePanel - The panel of the pending block, from which a sealed one flies here.
 */
export function SealedTiles({ livePanel }: { livePanel: RefObject<HTMLElement | null> }) {
  const sealed = useFeed((feed) => feed.sealed)
  const list = useRef<HTMLOListElement>(null)
  useSealMorph(list, livePanel, sealed[0])
  return (
    <section className={css('sealed')} aria-label="Sealed blocks">
      <h2 className={css('title')}>
        <Glyph sign="sealed" size={12} />
        <Term of="sealed">Sealed</Term>
      </h2>
      <ol ref={list} className={css('tiles')} aria-label="Sealed blocks">
        {sealedRuns(sealed, MOST).map((run) => (
          <Tile key={run.from} run={run} />
        ))}
      </ol>
    </section>
  )
}

const Tile = memo(
  function Tile({ run: { block, from } }: { run: SealedRun }) {
    const ownHashes = useOwnTransactions((state) => state.hashes)
    const squares = useMemo(() => sealedSquares(block, ownHashes), [block, ownHashes])
    const count = block.number - from + 1
    const transactions =
      block.transactionCount === undefined ? 'contents not seen' : formatCount(block.transactionCount, 'transaction')
    const name = count === 1 ? `Block ${block.number}, ${transactions}` : `Blocks ${from} to ${block.number}, all empty`
    return (
      <li className={css('item')} data-key={from}>
        <AppLink
          to={`/block/${block.number}`}
          className={css('tile', squares.length === 0 && 'empty')}
          aria-label={name}
        >
          <span className={css('number')} data-morph="number">
            {count === 1 ? `#${block.number}` : `#${from}–${block.number}`}
          </span>
          <span className={css('squares')} data-morph="squares">
            {squares.length > 0 && <Squares squares={squares} opens={false} block={block.number} />}
          </span>
          <span className={css('count')} data-morph="count">
            {count === 1 ? brief(block.transactionCount) : `${count} empty blocks`}
          </span>
        </AppLink>
      </li>
    )
  },
  (before, after) => before.run.block === after.run.block && before.run.from === after.run.from,
)

function brief(transactions: number | undefined): string {
  if (transactions === undefined) return '– txs'
  return transactions === 0 ? 'empty' : formatCount(transactions, 'tx')
}
