import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'

/** All methods of the node with their parameters and results. Does not change while the node runs. */
export const openRpcQuery = (provider: BlinknetProvider) =>
  queryOptions({
    queryKey: ['rpc_discover'],
    queryFn: () => provider.request({ method: 'rpc_discover' }),
    staleTime: Number.POSITIVE_INFINITY,
  })
