import type { ReactNode } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Explanation.module.css'

const css = classNames(styles)

/** Explains the three states in plain words. */
export function Explanation() {
  const { partialMs, partialsPerBlock } = usePace()
  const { preconfirms, devnet } = useCapabilities()
  return (
    <section aria-label="What the states mean" className={css('states')}>
      <State sign="mempool" name="In the mempool">
        The node has checked the transaction and holds it. It is in no block yet and has no result.
      </State>
      {preconfirms && (
        <State sign="preconfirmed" name="Pre-confirmed">
          Executed and placed in the pending block{devnet && ` at the next tick, every ${partialMs} ms`}. The result is
          known, but this is not a confirmation: the block is not sealed, and its hash still changes.
        </State>
      )}
      <State sign="sealed" name="Sealed">
        The block is closed{devnet && ` after ${partialsPerBlock} partial blocks`} and has its final hash. Only now do{' '}
        <code>latest</code> and the receipt’s <code>blockHash</code> point to it.
      </State>
    </section>
  )
}

function State({ sign, name, children }: { sign: FeedStatus; name: string; children: ReactNode }) {
  return (
    <div className={css('state')}>
      <h2 className={css('name')}>
        <Glyph sign={sign} size={13} />
        {name}
      </h2>
      <p className={css('text')}>{children}</p>
    </div>
  )
}
