import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { DevnetStorage } from '#rpc-types/devnet.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useConnection, useProvider, useSession } from '#ui/page/session.ts'

/** Begins the keys of what is asked about storage. */
export const STORAGE_KEY = 'devnet_getStorage'

/** While a chain cannot be written, no seal comes that would have it asked anew. One block's time at the default pace. */
const ASK_EVERY_MS = 2_000

/** While a chain is imported: often enough to see it move. */
const IMPORT_EVERY_MS = 250

/** How far the import of a chain is; `null` if none is under way. */
export const importQuery = (provider: BlinknetProvider) =>
  queryOptions({
    queryKey: [STORAGE_KEY, 'importing'],
    queryFn: async () => (await provider.request({ method: 'devnet_getStorage' })).importing ?? null,
    gcTime: 0,
    refetchInterval: IMPORT_EVERY_MS,
  })

/** The chain's storage; `version` changes with each seal, since each is written down. */
export const storageQuery = (provider: BlinknetProvider, version: string) =>
  queryOptions({
    queryKey: [STORAGE_KEY, version],
    queryFn: () => provider.request({ method: 'devnet_getStorage' }),
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    refetchInterval: ASK_EVERY_MS,
  })

/** Storage of the page's own chain; `undefined` until the node answers, and for a remote chain. */
export function useStorage(): DevnetStorage | undefined {
  const { remote } = useSession()
  const { devnet } = useCapabilities()
  const enabled = useConnection().status === 'ready' && devnet && !remote
  const version = useFeed((feed) => feed.sealed[0]?.hash)
  return useQuery({ ...storageQuery(useProvider(), version ?? ''), enabled }).data
}
