import type { TabRole } from '#client/session/connection-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useConnection, useSession } from '#ui/page/session.ts'
import { type ClockState, useAutomine, useClockState } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainStatus.module.css'

const css = classNames(styles)

const WORDS: Readonly<
  Record<ClockState | 'automine' | 'film' | 'attached' | 'starting' | 'blocked' | 'crashed', string>
> = {
  running: 'Live',
  paused: 'Paused',
  manual: 'Manual clock',
  automine: 'Automine',
  film: 'Film, read-only',
  attached: 'Connected',
  starting: 'Starting',
  blocked: 'Waiting',
  crashed: 'Crashed',
}

const ROLE_WORDS: Readonly<Record<TabRole['kind'], string>> = {
  leads: 'runs in this tab',
  follows: 'runs in another tab',
  waits: 'moving to another tab',
}

/** The chain's state, and the tab that runs it, in words. */
export function ChainStatus() {
  const state = useConnection()
  const automine = useAutomine()
  const clock = useClockState()
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const role = state.status === 'ready' ? state.role : undefined
  const { devnet, film } = useCapabilities()
  const { remote } = useSession()
  const word =
    state.status === 'ready'
      ? devnet
        ? ((film ? 'film' : automine ? 'automine' : clock) ?? 'starting')
        : 'attached'
      : state.status
  return (
    <p className={css('status')}>
      <span className={css('dot', word === 'film' ? 'paused' : word)} aria-hidden="true" />
      <span className="visually-hidden">Chain status: </span>
      {remote && word === 'crashed' ? 'Not connected' : WORDS[word]}
      {/* Not beside "Starting": on a phone the two would take a second line, and the page would jump. */}
      {state.status === 'ready' && word !== 'starting' && height !== undefined && (
        <span className={css('more')}>sealed to #{height}</span>
      )}
      {role && (
        <span className={css('more', 'role')} title={storageWords(role)}>
          {ROLE_WORDS[role.kind]}
        </span>
      )}
    </p>
  )
}

function storageWords(role: TabRole): string | undefined {
  if (role.kind === 'waits') return undefined
  return role.storage.kind === 'journal'
    ? 'The chain is stored in this browser.'
    : `The chain is only in memory: ${role.storage.reason}.`
}
