import { Button } from '#ui/components/Button.tsx'
import { useSession } from '#ui/page/session.ts'
import { leaveRemote } from './endpoint-address.ts'

/** Brings a page that is attached to a chain elsewhere back to its own; renders nothing on a page that has none. */
export function LeaveButton({ size }: { size?: 'small' }) {
  const { remote } = useSession()
  if (!remote || remote.served) return null
  return (
    <Button {...(size && { size })} onClick={leaveRemote}>
      Back to the built-in chain
    </Button>
  )
}
