import { MutationCache, QueryClient } from '@tanstack/react-query'
import { STORAGE_KEY } from '#ui/storage/storage-query.ts'

/** The cache of what is asked of one chain. */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    // A mutation may have failed because nothing can be stored.
    mutationCache: new MutationCache({ onError: () => queries.invalidateQueries({ queryKey: [STORAGE_KEY] }) }),
    // The node is in this tab, or its session retries by itself: repeating the call would not help.
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
      mutations: { networkMode: 'always' },
    },
  })
  return queries
}
