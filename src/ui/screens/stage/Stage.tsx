import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { RoomGuests, RoomInfo } from '#rpc-types/methods/room.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import type { Stage as TransactionStage } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { isLocalAddress, viewAddress } from '#ui/page/view-address.ts'
import { useTimeline } from '#ui/queries/transactions.ts'
import { FaultOutcome } from '#ui/screens/live/faults/FaultsPanel.tsx'
import { useCauseFault, useFaultState } from '#ui/screens/live/faults/fault-control.ts'
import { FAULTS } from '#ui/screens/live/faults/fault-names.ts'
import { percentile } from '#ui/screens/live/latency/latency.ts'
import { useLatencies } from '#ui/screens/live/latency/use-latencies.ts'
import { Race } from '#ui/screens/live/Race.tsx'
import { LiveBlockPanel } from '#ui/screens/live/ribbon/LiveBlockPanel.tsx'
import { Mempool } from '#ui/screens/live/ribbon/Mempool.tsx'
import { SealedBlocks } from '#ui/screens/live/ribbon/SealedBlocks.tsx'
import { SendButton } from '#ui/screens/live/SendButton.tsx'
import { QrCode } from '#ui/share/QrCode.tsx'
import { ClockControls } from '#ui/shell/header/ClockControls.tsx'
import { Mark } from '#ui/shell/header/Mark.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { AudienceFigures, AudiencePanel, roomNumbers, useAudience } from './Audience.tsx'
import { Closing } from './Closing.tsx'
import { Curtain } from './Curtain.tsx'
import { useCountedEvening } from './evening.ts'
import { RecordingOutcome, RecordKey } from './Recording.tsx'
import styles from './Stage.module.css'
import { BEATS, SCENES, type Spot, wordsOf } from './scenes.ts'
import { drawCurtain, useStage } from './stage-store.ts'
import { useQuiet } from './use-quiet.ts'
import { useTalk } from './use-talk.ts'

const css = classNames(styles)

/**
 * How the stage is laid out, in CSS pixels before it is enlarged. `stacked` is for windows that are smaller than any
 * stage, such as a phone's: there it scrolls.
 */
const LAYOUTS = { wide: { width: 960, height: 540 }, square: { width: 720, height: 540 } } as const
/** Windows that are narrower, as a share of their height, have the square layout. */
const WIDE_FROM = 1.5

/** Around the stage, above and below together, in pixels of the window. */
const PADDING = 32

interface Fit {
  readonly layout: keyof typeof LAYOUTS | 'stacked'
  /** How much larger than its layout the stage is drawn. */
  readonly zoom: number
}

function fitTo({ innerWidth: width, innerHeight: height }: Pick<Window, 'innerWidth' | 'innerHeight'>): Fit {
  const layout = width / height >= WIDE_FROM ? 'wide' : 'square'
  const zoom = Math.min(width / LAYOUTS[layout].width, height / LAYOUTS[layout].height)
  return zoom >= 1 ? { layout, zoom } : { layout: 'stacked', zoom: 1 }
}

/** Fits the stage, and the dialogs upon it, to the window. */
function useFit(): Fit['layout'] {
  const [layout, setLayout] = useState(() => fitTo(window).layout)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const fit = () => {
      const fitted = fitTo(window)
      style.setProperty('--zoom', fitted.zoom.toFixed(4))
      // In pixels: WebKit does not enlarge lengths of the window, and other browsers do.
      style.setProperty('--stage-height', `${((window.innerHeight - PADDING) / fitted.zoom).toFixed(2)}px`)
      setLayout(fitted.layout)
    }
    fit()
    window.addEventListener('resize', fit)
    return () => {
      window.removeEventListener('resize', fit)
      style.removeProperty('--zoom')
      style.removeProperty('--stage-height')
    }
  }, [])
  return layout
}

/** For a stage: the whole path of a transaction on one screen, scenes to walk through, and what the speaker needs. */
export function Stage() {
  const livePanel = useRef<HTMLElement>(null)
  const { accounts, devnet, room } = useCapabilities()
  const { remote } = useSession()
  const readOnly = useReadOnly()
  const layout = useFit()
  const at = useStage((stage) => stage.at)
  const placed = at === undefined ? undefined : BEATS[at]
  const quiet = useQuiet()
  useCountedEvening()
  const audience = useAudience(room !== undefined, layout === 'wide' && !placed ? 4 : 1)
  return (
    <div className={css('stage', layout, room && !placed && 'room', quiet && 'quiet')} data-lit={useLit()?.join(' ')}>
      <h1 className="visually-hidden">The live chain</h1>
      <div className={css('head')}>
        {placed ? <Caption /> : room ? <RoomFigures audience={audience} /> : <Figures />}
        {accounts.length > 0 && <SendButton hint={false} />}
      </div>
      {placed?.scene.fills === 'invitation' ? (
        <Invitation audience={audience} livePanel={livePanel} />
      ) : placed?.scene.fills === 'closing' ? (
        <Closing audience={audience} />
      ) : (
        <>
          <div className={css('mempool')}>
            <Mempool brief />
          </div>
          <div className={css('live')}>
            <LiveBlockPanel ref={livePanel} brief legend />
          </div>
          <div className={css('race')}>
            {room && !placed ? <AudiencePanel audience={audience} /> : accounts.length > 0 && <Race brief />}
          </div>
          <div className={css('sealed')}>
            <SealedBlocks livePanel={livePanel} shown={layout === 'square' || (room && !placed) ? 2 : 3} />
          </div>
          <div className={css('join')}>
            <Join audience={audience} placed={placed !== undefined} />
          </div>
        </>
      )}
      {devnet && !readOnly && <Controls />}
      <p className={css('brand')} aria-hidden="true">
        <Mark /> Blinknet
        <span className="muted">a chain that answers before it confirms</span>
      </p>
      <Curtain address={joinAddress(room, remote !== undefined)} />
    </div>
  )
}

/** The panels that stay bright; `undefined` outside the scenes, unless the spotlight is on: all of them. */
function useLit(): readonly Exclude<Spot, 'own'>[] | undefined {
  const at = useStage((stage) => stage.at)
  const spotlight = useStage((stage) => stage.spotlight)
  const spots = (at === undefined ? undefined : BEATS[at]?.beat.spot) ?? (spotlight ? OWN : undefined)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  const stage = useFeed((feed) => (newest === undefined ? undefined : feed.transactions.get(newest)?.stage))
  if (!spots) return undefined
  const place = stage && PANEL_OF[stage]
  // A transaction that is nowhere has no panel to light.
  if (spots.includes('own') && !place) return undefined
  return spots.flatMap((spot) => (spot !== 'own' ? [spot] : place ? ['race' as const, place] : []))
}

const OWN: readonly Spot[] = ['own']

const PANEL_OF: Readonly<Partial<Record<TransactionStage, 'mempool' | 'live' | 'sealed'>>> = {
  mempool: 'mempool',
  preconfirmed: 'live',
  sealed: 'sealed',
}

/** The scene's sentence for the audience. */
function Caption() {
  const { at = 0, error } = useStage()
  const { room } = useCapabilities()
  const samples = useLatencies()
  const placed = BEATS[at]
  if (!placed) return null
  const { scene, sceneNumber, beat } = placed
  const half = percentile(
    samples.map(({ preconfirmedMs }) => preconfirmedMs),
    0.5,
  )
  return (
    <div className={css('caption')}>
      <p className="muted">
        {sceneNumber} of {SCENES.length} · {scene.title}
      </p>
      <p className={css('sentence')} role="status">
        {
          wordsOf(
            beat,
            room !== undefined,
            half === undefined ? undefined : formatDuration(half).replace(' ', '\u00a0'),
          ).caption
        }
      </p>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  )
}

/** The scenes, the clock and the faults, as keys. Scenes need an account to send from. */
function Controls() {
  const { accounts } = useCapabilities()
  return (
    <section className={css('controls')} aria-label="Controls">
      {accounts.length > 0 && <SceneKeys />}
      <ClockControls />
      <div className={css('keys')} role="group" aria-label="Faults">
        {FAULTS.map((fault, i) => (
          <FaultKey key={fault.kind} fault={fault} digit={String(i + 1)} />
        ))}
      </div>
      {accounts.length > 0 && <CurtainKeys />}
      <div className={css('told')}>
        <FaultOutcome />
        <RecordingOutcome />
      </div>
    </section>
  )
}

function SceneKeys() {
  const { go, openNotes } = useTalk()
  const { at, spotlight, curtain } = useStage()
  useShortcut('PageDown', () => go('next'))
  useShortcut('PageUp', () => go('previous'))
  useShortcut('ArrowRight', () => go('next'))
  useShortcut('ArrowLeft', () => go('previous'))
  useShortcut('Escape', () => {
    if (curtain) useStage.setState({ curtain: undefined })
    else if (at === undefined) leaveStage()
    else go('end')
  })
  useShortcut('n', openNotes)
  useShortcut('l', toggleSpotlight)
  return (
    <div className={css('keys')} role="group" aria-label="Scenes">
      <Button size="small" disabled={at === undefined} onClick={() => go('previous')} aria-keyshortcuts="PageUp">
        Back
      </Button>
      <Button size="small" disabled={at === BEATS.length - 1} onClick={() => go('next')} aria-keyshortcuts="PageDown">
        {at === undefined ? 'Begin the scenes' : 'Next'} <Kbd>PgDn</Kbd>
      </Button>
      {at !== undefined && (
        <Button size="small" onClick={() => go('end')} aria-keyshortcuts="Escape">
          End <Kbd>Esc</Kbd>
        </Button>
      )}
      <Button size="small" onClick={openNotes} aria-keyshortcuts="n" title="Speaker’s notes, in a window of their own">
        Notes <Kbd>N</Kbd>
      </Button>
      <Button
        size="small"
        aria-pressed={spotlight}
        onClick={toggleSpotlight}
        aria-keyshortcuts="l"
        title="Follow your last transaction with the spotlight"
      >
        Spotlight <Kbd>L</Kbd>
      </Button>
      <RecordKey />
      {at === undefined && (
        <Button
          size="small"
          onClick={leaveStage}
          aria-keyshortcuts="Escape"
          title="Leave the stage, for the whole page"
        >
          Leave <Kbd>Esc</Kbd>
        </Button>
      )}
    </div>
  )
}

/** What hangs before the stage: the code for phones, or black. */
function CurtainKeys() {
  const curtain = useStage((stage) => stage.curtain)
  useShortcut('b', () => drawCurtain('black'))
  useShortcut('q', () => drawCurtain('code'))
  return (
    <div className={css('keys')} role="group" aria-label="Before the stage">
      <Button
        size="small"
        aria-pressed={curtain === 'code'}
        onClick={() => drawCurtain('code')}
        aria-keyshortcuts="q"
        title="The code for phones, as large as the wall allows"
      >
        Code <Kbd>Q</Kbd>
      </Button>
      <Button
        size="small"
        aria-pressed={curtain === 'black'}
        onClick={() => drawCurtain('black')}
        aria-keyshortcuts="b"
        title="A black wall"
      >
        Black <Kbd>B</Kbd>
      </Button>
    </div>
  )
}

/** Back to the whole page, of the same chain. */
function leaveStage(): void {
  location.assign(viewAddress('page'))
}

function toggleSpotlight(): void {
  useStage.setState(({ spotlight }) => ({ spotlight: !spotlight }))
}

/** A fault that a digit causes, too. */
function FaultKey({ fault: { kind, name }, digit }: { fault: (typeof FAULTS)[number]; digit: string }) {
  const busy = useFaultState((state) => state.busy)
  const cause = useCauseFault()
  const press = () => {
    if (!busy) void cause(kind)
  }
  useShortcut(digit, press)
  return (
    <Button size="small" disabled={busy} onClick={press} aria-keyshortcuts={digit}>
      {name} <Kbd>{digit}</Kbd>
    </Button>
  )
}

/** The page's options for an audience. A fork's endpoint, whose address may hold a key, is the speaker's. */
function guestOptions(): URLSearchParams {
  const query = new URLSearchParams(location.search)
  query.delete('fork')
  return query
}

/** What phones open: the room, or a page where each gets a chain of their own; `undefined` if none can be reached. */
function joinAddress(room: RoomInfo | undefined, isRemote: boolean): string | undefined {
  if (room) return room.url
  if (isLocalAddress()) return undefined
  const query = guestOptions()
  if (!isRemote) query.set('storage', 'off')
  return viewAddress('page', `?${query}`)
}

/** The address for the audience, with its code. */
function Join({ audience, placed }: { audience: RoomGuests | undefined; placed: boolean }) {
  const { room } = useCapabilities()
  const { remote } = useSession()
  const address = joinAddress(room, remote !== undefined)
  if (address === undefined) {
    return (
      <Panel title="No room is open">
        <p className="muted">
          <code>npx blinknet --room</code> opens one.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title={room ? 'Join' : remote ? 'Open it on your phone' : 'Try it on your phone, with a chain of its own'}>
      <div className={css('address')}>
        <QrCode address={address} />
        <a href={address} target="_blank" rel="noreferrer">
          {new URL(address).host}
        </a>
        {room && placed && <AudienceFigures audience={audience} />}
      </div>
    </Panel>
  )
}

/** For the audience, as large as the stage: the room, or the same scenes on chains of their own. */
function Invitation({
  audience,
  livePanel,
}: {
  audience: RoomGuests | undefined
  livePanel: RefObject<HTMLElement | null>
}) {
  const { remote, fork } = useSession()
  const { room } = useCapabilities()
  if (room) {
    return (
      <section className={css('invitation', 'open')} aria-label="The same on your phone">
        <div className={css('address')}>
          <QrCode address={room.url} />
          <p className={css('host')}>{new URL(room.url).host}</p>
        </div>
        <div className={css('live')}>
          <LiveBlockPanel ref={livePanel} brief />
        </div>
        <AudiencePanel audience={audience} />
      </section>
    )
  }
  const query = guestOptions()
  query.set('storage', 'off')
  const address = remote ? viewAddress('page') : viewAddress('projector', `?${query}`)
  const isHere = isLocalAddress()
  return (
    <section className={css('invitation')} aria-label="The same on your phone">
      {!isHere && <QrCode address={address} />}
      <p className={css('host')}>{location.host}</p>
      <p>
        {isHere
          ? 'This page is served only on this machine, so phones cannot open it. npx blinknet --room opens a room for them.'
          : remote
            ? 'This chain, live.'
            : `These scenes, on a chain of your own${fork ? ', which is no fork' : ''}.`}
      </p>
    </section>
  )
}

/** The room in a few numbers, large enough for the last row. */
function RoomFigures({ audience }: { audience: RoomGuests | undefined }) {
  const { guests, rate, latency } = roomNumbers(audience)
  return (
    <dl className={css('figures')}>
      <Figure name="Guests" value={guests} />
      <Figure name="Transactions" value={rate} />
      <Figure name="Pre-confirmed in" value={latency} look="preconfirmed" />
    </dl>
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
      <Figure name="Sealed after" value={inWords(sealedMs)} look="sealedTime" />
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

function Figure({ name, value, look }: { name: string; value: string; look?: 'preconfirmed' | 'sealedTime' }) {
  return (
    <div className={css('figure')}>
      <dt className="muted">{name}</dt>
      <dd className={css('value', look)}>{value}</dd>
    </div>
  )
}
