import { lazy, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { RemoteView } from '#client/session/session.ts'
import type { RoomInfo } from '#rpc-types/methods/room.ts'
import { Button } from '#ui/components/Button.tsx'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { RetryButton } from '#ui/components/RetryButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { useRemoteStatus, useSession } from '#ui/page/session.ts'
import { allowEndpoint } from './endpoint-consent.ts'
import { LeaveButton } from './LeaveButton.tsx'
import { explainProblem } from './remote-words.ts'

const GuestScreen = lazy(async () => ({ default: (await import('#ui/room/GuestScreen.tsx')).GuestScreen }))

/** Shown while the page does not follow its remote endpoint: the progress, the problem, or a room's own screen. */
export function RemoteScreen({ remote }: { remote: RemoteView }) {
  const { endpoint, served } = remote
  const session = useSession()
  const status = useRemoteStatus()
  if (status?.status === 'attached') {
    const { room } = status.capabilities
    return room ? <Guest remote={remote} room={room} /> : null
  }
  if (status?.status === 'asking') return <Question remote={remote} />
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
  const { title, what, remedy } = explainProblem(status.problem, endpoint, location.origin, served)
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

/** Asks before anything is sent to a host that the page's address alone names. */
function Question({ remote: { endpoint, agree } }: { remote: RemoteView }) {
  const host = othersText(endpoint.host)
  return (
    <MessageScreen
      title={`Connect to the chain at ${host}?`}
      actions={
        <>
          <Button
            look="primary"
            onClick={() => {
              allowEndpoint(endpoint)
              agree()
            }}
          >
            Connect
          </Button>
          <LeaveButton />
        </>
      }
    >
      <p>
        The address of this page names {host}, and nothing was sent there yet. It would see your IP address, which
        accounts and contracts you look at, and each transaction that you send.
      </p>
    </MessageScreen>
  )
}

/** A guest's own screen; a page that was opened on another screen, or as another view, follows the chain at once. */
function Guest({ remote, room }: { remote: RemoteView; room: RoomInfo }) {
  const [path] = useLocation()
  const looks = path !== '/' || parsePageOptions(location.search).view !== 'page'
  useEffect(() => {
    if (looks) remote.lookAround(true)
  }, [looks, remote])
  if (looks) return null
  return (
    <LoadBoundary
      waiting={null}
      renderFailure={({ message }) => (
        <MessageScreen title="The room could not be shown" failed reason={message}>
          <p>Reload this page.</p>
        </MessageScreen>
      )}
    >
      <GuestScreen remote={remote} room={room} />
    </LoadBoundary>
  )
}
