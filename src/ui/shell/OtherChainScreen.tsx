import { lazy } from 'react'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { RemoteScreen } from '#ui/connect/RemoteScreen.tsx'
import { useConnection, useSession } from '#ui/page/session.ts'

const ForkScreen = lazy(async () => ({ default: (await import('#ui/fork/ForkScreen.tsx')).ForkScreen }))

/** Shown while the page waits for a chain elsewhere, at an endpoint or in another tab, or cannot have it. */
export function OtherChainScreen() {
  const { remote, fork } = useSession()
  const connection = useConnection()
  if (remote) return <RemoteScreen remote={remote} />
  if (connection.status === 'blocked') {
    return (
      <MessageScreen
        title="The chain runs in another tab"
        failed
        reason={connection.message}
        actions={<ReloadButton />}
      >
        <p>
          The other tab has a different version of this page, so the two cannot talk to each other. Reload both tabs, or
          close the other one.
        </p>
      </MessageScreen>
    )
  }
  if (!fork) return null
  return (
    <LoadBoundary
      waiting={null}
      renderFailure={({ message }) => (
        <MessageScreen title="The fork could not be shown" failed reason={message} actions={<ReloadButton />}>
          <p>Reload the page to load the screen again.</p>
        </MessageScreen>
      )}
    >
      <ForkScreen fork={fork} />
    </LoadBoundary>
  )
}
