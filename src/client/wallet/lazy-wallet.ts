import { type BlinknetProvider, ProviderListeners } from '#client/session/provider.ts'
import type { Eip1193Provider } from './eip6963.ts'
import type { MakeWallet } from './wallet-host.ts'
import { createDappWallet, type DappWallet } from './wallet-provider.ts'
import type { WalletRequests } from './wallet-requests.ts'

/** Makes a dapp's wallet that is on one of several chains, of the one that it has on the page's own. */
export type WidenWallet = (
  own: DappWallet,
  home: BlinknetProvider,
  requests: WalletRequests,
  dapp: string,
) => DappWallet

/**
 * Makes wallets that are on the page's own chain, and load what takes them to others when a dapp first asks for one: few
 * pages need it, so as little as possible is here.
 *
 * @param load - Called for each dapp, and again if it failed.
 */
export function lazyWallets(load: () => Promise<WidenWallet>): MakeWallet {
  return (home, requests, dapp) => {
    const listeners = new ProviderListeners()
    const own = createDappWallet(home, requests, dapp)
    let wallet = own
    let closed = false
    const unfollow = listeners.follow(own.provider)

    return {
      provider: listeners.providerWith<Eip1193Provider>({
        async request(call) {
          // A dapp may pass anything, which the wallet then refuses.
          if (/EthereumChain/.test(call.method)) {
            const widen = await load()
            // Another call may have done it meanwhile.
            if (wallet === own && !closed) {
              unfollow()
              wallet = widen(own, home, requests, dapp)
              listeners.follow(wallet.provider)
            }
          }
          return wallet.provider.request(call)
        },
      }),
      close() {
        closed = true
        wallet.close()
      },
    }
  }
}
