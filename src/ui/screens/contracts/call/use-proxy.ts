import { useQuery } from '@tanstack/react-query'
import type { Address } from '#primitives/hex.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useProvider } from '#ui/page/session.ts'
import { type Proxy, proxyQuery } from '#ui/queries/proxies.ts'

/** The implementation behind a proxy, as of the newest partial block; `undefined` if it is not a proxy, or not known yet. */
export function useProxy(address: Address): Proxy | undefined {
  const version = useFeed((feed) => feed.live?.hash)
  const { data } = useQuery(proxyQuery(useProvider(), address, version))
  return data ?? undefined
}
