import { useFeed } from '#ui/feed/store.ts'
import { type ClockState, useClockState } from '#ui/queries/status.ts'
import { useConnection } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainStatus.module.css'

const css = classNames(styles)

const WORDS: Readonly<Record<ClockState | 'starting' | 'crashed', string>> = {
  running: 'Live',
  paused: 'Paused',
  manual: 'Manual clock',
  starting: 'Starting',
  crashed: 'Crashed',
}

/** How the chain is doing, in words. */
export function ChainStatus() {
  const connection = useConnection().status
  const clock = useClockState()
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const state = connection === 'ready' ? (clock ?? 'starting') : connection
  return (
    <p className={css('status')}>
      <span className={css('dot', state)} aria-hidden="true" />
      <span className="visually-hidden">Chain status: </span>
      {WORDS[state]}
      {connection === 'ready' && height !== undefined && <span className={css('height')}>sealed to #{height}</span>}
    </p>
  )
}
