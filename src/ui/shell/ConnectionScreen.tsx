import { lazy } from 'react'
import { MessageScreen } from '#ui/components/MessageScreen.tsx'
import { ReloadButton, RetryButton } from '#ui/components/RetryButton.tsx'
import { useConnection, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ConnectionScreen.module.css'
import { LazyScreen } from './LazyScreen.tsx'

const css = classNames(styles)

const RemoteScreen = lazy(async () => ({ default: (await import('#ui/connect/RemoteScreen.tsx')).RemoteScreen }))
const StoredChainScreen = lazy(async () => ({
  default: (await import('#ui/storage/StoredChainScreen.tsx')).StoredChainScreen,
}))

function opening(chain: string | undefined): string {
  return chain === undefined
    ? 'Loading the node into a worker of this tab and making block 0 with ten funded accounts.'
    : `Loading the node and opening the chain “${chain}”, which goes on where it was, or begins at block 0.`
}

/** What is shown while there is no chain: how far its start is, or what happened to it. */
export function ConnectionScreen() {
  const connection = useConnection()
  const session = useSession()
  if (session.remote && connection.status !== 'ready') {
    return (
      <LazyScreen title="Attaching to a chain">
        <RemoteScreen remote={session.remote} />
      </LazyScreen>
    )
  }
  if (connection.status === 'blocked') {
    return (
      <MessageScreen
        title="The chain runs in another tab"
        failed
        reason={connection.message}
        actions={<ReloadButton />}
      >
        <p>That tab cannot be understood by this one, which goes on by itself when another tab runs the chain.</p>
      </MessageScreen>
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
        <p>{isReady ? 'The chain runs. Asking it for its newest blocks.' : opening(session.chain)}</p>
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
            ? 'Its chain was only in memory: a restart begins a new one at block 0, with the same settings.'
            : 'A restart goes on with what is stored of the chain.'}
        </p>
      }
    >
      <p>The worker of this tab has crashed. Calls that waited for an answer got an error.</p>
    </MessageScreen>
  )
}
