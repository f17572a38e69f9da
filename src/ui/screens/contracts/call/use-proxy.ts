import { useQuery } from '@tanstack/react-query'
import type { Address } from '#primitives/hex.ts'
import { useKnownContracts } from '#ui/decode/known-contracts.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useProvider } from '#ui/page/session.ts'
import { type Proxy, proxyQuery } from '#ui/queries/proxies.ts'

/** The implementation behind a proxy, as of the newest partial block; `undefined` if it is not a proxy, or not known yet. */
export function useProxy(address: Address): Proxy | undefined {
  const version = useFeed((feed) => feed.live?.hash)
  const { data } = useQuery(proxyQuery(useProvider(), address, version))
  return data ?? undefined
}

/** Remembers the implementation of a known contract, so that its logs and calls are decoded with that ABI as well. */
export function rememberImplementation(address: Address, implementation: Address | undefined): void {
  const contract = useKnownContracts.getState().get(address)
  if (!contract || contract.implementation === implementation) return
  useKnownContracts.setState((known) => new Map(known).set(address, { ...contract, implementation }), true)
}
