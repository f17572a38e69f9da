import { ChevronDown, HardDrive, Plug, Share2 } from 'lucide-react'
import { lazy, type ToggleEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ClockControls } from '#ui/chain/ClockControls.tsx'
import { useClockShortcuts } from '#ui/chain/clock-shortcuts.ts'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { placePopover } from '#ui/components/Popover.tsx'
import { useFeed, useFrozenView } from '#ui/feed/store.ts'
import { chainPrefix } from '#ui/page/page-base.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { useStatus } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainPill.module.css'
import { ChainStatus, useChainWord } from './ChainStatus.tsx'

const css = classNames(styles)

/** Words for a chain that goes on. */
const GOES_ON = /^(?:running|automine|attached)$/

const ChainList = lazy(async () => ({ default: (await import('./ChainList.tsx')).ChainList }))
const ServerChains = lazy(async () => ({ default: (await import('./ServerChains.tsx')).ServerChains }))

/** The chain in one pill: its state, its newest block, its speed and its name. It opens everything about the chain. */
export function ChainPill() {
  const { chain, fork, remote } = useSession()
  const { devnet } = useCapabilities()
  const readOnly = useReadOnly()
  const id = useId()
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLDivElement>(null)
  const { word, shown } = useChainWord()
  const hasClock = devnet && !readOnly
  useClockShortcuts(hasClock)
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const speed = useStatus((status) => status.speed)
  const own = useStatus((status) => fork?.name(status)) ?? chain ?? 'in memory'
  const name = remote ? remote.endpoint.host : own

  function place({ newState }: ToggleEvent<HTMLDivElement>): void {
    // What it shows decides where it has room.
    flushSync(() => setOpen(newState === 'open'))
    if (newState === 'open' && menu.current && anchor.current) placePopover(menu.current, anchor.current)
  }

  function show(which: 'storage' | 'endpoint' | 'fork'): void {
    menu.current?.hidePopover()
    openDialog(which)
  }

  const isRunning = word === 'running'
  const state = frozen ? 'view frozen' : isRunning ? (speed === undefined ? '' : `${speed}×`) : shown
  return (
    <div ref={anchor} className={css('place')}>
      <button type="button" popoverTarget={id} aria-label={`Chain: ${name}`} className={css('pill')}>
        <span
          className={css('dot', !frozen && GOES_ON.test(word) && 'running', word === 'crashed' && 'crashed')}
          aria-hidden="true"
        />
        {height !== undefined && word !== 'starting' ? (
          <span className={css('now')}>
            <span className={css('height')}>#{height}</span>
            <span className={css('state')}>{state}</span>
          </span>
        ) : (
          <span className={css('now', 'state')}>{state}</span>
        )}
        {!remote && <span className={css('name', fork && 'fork')}>{name}</span>}
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      <ChainStatus spoken />
      <div ref={menu} id={id} popover="auto" className={css('menu')} onToggle={place}>
        {open && <ChainStatus />}
        {open && hasClock && <ClockControls />}
        {open && (remote ? remote.served && chainPrefix() !== undefined : !readOnly) && (
          <LoadBoundary waiting={null} renderFailure={() => null}>
            {remote ? <ServerChains /> : <ChainList />}
          </LoadBoundary>
        )}
        {!remote && !readOnly && (
          <div className={css('items')}>
            <button type="button" className={css('item')} onClick={() => show('storage')}>
              <HardDrive size={15} aria-hidden="true" />
              Chain storage…
            </button>
            <button type="button" className={css('item')} onClick={() => show('endpoint')}>
              <Plug size={15} aria-hidden="true" />
              Endpoint…
            </button>
            <button type="button" className={css('item')} onClick={() => show('fork')}>
              <Share2 size={15} aria-hidden="true" />
              Fork a chain…
            </button>
          </div>
        )}
      </div>
    </div>
  )
}
