import { lazy } from 'react'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { RetryButton } from '#ui/components/RetryButton.tsx'
import { useConnection, useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ConnectionScreen.module.css'
import { LazyScreen } from './LazyScreen.tsx'

const css = classNames(styles)

const OtherChainScreen = lazy(async () => ({ default: (await import('./OtherChainScreen.tsx')).OtherChainScreen }))
const StoredChainScreen = lazy(async () => ({
  default: (await import('#ui/storage/StoredChainScreen.tsx')).StoredChainScreen,
}))

function opening(chain: string | undefined): string {
  return chain === undefined
    ? 'Starting the node in this tab and creating block 0 with ten funded accounts.'
    : `Starting the node and opening the chain “${chain}”. A stored chain continues where it stopped; a new one starts at block 0.`
}

/** Shown while there is no chain: the progress of its start, or why it failed. */
export function ConnectionScreen() {
  const connection = useConnection()
  const session = useSession()
  const isElsewhere = session.remote ?? session.fork ?? connection.status === 'blocked'
  if (isElsewhere && connection.status !== 'ready') {
    return (
      <LazyScreen title="Connecting to a chain">
        <OtherChainScreen />
      </LazyScreen>
    )
  }
  if (connection.status !== 'crashed') {
    const isReady = connection.status === 'ready'
    return (
      <MessageScreen
        title="Starting the chain"
        more={
          <div className={css('track')} aria-hidden="true">
            <div className={css('bar', isReady && 'near')} />
          </div>
        }
      >
        <p>{isReady ? 'The chain is running. Loading its newest blocks.' : opening(session.chain)}</p>
      </MessageScreen>
    )
  }
  const { failure, message } = connection
  if (failure) {
    return (
      <LazyScreen title="The chain could not be opened">
        <StoredChainScreen failure={failure} message={message} />
      </LazyScreen>
    )
  }
  return (
    <MessageScreen
      title="The chain has stopped"
      failed
      reason={message}
      actions={<RetryButton onClick={() => session.restart()}>Restart</RetryButton>}
      more={
        <p className="note">
          {session.chain === undefined
            ? 'The chain was only in memory. A restart begins a new one at block 0, with the same options.'
            : 'After a restart, the chain continues from what is stored.'}
        </p>
      }
    >
      <p>The worker that runs the node has crashed. Calls that were waiting for an answer have failed.</p>
    </MessageScreen>
  )
}
