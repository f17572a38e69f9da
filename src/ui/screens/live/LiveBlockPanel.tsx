import { useMemo } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Glyph } from '#ui/components/Glyph.tsx'
import { PartialStrip } from '#ui/components/PartialStrip.tsx'
import { type Square, Squares } from '#ui/components/Squares.tsx'
import type { LiveBlock } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatGwei, formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { usePace } from '#ui/queries/status.ts'
import { useCapabilities } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Deadline } from './Deadline.tsx'
import styles from './LiveBlockPanel.module.css'

const css = classNames(styles)

/** The live block: what `pending` answers, filling up partial block by partial block. */
export function LiveBlockPanel() {
  const live = useFeed((feed) => feed.live)
  const { partialsPerBlock } = usePace()
  const { preconfirms, devnet } = useCapabilities()
  return (
    <section className={css('panel')} aria-label="Pending block">
      <div className={css('head')}>
        <h2 className={css('title')}>
          {live ? (
            <AppLink to={`/block/${live.number}`} className={css('number')}>
              Block #{live.number}
            </AppLink>
          ) : (
            <span className={css('number')}>Block #…</span>
          )}
          <span className={css('state')}>
            <Glyph sign={preconfirms ? 'preconfirmed' : 'mempool'} size={13} />
            {preconfirms ? 'Pending' : 'Projected'}
          </span>
        </h2>
        <p className={css('progress')}>
          {!devnet ? (
            'as the endpoint answers pending'
          ) : live ? (
            <>
              partial block <strong className={css('index')}>{live.index}</strong> of 0–{partialsPerBlock - 1}
            </>
          ) : (
            'waiting for the first partial block'
          )}
        </p>
        {devnet && <Deadline />}
      </div>
      {!devnet && <Contents live={live} />}
      {devnet && (
        <PartialStrip
          key={live?.number}
          slots={live?.slots ?? []}
          newest={live?.index}
          transactionCount={live?.transactionCount ?? 0}
          partialsPerBlock={partialsPerBlock}
        />
      )}
      <dl className={css('facts')}>
        <Fact name="Base fee" value={live ? formatGwei(live.baseFeePerGas) : '…'} />
        <Fact name="Transactions" value={live ? formatInteger(live.transactionCount) : '…'} />
        <Fact
          name="Gas used"
          value={live ? `${formatInteger(live.gasUsed)} (${formatPercent(live.gasUsed, live.gasLimit)})` : '…'}
        />
      </dl>
      <p className="visually-hidden">
        {live &&
          `${formatCount(live.transactionCount, 'transaction')} ${preconfirms ? 'pre-confirmed' : 'projected'} in block ${live.number} so far.`}
      </p>
    </section>
  )
}

/** What is in the live block of a chain that does not say in which order it came. */
function Contents({ live }: { live: LiveBlock | undefined }) {
  const { preconfirms } = useCapabilities()
  const squares = useMemo(
    () =>
      (live?.slots ?? []).flatMap((slot) =>
        slot.transactions.map(
          ({ reverted }): Square => ({ state: reverted ? 'reverted' : preconfirms ? 'preconfirmed' : 'mempool' }),
        ),
      ),
    [live, preconfirms],
  )
  if (squares.length === 0) return <p className={css('progress')}>No transactions in it so far.</p>
  return (
    <div className={css('contents')}>
      <Squares squares={squares} />
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={css('fact')}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
