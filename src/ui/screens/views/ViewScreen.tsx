import { useRef } from 'react'
import type { Hash } from '#primitives/hex.ts'
import { formatDuration } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { pageBase } from '#ui/page/page-base.ts'
import type { PageView } from '#ui/page/page-options.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useTimeline } from '#ui/queries/transactions.ts'
import { LiveBlockPanel } from '#ui/screens/live/ribbon/LiveBlockPanel.tsx'
import { Mempool } from '#ui/screens/live/ribbon/Mempool.tsx'
import { SealedBlocks } from '#ui/screens/live/ribbon/SealedBlocks.tsx'
import { SendButton } from '#ui/screens/live/SendButton.tsx'
import { SpeakerNotes } from '#ui/screens/stage/SpeakerNotes.tsx'
import { Stage } from '#ui/screens/stage/Stage.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ViewScreen.module.css'

const css = classNames(styles)

/** The live chain without the rest of the page: on a stage, inside another page, or as the speaker's notes. */
export function ViewScreen({ view }: { view: Exclude<PageView, 'page'> }) {
  useTitle(view === 'notes' ? 'Speaker’s notes' : 'Live')
  switch (view) {
    case 'projector':
      return <Stage />
    case 'notes':
      return <SpeakerNotes />
    case 'embed':
      return <Embed />
  }
}

/** Inside another page of the site: the pending block and a send button; in a large frame, the whole path. */
function Embed() {
  const livePanel = useRef<HTMLElement>(null)
  const { accounts, devnet } = useCapabilities()
  const own = useOwnTransactions(({ sent }) => sent[0]?.hash)
  const query = new URLSearchParams(location.search)
  query.delete('view')
  return (
    <div className={css('embed')}>
      <h1 className="visually-hidden">The live chain</h1>
      <div className={css('large')}>
        <Mempool brief />
      </div>
      <LiveBlockPanel ref={livePanel} brief={devnet} />
      <div className={css('large')}>
        <SealedBlocks livePanel={livePanel} shown={3} />
      </div>
      <div className={css('foot')}>
        {accounts.length > 0 && <SendButton hint={false} />}
        {own && devnet && <Result key={own} hash={own} />}
        <a className={css('whole')} href={`${pageBase()}?${query}`} target="_blank" rel="noreferrer">
          Open the whole page
        </a>
      </div>
    </div>
  )
}

/** The two times of the newest own transaction, beside the button that sent it. */
function Result({ hash }: { hash: Hash }) {
  const { data } = useTimeline(hash)
  const { preconfirmedMs, sealedMs } = stepTimes(data?.events ?? [])
  if (preconfirmedMs === undefined) return null
  return (
    <p className={css('whole')}>
      Pre-confirmed after {formatDuration(preconfirmedMs)}
      {sealedMs !== undefined && `, sealed after ${formatDuration(sealedMs)}`}
    </p>
  )
}
