import type { RemoteView } from '#client/session/session.ts'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { RetryButton } from '#ui/components/RetryButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { useRemoteStatus, useSession } from '#ui/page/session.ts'
import { LeaveButton } from './LeaveButton.tsx'
import { explainProblem } from './remote-words.ts'

/** Shown while the page is not attached to its remote endpoint: the progress, or the problem. */
export function RemoteScreen({ remote: { endpoint } }: { remote: RemoteView }) {
  const session = useSession()
  const status = useRemoteStatus()
  if (status?.status !== 'failed') {
    const attempt = status?.status === 'connecting' ? status.attempt : 0
    return (
      <MessageScreen
        title={attempt > 0 ? 'The connection was lost' : `Connecting to ${endpoint.host}`}
        actions={<LeaveButton />}
      >
        <p>
          {attempt > 0
            ? `Trying to reach ${endpoint.host} again, attempt ${attempt}. Calls that were waiting for an answer have failed.`
            : 'Asking the node which chain it runs and what it supports.'}
        </p>
      </MessageScreen>
    )
  }
  const { title, what, remedy } = explainProblem(status.problem, endpoint, location.origin)
  return (
    <MessageScreen
      title={title}
      failed
      actions={
        <>
          <RetryButton onClick={() => session.restart()}>Try again</RetryButton>
          <LeaveButton />
        </>
      }
    >
      <p>{othersText(what)}</p>
      <p>
        <strong>{othersText(remedy)}</strong>
      </p>
    </MessageScreen>
  )
}
