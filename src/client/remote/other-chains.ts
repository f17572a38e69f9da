import type { BlinknetProvider } from '#client/session/provider.ts'
import type { RemoteView } from '#client/session/session.ts'
import { createSwitchingWallet } from '#client/wallet/switching-wallet.ts'
import type { MakeWallet } from '#client/wallet/wallet-host.ts'
import type { ServerChains } from './server-chains.ts'

/**
 * Makes wallets that may go to the other chains of the Blinknet server that a page shows a chain of. The server is asked for
 * them when one is wanted first.
 *
 * @param pageProtocol - `location.protocol` of the page.
 * @param tap - What callers get of a chain's provider.
 */
export function walletsOfServer(
  { endpoint, served, status }: Pick<RemoteView, 'endpoint' | 'served' | 'status'>,
  pageProtocol: string,
  tap: (provider: BlinknetProvider) => BlinknetProvider,
): MakeWallet {
  let chains: Promise<ServerChains> | undefined
  return (node, requests, dapp) =>
    createSwitchingWallet(node, requests, dapp, async (chainId) => {
      const now = status.get()
      // Another program is not asked for what only Blinknet has.
      if (now.status !== 'attached' || !now.capabilities.devnet) return []
      // A server has one chain with an id.
      if ((await node.request({ method: 'eth_chainId' })) === chainId) return []
      chains ??= import('./server-chains.ts').then(
        (loaded) => new loaded.ServerChains(endpoint, { pageProtocol, served }, tap),
      )
      const opened = await (await chains).open(chainId)
      return opened ? [{ name: opened.name, open: async () => opened }] : []
    })
}
