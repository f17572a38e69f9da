import type { BlinknetProvider } from '#client/session/provider.ts'
import type { RemoteView } from '#client/session/session.ts'
import type { OpenOtherChain } from '#client/wallet/switching-wallet.ts'
import type { ServerChains } from './server-chains.ts'

/**
 * Opens the other chains of the Blinknet server that a page shows a chain of. Their code is loaded, and the server asked, when
 * one is wanted first.
 *
 * @param pageProtocol - `location.protocol` of the page.
 * @param tap - What callers get of a chain's provider.
 */
export function otherChainsOf(
  { endpoint, served, status }: Pick<RemoteView, 'endpoint' | 'served' | 'status'>,
  pageProtocol: string,
  tap: (provider: BlinknetProvider) => BlinknetProvider,
): OpenOtherChain {
  let chains: Promise<ServerChains> | undefined
  return async (chainId) => {
    const now = status.get()
    // Another program is not asked for what only Blinknet has.
    if (now.status !== 'attached' || !now.capabilities.devnet) return undefined
    chains ??= import('./server-chains.ts').then(
      (loaded) => new loaded.ServerChains(endpoint, { pageProtocol, served }, tap),
    )
    return (await chains).open(chainId)
  }
}
