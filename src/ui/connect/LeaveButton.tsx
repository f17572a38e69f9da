import { Button } from '#ui/components/Button.tsx'
import { useSession } from '#ui/page/session.ts'
import { leaveRemote } from './endpoint-address.ts'

/** Brings a page that shows a chain elsewhere, or a fork of one, back to its own; renders nothing on a page that has none. */
export function LeaveButton({ size }: { size?: 'small' }) {
  const { remote, fork } = useSession()
  if (remote ? remote.served : !fork) return null
  return (
    <Button {...(size && { size })} onClick={leaveRemote}>
      Back to the built-in chain
    </Button>
  )
}
