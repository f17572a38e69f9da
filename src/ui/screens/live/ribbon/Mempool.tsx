import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Squares } from '#ui/chain/Squares.tsx'
import { squareOf } from '#ui/chain/squares/square.ts'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Term } from '#ui/components/Term.tsx'
import { GapLine } from '#ui/compose/NonceGapNote.tsx'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { waitingWords } from '#ui/own/nonce-gap.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { poolGapsQuery } from '#ui/queries/nonce-gaps.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Mempool.module.css'

const css = classNames(styles)

/**
 * Accepted transactions that wait for a partial block.
 *
 * @param brief - Only mentions nonce gaps, without the way to close them, for small places.
 * @param lane - A lane that leads into the pending block, instead of a panel.
 */
export function Mempool({ brief = false, lane = false }: { brief?: boolean; lane?: boolean }) {
  const transactions = useFeed((feed) => feed.transactions)
  const ownHashes = useOwnTransactions((state) => state.hashes)
  const squares = useMemo(
    () => pooledTransactions(transactions).map((tx) => squareOf(tx, 'mempool', ownHashes)),
    [transactions, ownHashes],
  )
  const content = (
    <>
      <div className={css('squares')}>
        <Squares squares={squares} block={null} />
        {squares.length === 0 && <p className={css('empty')}>{lane ? 'empty' : 'The mempool is empty.'}</p>}
        {brief && squares.length > 0 && <Gaps brief />}
      </div>
      {!brief && squares.length > 0 && <Gaps brief={false} />}
      <p className="visually-hidden">{formatCount(squares.length, 'transaction')} waiting</p>
    </>
  )
  const title = <Term of="mempool">Mempool</Term>
  if (!lane) {
    return (
      <Panel title={title} aside={<span aria-hidden="true">{formatInteger(squares.length)}</span>}>
        {content}
      </Panel>
    )
  }
  return (
    <section className={css('lane')} aria-label="Mempool">
      <h2 className={css('title')}>
        {title}
        {squares.length > 0 && (
          <span className={css('count')} aria-hidden="true">
            {formatInteger(squares.length)}
          </span>
        )}
      </h2>
      {content}
    </section>
  )
}

/** The transactions behind nonce gaps, and how to send the missing ones. */
function Gaps({ brief }: { brief: boolean }) {
  const { devnet } = useCapabilities()
  const { data } = useQuery({ ...poolGapsQuery(useProvider()), enabled: devnet })
  if (!data || data.waiting === 0) return null
  return (
    <div className={css('gaps', brief && 'brief')} role="status">
      <p>
        {waitingWords(data.waiting)} behind a{' '}
        <Term of="nonce-gap" then=".">
          nonce gap
        </Term>
      </p>
      {!brief && data.gaps.map((gap) => <GapLine key={gap.address} gap={gap} />)}
    </div>
  )
}
