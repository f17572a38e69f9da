import { memo, type RefObject, useMemo, useRef } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Squares } from '#ui/chain/Squares.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Term } from '#ui/components/Term.tsx'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SealedBlocks.module.css'
import { sealedSquares } from './sealed-squares.ts'
import { useSealMorph } from './use-seal-morph.ts'

const css = classNames(styles)

/**
 * The newest sealed blocks in rows, newest first, for small places.
 *
 * @param livePanel - The panel of the pending block, from which a sealed one moves here.
 * @param shown - How many of them.
 */
export function SealedBlocks({ livePanel, shown }: { livePanel: RefObject<HTMLElement | null>; shown: number }) {
  const sealed = useFeed((feed) => feed.sealed)
  const list = useRef<HTMLOListElement>(null)
  useSealMorph(list, livePanel, sealed[0])
  return (
    <Panel
      title={
        <>
          <Term of="sealed">Sealed</Term> blocks
        </>
      }
    >
      <ol ref={list} className={css('list')} aria-label="Sealed blocks">
        {sealed.slice(0, shown).map((block) => (
          <Row key={block.hash} block={block} />
        ))}
      </ol>
    </Panel>
  )
}

const Row = memo(function Row({ block }: { block: SealedSummary }) {
  const ownHashes = useOwnTransactions((state) => state.hashes)
  const squares = useMemo(() => sealedSquares(block, ownHashes), [block, ownHashes])
  const transactions =
    block.transactionCount === undefined ? 'contents not seen' : formatCount(block.transactionCount, 'transaction')
  return (
    <li className={css('item')} data-key={block.number}>
      <AppLink
        to={`/block/${block.number}`}
        className={css('row')}
        aria-label={`Block ${block.number}, ${transactions}`}
      >
        <Glyph sign="sealed" size={11} />
        <span className={css('number')} data-morph="number">
          #{block.number}
        </span>
        <span className={css('squares')} data-morph="squares">
          {squares.length > 0 && <Squares squares={squares} align="middle" opens={false} block={block.number} />}
        </span>
        <span className={css('count')} data-morph="count">
          {block.transactionCount === undefined ? '– txs' : formatCount(block.transactionCount, 'tx')}
        </span>
      </AppLink>
    </li>
  )
})
