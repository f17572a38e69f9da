import { memo, useMemo } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Glyph } from '#ui/components/Glyph.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { type Square, Squares } from '#ui/components/Squares.tsx'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SealedBlocks.module.css'

const css = classNames(styles)

const SHOWN = 5

/** The newest sealed blocks, newest first. */
export function SealedBlocks() {
  const sealed = useFeed((feed) => feed.sealed)
  return (
    <Panel title="Sealed blocks" aside="newest first">
      <ol className={css('list')} aria-label="Sealed blocks">
        {sealed.slice(0, SHOWN).map((block) => (
          <Row key={block.hash} block={block} />
        ))}
      </ol>
    </Panel>
  )
}

const Row = memo(function Row({ block }: { block: SealedSummary }) {
  const squares = useMemo(() => {
    const count = block.transactionCount ?? 0
    return Array.from(
      { length: count },
      (_, i): Square => ({
        state: i >= count - block.revertedCount ? 'reverted' : 'sealed',
      }),
    )
  }, [block])
  const transactions =
    block.transactionCount === undefined ? 'contents not seen' : formatCount(block.transactionCount, 'transaction')
  return (
    <li>
      <AppLink
        to={`/block/${block.number}`}
        className={css('row')}
        aria-label={`Block ${block.number}, ${transactions}`}
      >
        <Glyph sign="sealed" size={11} />
        <span className={css('number')}>#{block.number}</span>
        <span className={css('squares')}>{squares.length > 0 && <Squares squares={squares} align="middle" />}</span>
        <span className={css('count')}>
          {block.transactionCount === undefined ? '– txs' : formatCount(block.transactionCount, 'tx')}
        </span>
      </AppLink>
    </li>
  )
})
