import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { DevnetStorage } from '#rpc-types/methods/devnet.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useConnection, useProvider, useSession } from '#ui/page/session.ts'

/** Prefix of the storage queries' keys. */
export const STORAGE_KEY = 'devnet_getStorage'

/** Interval while a chain cannot be written, and no seal triggers a refresh: one block's time at the default pace. */
const ASK_EVERY_MS = 2_000

/** Interval during an import, short enough to show progress. */
const IMPORT_EVERY_MS = 250

/** The progress of an import; `null` if there is none. */
export const importQuery = (provider: BlinknetProvider) =>
  queryOptions({
    queryKey: [STORAGE_KEY, 'importing'],
    queryFn: async () => (await provider.request({ method: 'devnet_getStorage' })).importing ?? null,
    gcTime: 0,
    refetchInterval: IMPORT_EVERY_MS,
  })

/** The chain's storage; `version` changes with each seal, which is written. */
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
