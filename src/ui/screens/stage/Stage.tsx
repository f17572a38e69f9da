import { lazy, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Mark } from '#ui/chain/Mark.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { Race } from '#ui/screens/live/Race.tsx'
import { LiveBlockPanel } from '#ui/screens/live/ribbon/LiveBlockPanel.tsx'
import { Mempool } from '#ui/screens/live/ribbon/Mempool.tsx'
import { SealedBlocks } from '#ui/screens/live/ribbon/SealedBlocks.tsx'
import { SendButton } from '#ui/screens/live/SendButton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { AudiencePanel, useAudience } from './Audience.tsx'
import { Caption } from './Caption.tsx'
import { Closing } from './Closing.tsx'
import { Controls } from './Controls.tsx'
import { Curtain } from './Curtain.tsx'
import { useCountedEvening } from './evening.ts'
import { Figures, RoomFigures } from './Figures.tsx'
import { Invitation, Join, joinAddress } from './Invitation.tsx'
import { RecordingDot } from './Recording.tsx'
import styles from './Stage.module.css'
import { BEATS, type Spot } from './scenes.ts'
import { useStage } from './stage-store.ts'

const css = classNames(styles)

const StageHistories = lazy(async () => ({
  default: (await import('#ui/screens/break/StageHistories.tsx')).StageHistories,
}))

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
  const audience = useAudience(room !== undefined)
  const address = joinAddress(room, remote !== undefined)
  return (
    <div
      className={css(
        'stage',
        layout,
        room && !placed && 'room',
        !address && 'alone',
        placed && 'scene',
        quiet && 'quiet',
      )}
      data-lit={useLit()?.join(' ')}
    >
      <h1 className="visually-hidden">The live chain</h1>
      <div className={css('head')}>
        {placed ? <Caption /> : room ? <RoomFigures audience={audience} /> : <Figures />}
        {accounts.length > 0 && <SendButton hint={false} />}
      </div>
      {placed?.scene.fills === 'invitation' ? (
        <Invitation audience={audience} livePanel={livePanel} />
      ) : placed?.scene.fills === 'histories' ? (
        <LoadedPart waiting={null}>
          <StageHistories />
        </LoadedPart>
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
          {address && (
            <div className={css('join')}>
              <Join address={address} audience={audience} placed={placed !== undefined} />
            </div>
          )}
        </>
      )}
      {devnet && !readOnly && <Controls />}
      <p className={css('brand')} aria-hidden="true">
        <Mark /> Blinknet
        <span className="muted">a chain that answers before it confirms</span>
        <RecordingDot />
      </p>
      <Curtain address={address} />
    </div>
  )
}

/** The panels that stay bright; `undefined` outside the scenes, unless the spotlight is on: all of them. */
function useLit(): readonly Exclude<Spot, 'own'>[] | undefined {
  const at = useStage((stage) => stage.at)
  const spotlight = useStage((stage) => stage.spotlight)
  const spots = (at === undefined ? undefined : BEATS[at]?.beat.spot) ?? (spotlight ? OWN : undefined)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  const status = useFeed((feed) => (newest === undefined ? undefined : feed.transactions.get(newest)?.status))
  if (!spots) return undefined
  const place = status && PANEL_OF[status]
  // A transaction that is nowhere has no panel to light.
  if (spots.includes('own') && !place) return undefined
  return spots.flatMap((spot) => (spot !== 'own' ? [spot] : place ? ['race' as const, place] : []))
}

const OWN: readonly Spot[] = ['own']

const PANEL_OF: Readonly<Partial<Record<FeedStatus, 'mempool' | 'live' | 'sealed'>>> = {
  mempool: 'mempool',
  preconfirmed: 'live',
  sealed: 'sealed',
}

/** Milliseconds after which a pointer that rests is no longer in use. */
const QUIET_MS = 3_000

/** Whether the pointer has rested for some seconds: what only the speaker needs can then hide. */
function useQuiet(): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setQuiet(true), QUIET_MS)
    const stir = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(true), QUIET_MS)
    }
    window.addEventListener('pointermove', stir)
    window.addEventListener('pointerdown', stir)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointermove', stir)
      window.removeEventListener('pointerdown', stir)
    }
  }, [])
  return quiet
}
