import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { LeaveButton } from '#ui/connect/LeaveButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { useSession } from '#ui/page/session.ts'

/** Shown in place of the whole page when rendering it has failed. */
export function BrokenScreen({ error }: { error: Error }) {
  const { remote } = useSession()
  return (
    <MessageScreen
      title="The page could not be shown"
      failed
      reason={error.message}
      actions={
        <>
          <ReloadButton />
          <LeaveButton />
        </>
      }
    >
      <p>
        {remote
          ? `The page could not display an answer from the chain at ${othersText(remote.endpoint.host)}. Nothing was changed there.`
          : 'This is a bug in the page. The chain is not affected: everything stored is still there.'}
      </p>
    </MessageScreen>
  )
}
