import { useEffect, useState } from 'react'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider } from '#ui/session.ts'
import { loadFromAddress } from './load-plan.ts'

/** Starts the load that the page's address asks for, once the chain runs. */
export function AddressLoad() {
  const [plan] = useState(() => loadFromAddress(location.search))
  const provider = useProvider()
  const { devnet } = useCapabilities()
  const following = useFeed((feed) => feed.live !== undefined)
  const ready = devnet && following
  useEffect(() => {
    if (!ready || !plan) return undefined
    let wanted = true
    void import('./load-control.ts').then(({ planLoad }) => {
      if (wanted) planLoad(provider, plan)
    })
    return () => {
      wanted = false
    }
  }, [ready, provider, plan])
  return null
}
