import type { BlinknetProvider } from '#client/session/provider.ts'
import { announceWallet, blinknetInfo } from './eip6963.ts'
import { type HostedWallet, type ServedDapp, serveWalletPort } from './serve-wallet-port.ts'
import { isWalletHello } from './wallet-port.ts'
import { createDappWallet, type WalletProvider } from './wallet-provider.ts'
import type { WalletRequests } from './wallet-requests.ts'

/** Makes the wallet of one dapp, as {@link createDappWallet} does. */
export type MakeWallet = (node: BlinknetProvider, requests: WalletRequests, dapp: string) => HostedWallet

/** Name shown for scripts in the page that are not its own. */
const THIS_PAGE = 'A script of this page'

/**
 * Makes the page a wallet: announces it to scripts in the page (EIP-6963, and `window.ethereum` unless another wallet
 * has that name), and serves it to documents of the same origin that include `wallet.js`.
 *
 * @param make - Makes the wallet of each dapp; by default one that is on the page's chain only.
 * @returns The wallet for scripts in the page.
 */
export function hostWallet(
  target: Window,
  node: BlinknetProvider,
  requests: WalletRequests,
  make: MakeWallet = createDappWallet,
): WalletProvider {
  const walletFor = (dapp: string) => make(node, requests, dapp)
  const { provider } = walletFor(THIS_PAGE)
  announceWallet(target, { info: blinknetInfo(target.crypto.getRandomValues(new Uint8Array(16))), provider })
  target.ethereum ??= provider
  serveFrames(target, walletFor)
  return provider
}

function serveFrames(target: Window, walletFor: (dapp: string) => HostedWallet): void {
  const { origin } = target.location
  // Every sandboxed document has this origin, no matter who made it.
  if (origin === 'null') return
  const dapps = new Set<ServedDapp>()
  target.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.origin !== origin || !isWalletHello(event.data)) return
    const [port] = event.ports
    if (!port) return
    const dapp = serveWalletPort(port, walletFor(nameOf(event.source)), () => dapps.delete(dapp))
    dapps.add(dapp)
  })
  target.addEventListener('pagehide', () => {
    for (const dapp of [...dapps]) dapp.close('the page of the wallet was closed')
  })
}

/** The dapp's path, as its document reports it; it has this origin. */
function nameOf(source: MessageEvent['source']): string {
  return source && 'location' in source ? source.location.pathname : 'A document of this site'
}
