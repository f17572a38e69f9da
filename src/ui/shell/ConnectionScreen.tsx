import { RotateCcw } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { RemoteScreen } from '#ui/connect/RemoteScreen.tsx'
import { useConnection, useSession } from '#ui/session.ts'
import { StoredChainScreen } from '#ui/storage/StoredChainScreen.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ConnectionScreen.module.css'

const css = classNames(styles)

function opening(chain: string | undefined): string {
  return chain === undefined
    ? 'Loading the node into a worker of this tab and making block 0 with ten funded accounts.'
    : `Loading the node and opening the chain “${chain}”, which goes on where it was, or begins at block 0.`
}

/** What is shown while there is no chain: how far its start is, or what happened to it. */
export function ConnectionScreen() {
  const connection = useConnection()
  const session = useSession()
  if (session.remote && connection.status !== 'ready') return <RemoteScreen remote={session.remote} />
  if (connection.status === 'blocked') {
    return (
      <section className={css('screen')} aria-label="The chain runs in another tab">
        <h1 className={css('title')}>The chain runs in another tab</h1>
        <div role="alert" className={css('text')}>
          <p>That tab cannot be understood by this one, which goes on by itself when another tab runs the chain.</p>
          <p className={css('reason')}>{connection.message}</p>
        </div>
        <Button look="primary" onClick={() => location.reload()}>
          <RotateCcw size={16} aria-hidden="true" />
          Reload
        </Button>
      </section>
    )
  }
  if (connection.status !== 'crashed') {
    return (
      <section className={css('screen')} aria-label="Starting the chain">
        <h1 className={css('title')}>Starting the chain</h1>
        <p className={css('text')}>
          {connection.status === 'starting'
            ? opening(session.chain)
            : 'The chain runs. Asking it for its newest blocks.'}
        </p>
        <div className={css('track')} aria-hidden="true">
          <div className={css('bar', connection.status === 'ready' && 'near')} />
        </div>
      </section>
    )
  }
  const { failure, message } = connection
  if (failure) return <StoredChainScreen failure={failure} message={message} />
  return (
    <section className={css('screen')} aria-label="The chain has stopped">
      <h1 className={css('title')}>The chain has stopped</h1>
      <div role="alert" className={css('text')}>
        <p>The worker of this tab has crashed. Calls that waited for an answer got an error.</p>
        <p className={css('reason')}>{message}</p>
      </div>
      <Button look="primary" onClick={() => session.restart()}>
        <RotateCcw size={16} aria-hidden="true" />
        Restart
      </Button>
      <p className={css('after')}>
        {session.chain === undefined
          ? 'Its chain was only in memory: a restart begins a new one at block 0, with the same settings.'
          : 'A restart goes on with what is stored of the chain.'}
      </p>
    </section>
  )
}
