import { type ReactNode, type RefObject, useMemo } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { PartialStrip } from '#ui/chain/PartialStrip.tsx'
import { Squares } from '#ui/chain/Squares.tsx'
import { squareOf } from '#ui/chain/squares/square.ts'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Term } from '#ui/components/Term.tsx'
import type { FeedLiveBlock } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatGwei, formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Deadline } from './Deadline.tsx'
import { describeChange } from './describe-change.ts'
import styles from './LiveBlockPanel.module.css'

const css = classNames(styles)

/**
 * The pending block, which fills up with each partial block.
 *
 * @param brief - Leaves out the text about the last change, for small places.
 * @param legend - Whether to explain the signs.
 */
export function LiveBlockPanel({
  ref,
  brief = false,
  legend = !brief,
}: {
  ref: RefObject<HTMLElement | null>
  brief?: boolean
  legend?: boolean
}) {
  const live = useFeed((feed) => feed.live)
  const { partialsPerBlock } = usePace()
  const { preconfirms, devnet } = useCapabilities()
  return (
    <section ref={ref} className={css('panel')} aria-label="Pending block">
      <div className={css('head')}>
        <h2 className={css('title')}>
          <span className={css('numberBox')} data-morph="number">
            {live ? (
              <AppLink to={`/block/${live.number}`} className={css('number')}>
                Block #{live.number}
              </AppLink>
            ) : (
              <span className={css('number')}>Block #…</span>
            )}
          </span>
          <span className={css('state')}>
            <Glyph sign={preconfirms ? 'preconfirmed' : 'mempool'} size={13} />
            <Term of="pending">Pending</Term>
          </span>
        </h2>
        <p className={css('progress')}>
          {!devnet ? (
            'as the endpoint answers pending'
          ) : live ? (
            <>
              <strong className={css('index')}>{live.index + 1}</strong> of {partialsPerBlock}{' '}
              <Term of="partial-block">partial blocks</Term>
            </>
          ) : (
            'waiting for the first partial block'
          )}
        </p>
        {devnet && <Deadline />}
      </div>
      {!devnet && <Contents live={live} />}
      {devnet && (
        <div className={css('strip')} data-morph="squares">
          <PartialStrip
            slots={live?.slots ?? []}
            newest={live?.index}
            transactionCount={live?.transactionCount ?? 0}
            withdrawn={live?.withdrawn ?? []}
            block={live?.number}
            partialsPerBlock={partialsPerBlock}
          />
        </div>
      )}
      <dl className={css('facts', brief && 'compact')}>
        <Fact name="Transactions" value={live ? formatInteger(live.transactionCount) : '…'} />
        <Fact
          name={<Term of="base-fee">Base fee</Term>}
          value={live ? <Amount wei={live.baseFeePerGas}>{formatGwei(live.baseFeePerGas)}</Amount> : '…'}
        />
        <Fact
          name={
            <>
              <Term of="gas">Gas</Term> used
            </>
          }
          value={
            live ? (
              <>
                {formatInteger(live.gasUsed)}{' '}
                <span className={css('unit')}>{formatPercent(live.gasUsed, live.gasLimit)}</span>
              </>
            ) : (
              '…'
            )
          }
        />
      </dl>
      {devnet && !brief && <LastChange />}
      {legend && <Legend />}
      <p className="visually-hidden">
        {live &&
          `${formatCount(live.transactionCount, 'transaction')} ${preconfirms ? 'pre-confirmed' : 'pending'} in block ${live.number} so far.`}
      </p>
    </section>
  )
}

/** Explains the signs of the three states. */
function Legend() {
  const { preconfirms } = useCapabilities()
  return (
    <ul className={css('legend')} aria-label="Legend">
      <li>
        <Glyph sign="mempool" size={12} /> In the mempool
      </li>
      {preconfirms && (
        <li>
          <Glyph sign="preconfirmed" size={12} /> Pre-confirmed
        </li>
      )}
      <li>
        <Glyph sign="sealed" size={12} /> Sealed
      </li>
    </ul>
  )
}

/** The latest change, in words. */
function LastChange() {
  const live = useFeed((feed) => feed.live)
  const sealed = useFeed((feed) => feed.sealed[0])
  return <p className={css('change')}>{live && describeChange(live, sealed)}</p>
}

/** The contents of the pending block on a chain that does not report the order of arrival. */
function Contents({ live }: { live: FeedLiveBlock | undefined }) {
  const { preconfirms } = useCapabilities()
  const ownHashes = useOwnTransactions((state) => state.hashes)
  const status = preconfirms ? 'preconfirmed' : 'mempool'
  const squares = useMemo(
    () => (live?.slots ?? []).flatMap((slot) => slot.transactions.map((tx) => squareOf(tx, status, ownHashes))),
    [live, status, ownHashes],
  )
  if (squares.length === 0) return <p className={css('progress')}>No transactions in it so far.</p>
  return (
    <div className={css('contents')}>
      <Squares squares={squares} block={live?.number} />
    </div>
  )
}

function Fact({ name, value }: { name: ReactNode; value: ReactNode }) {
  return (
    <div className={css('fact')}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
