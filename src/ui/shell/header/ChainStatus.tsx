import type { TabRole } from '#client/session/connection-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useConnection, useSession } from '#ui/page/session.ts'
import { type ClockState, useAutomine, useClockState } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainStatus.module.css'

const css = classNames(styles)

type ChainWord = ClockState | 'automine' | 'film' | 'attached' | 'starting' | 'blocked' | 'crashed'

const WORDS: Readonly<Record<ChainWord, string>> = {
  running: 'Live',
  paused: 'Paused',
  manual: 'Manual',
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

/** The chain's state in a word of the code, and as it is shown. */
export function useChainWord(): { readonly word: ChainWord; readonly shown: string } {
  const { status } = useConnection()
  const automine = useAutomine()
  const clock = useClockState()
  const { devnet, film } = useCapabilities()
  const { remote } = useSession()
  const running = devnet ? ((film ? 'film' : automine ? 'automine' : clock) ?? 'starting') : 'attached'
  const word = status === 'ready' ? running : status
  return { word, shown: remote && word === 'crashed' ? 'Not connected' : WORDS[word] }
}

/**
 * The chain's state, its newest sealed block and the tab that runs it, in words.
 *
 * @param spoken - For those who do not see the pill, which shows the same in brief.
 */
export function ChainStatus({ spoken = false }: { spoken?: boolean }) {
  const state = useConnection()
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const role = state.status === 'ready' ? state.role : undefined
  const { word, shown } = useChainWord()
  return (
    <p className={spoken ? 'visually-hidden' : css('status')}>
      {spoken && <span>Chain status: </span>}
      {shown}
      {state.status === 'ready' && word !== 'starting' && height !== undefined && (
        <>
          {' '}
          <span className={css('more')}>latest sealed: #{height}</span>
        </>
      )}
      {role && (
        <>
          {' '}
          <span className={css('more')} title={storageWords(role)}>
            {ROLE_WORDS[role.kind]}
          </span>
        </>
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
