import { useRef } from 'react'
import { useFeed } from '#ui/feed/store.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useTimeline } from '#ui/queries/transactions.ts'
import { LiveBlockPanel } from '#ui/screens/live/LiveBlockPanel.tsx'
import { Race } from '#ui/screens/live/Race.tsx'
import { Ribbon } from '#ui/screens/live/Ribbon.tsx'
import { SealedBlocks } from '#ui/screens/live/SealedBlocks.tsx'
import { SendButton } from '#ui/screens/live/SendButton.tsx'
import { useCapabilities } from '#ui/session.ts'
import type { PageView } from '#ui/shell/page-options.ts'
import { useClockShortcuts } from '#ui/shell/use-clock-shortcuts.ts'
import { useTitle } from '#ui/shell/use-title.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ViewScreen.module.css'

const css = classNames(styles)

/** The live chain without the page around it: for a room, or inside of another page. */
export function ViewScreen({ view }: { view: Exclude<PageView, 'page'> }) {
  useTitle('Live')
  return view === 'projector' ? <Projector /> : <Embed />
}

/** For a room: everything twice as large, and nothing that needs a mouse. */
function Projector() {
  const livePanel = useRef<HTMLElement>(null)
  const { accounts } = useCapabilities()
  useClockShortcuts()
  return (
    <div className={css('projector')}>
      <h1 className="visually-hidden">The live chain</h1>
      <div className={css('head')}>
        <Figures />
        {accounts.length > 0 && <SendButton hint={false} />}
      </div>
      <LiveBlockPanel ref={livePanel} />
      <div className={css('pair')}>
        {accounts.length > 0 && <Race />}
        <SealedBlocks livePanel={livePanel} />
      </div>
    </div>
  )
}

/** The few numbers that can be read from the last row. */
function Figures() {
  const live = useFeed((feed) => feed.live?.number)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  return (
    <dl className={css('figures')}>
      <Figure name="Live block" value={live === undefined ? '…' : `#${formatInteger(live)}`} />
      {newest ? <Times key={newest} hash={newest} /> : <NoTimes />}
    </dl>
  )
}

function Times({ hash }: { hash: `0x${string}` }) {
  const { data } = useTimeline(hash)
  const { preconfirmedMs, sealedMs } = stepTimes(data?.events ?? [])
  const inWords = (ms: number | undefined) => (ms === undefined ? '…' : formatDuration(ms))
  return (
    <>
      <Figure name="Pre-confirmed after" value={inWords(preconfirmedMs)} look="preconfirmed" />
      <Figure name="Sealed after" value={inWords(sealedMs)} look="sealed" />
    </>
  )
}

function NoTimes() {
  return (
    <>
      <Figure name="Pre-confirmed after" value="–" />
      <Figure name="Sealed after" value="–" />
    </>
  )
}

function Figure({ name, value, look }: { name: string; value: string; look?: 'preconfirmed' | 'sealed' }) {
  return (
    <div className={css('figure')}>
      <dt className="muted">{name}</dt>
      <dd className={css('value', look)}>{value}</dd>
    </div>
  )
}

/** Inside of another page of the site: the way of a transaction, a way to send one, and the way to the whole page. */
function Embed() {
  const { accounts } = useCapabilities()
  const query = new URLSearchParams(location.search)
  query.delete('view')
  return (
    <div className={css('embed')}>
      <h1 className="visually-hidden">The live chain</h1>
      <Ribbon />
      <div className={css('foot')}>
        {accounts.length > 0 && <SendButton />}
        <a href={`${import.meta.env.BASE_URL}?${query}`} target="_blank" rel="noreferrer">
          Open the whole page
        </a>
      </div>
    </div>
  )
}
