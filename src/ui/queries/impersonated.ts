import { useQuery } from '@tanstack/react-query'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { lookForImpersonated } from '#ui/own/impersonate.ts'
import { useCapabilities, useReadOnly, useSession } from '#ui/page/session.ts'

/** Keeps up which accounts the chain impersonates, where it tells. */
export function useFollowImpersonated(): void {
  const session = useSession()
  const { devnet } = useCapabilities()
  // A guest may not ask, and a film has no accounts.
  const readOnly = useReadOnly()
  useQuery({
    queryKey: ['impersonated', chainKeyOf(session)],
    queryFn: async () => {
      await lookForImpersonated(session.provider)
      return true
    },
    enabled: devnet && !readOnly,
    // Asked anew by each part of the page that appears: dapps, other pages and programs impersonate accounts as well.
    staleTime: 0,
  })
}
