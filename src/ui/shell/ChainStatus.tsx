import type { Seat } from '#client/session/connection-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useConnection, useSession } from '#ui/page/session.ts'
import { type ClockState, useClockState } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainStatus.module.css'

const css = classNames(styles)

const WORDS: Readonly<Record<ClockState | 'attached' | 'starting' | 'blocked' | 'crashed', string>> = {
  running: 'Live',
  paused: 'Paused',
  manual: 'Manual clock',
  attached: 'Connected',
  starting: 'Starting',
  blocked: 'Waiting',
  crashed: 'Crashed',
}

const SEATS: Readonly<Record<Seat['role'], string>> = {
  leads: 'runs in this tab',
  follows: 'runs in another tab',
  waits: 'moving to another tab',
}

/** How the chain is doing and who runs it, in words. */
export function ChainStatus() {
  const state = useConnection()
  const clock = useClockState()
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const seat = state.status === 'ready' ? state.seat : undefined
  const { devnet } = useCapabilities()
  const { remote } = useSession()
  const word = state.status === 'ready' ? (devnet ? (clock ?? 'starting') : 'attached') : state.status
  return (
    <p className={css('status')}>
      <span className={css('dot', word)} aria-hidden="true" />
      <span className="visually-hidden">Chain status: </span>
      {remote && word === 'crashed' ? 'Not connected' : WORDS[word]}
      {state.status === 'ready' && height !== undefined && <span className={css('more')}>sealed to #{height}</span>}
      {seat && (
        <span className={css('more', 'seat')} title={storageWords(seat)}>
          {SEATS[seat.role]}
        </span>
      )}
    </p>
  )
}

function storageWords(seat: Seat): string | undefined {
  if (seat.role === 'waits') return undefined
  return seat.storage.kind === 'journal'
    ? 'The chain is stored in this browser.'
    : `The chain is only in memory: ${seat.storage.reason}.`
}
