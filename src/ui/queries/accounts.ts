import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/provider.ts'
import type { Address } from '#primitives/hex.ts'

/** Wei of an account in the live block; `version` is that block's present hash. */
export const balanceQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['eth_getBalance', address, version],
    queryFn: async () => BigInt(await provider.request({ method: 'eth_getBalance', params: [address, 'pending'] })),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })
