import { RotateCcw } from 'lucide-react'
import type { RemoteView } from '#client/remote-view.ts'
import { Button } from '#ui/components/Button.tsx'
import { useRemoteStatus, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { leaveRemote } from './endpoint-address.ts'
import styles from './RemoteScreen.module.css'
import { explainProblem } from './remote-words.ts'

const css = classNames(styles)

/** What is shown while the page is not attached to its remote endpoint: how far it is, or what is in the way. */
export function RemoteScreen({ remote: { endpoint } }: { remote: RemoteView }) {
  const session = useSession()
  const status = useRemoteStatus()
  if (status?.status !== 'failed') {
    const attempt = status?.status === 'connecting' ? status.attempt : 0
    const title = attempt > 0 ? 'The connection was lost' : `Attaching to ${endpoint.host}`
    return (
      <section className={css('screen')} aria-label={title}>
        <h1 className={css('title')}>{title}</h1>
        <p className={css('text')}>
          {attempt > 0
            ? `Trying again to reach ${endpoint.host}, attempt ${attempt}. Calls that waited for an answer were ended.`
            : 'Asking the chain who it is and what it can do.'}
        </p>
        <div className={css('actions')}>
          <Button onClick={leaveRemote}>Back to the built-in chain</Button>
        </div>
      </section>
    )
  }
  const { title, what, remedy } = explainProblem(status.problem, endpoint, location.origin)
  return (
    <section className={css('screen')} aria-label={title}>
      <h1 className={css('title')}>{title}</h1>
      <div role="alert" className={css('text')}>
        <p>{what}</p>
        <p className={css('remedy')}>{remedy}</p>
      </div>
      <div className={css('actions')}>
        <Button look="primary" onClick={() => session.restart()}>
          <RotateCcw size={16} aria-hidden="true" />
          Try again
        </Button>
        <Button onClick={leaveRemote}>Back to the built-in chain</Button>
      </div>
    </section>
  )
}
