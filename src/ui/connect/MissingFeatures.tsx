import { Info } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { goRemote } from './endpoint-address.ts'
import { missingFeatures, pushingAddress } from './remote-words.ts'

/** Lists what the endpoint cannot do; renders nothing if it can do everything. */
export function MissingFeatures() {
  const { remote } = useSession()
  const capabilities = useCapabilities()
  const missing = missingFeatures(capabilities)
  if (!remote || missing.length === 0) return null
  const socket = pushingAddress(remote.endpoint, capabilities)
  return (
    <Notice
      label="Limits of this endpoint"
      icon={Info}
      look="plain"
      actions={socket && <Button onClick={() => goRemote(socket)}>Connect over WebSocket</Button>}
    >
      {missing.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}
