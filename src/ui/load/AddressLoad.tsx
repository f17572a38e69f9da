import { Gauge } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { loadFromAddress, mayActUnasked } from './load-plan.ts'

/**
 * Starts the load in the page's address once the chain is running. Anyone can write such an address, so it asks first,
 * unless the chain belongs to this page alone and is in memory.
 */
export function AddressLoad() {
  const [plan] = useState(() => loadFromAddress(location.search))
  const provider = useProvider()
  const { chain, remote, fork } = useSession()
  const { devnet } = useCapabilities()
  const following = useFeed((feed) => feed.live !== undefined)
  const [answer, setAnswer] = useState(mayActUnasked({ chain, rpc: remote?.endpoint, fork }) ? 'yes' : 'open')
  const [failure, setFailure] = useState<Error>()
  const ready = devnet && following
  const starts = ready && answer === 'yes'
  useEffect(() => {
    if (!starts || !plan) return undefined
    let wanted = true
    void import('./load-control.ts').then(({ planLoad }) => {
      if (wanted) planLoad(provider, plan)
    }, setFailure)
    return () => {
      wanted = false
    }
  }, [starts, provider, plan])
  if (failure) return <ErrorNote error={failure} />
  if (!ready || !plan || answer !== 'open') return null
  return (
    <Notice
      label="Load from the page’s address"
      title={`This link wants to start a load of ${plan.rate} transactions per second`}
      icon={Gauge}
      look="attention"
      actions={
        <>
          <Button size="small" onClick={() => setAnswer('no')}>
            Not now
          </Button>
          <Button size="small" onClick={() => setAnswer('yes')}>
            Start the load
          </Button>
        </>
      }
    >
      <p className="muted">
        {remote
          ? `If you start it, the page sends them to ${remote.served ? 'the chain of this server' : 'the remote chain in the link'} until you stop it.`
          : `If you start it, the page sends them to your stored chain “${chain}” until you stop it.`}{' '}
        Nothing has been sent yet.
      </p>
    </Notice>
  )
}
