import { useLayoutEffect, useRef } from 'react'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useTitle } from '#ui/page/navigation.ts'
import type { PageView } from '#ui/page/page-options.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useTimeline } from '#ui/queries/transactions.ts'
import { FaultButtons, FaultOutcome } from '#ui/screens/live/faults/FaultsPanel.tsx'
import { Race } from '#ui/screens/live/Race.tsx'
import { LiveBlockPanel } from '#ui/screens/live/ribbon/LiveBlockPanel.tsx'
import { Mempool } from '#ui/screens/live/ribbon/Mempool.tsx'
import { SealedBlocks } from '#ui/screens/live/ribbon/SealedBlocks.tsx'
import { SendButton } from '#ui/screens/live/SendButton.tsx'
import { QrCode } from '#ui/share/QrCode.tsx'
import { ClockControls } from '#ui/shell/header/ClockControls.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ViewScreen.module.css'

const css = classNames(styles)

/** The live chain without the rest of the page: for a projector, or inside another page. */
export function ViewScreen({ view }: { view: Exclude<PageView, 'page'> }) {
  useTitle('Live')
  return view === 'projector' ? <Projector /> : <Embed />
}

/** Layout size of the projector view in CSS pixels; a larger window scales it up. */
const STAGE = { width: 960, height: 540 }

/** Scales everything with the window; dialogs keep their size. */
function useStageZoom(): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const fit = () => {
      const zoom = Math.max(1, Math.min(window.innerWidth / STAGE.width, window.innerHeight / STAGE.height))
      style.setProperty('--zoom', zoom.toFixed(4))
    }
    fit()
    window.addEventListener('resize', fit)
    return () => {
      window.removeEventListener('resize', fit)
      style.removeProperty('--zoom')
    }
  }, [])
}

/** For a projector: the whole path of a transaction on one screen, and everything the presenter needs. */
function Projector() {
  const livePanel = useRef<HTMLElement>(null)
  const { accounts, devnet, film } = useCapabilities()
  useStageZoom()
  return (
    <div className={css('projector')}>
      <h1 className="visually-hidden">The live chain</h1>
      <div className={css('head')}>
        <Figures />
        {accounts.length > 0 && <SendButton hint={false} />}
      </div>
      <div className={css('way')}>
        <Mempool brief />
        <LiveBlockPanel ref={livePanel} brief legend />
        <Join />
      </div>
      <div className={css('below')}>
        {accounts.length > 0 && <Race brief />}
        <SealedBlocks livePanel={livePanel} shown={3} />
        {devnet && !film && <Controls />}
      </div>
    </div>
  )
}

/** The clock and the faults, for the presenter. */
function Controls() {
  return (
    <section className={css('controls')} aria-label="Controls">
      <ClockControls />
      <FaultButtons />
      <div className={css('told')}>
        <FaultOutcome />
      </div>
    </section>
  )
}

/** The address for the audience, who each get their own chain. */
function Join() {
  const query = new URLSearchParams(location.search)
  query.delete('view')
  const search = query.size > 0 ? `?${query}` : ''
  const address = `${location.origin}${import.meta.env.BASE_URL}${search}`
  return (
    <Panel title="Join">
      <div className={css('join')}>
        <QrCode address={address} />
        <a href={address} target="_blank" rel="noreferrer">
          {location.host}
        </a>
      </div>
    </Panel>
  )
}

/** A few numbers, large enough for the last row. */
function Figures() {
  const live = useFeed((feed) => feed.live?.number)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  return (
    <dl className={css('figures')}>
      <Figure name="Pending block" value={live === undefined ? '…' : `#${formatInteger(live)}`} />
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

/** Inside another page of the site: the pending block and a send button; in a large frame, the whole path. */
function Embed() {
  const livePanel = useRef<HTMLElement>(null)
  const { accounts, devnet } = useCapabilities()
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
        <a className={css('whole')} href={`${import.meta.env.BASE_URL}?${query}`} target="_blank" rel="noreferrer">
          Open the whole page
        </a>
      </div>
    </div>
  )
}
