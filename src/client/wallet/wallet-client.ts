import { ProviderListeners, ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { dialWallet, type WalletLink } from './dial-wallet.ts'
import { announceWallet, blinknetInfo, type Eip1193Provider } from './eip6963.ts'
import { WALLET_PROTOCOL, type WalletEvent, type WalletHello } from './wallet-port.ts'
import type { WalletProvider } from './wallet-provider.ts'

/** How long a page may take to answer a hello, in milliseconds. */
const ANSWER_MS = 3_000

const NOBODY = 'no Blinknet page answers: open this document from Blinknet, or in a frame of it'

/**
 * The code of `wallet.js`. Looks for a Blinknet page that holds this document in a frame, or has opened it, and
 * announces its wallet here when it answers.
 */
export function connectWallet(own: Window): void {
  const { origin } = own.location
  // A sandboxed document has no origin that could be checked.
  if (origin === 'null') return
  const listeners = new ProviderListeners()
  let link: Promise<WalletLink> | undefined
  let announced = false

  function dial(): Promise<WalletLink> {
    const dialling = dialAny(own, { onEvent: (event) => emit(listeners, event), onClosed })
    const forget = () => {
      if (link === dialling) link = undefined
    }
    function onClosed(error: ProviderRpcError): void {
      forget()
      listeners.emit('disconnect', error)
    }
    link = dialling
    dialling.then(announceOnce, forget)
    return dialling
  }

  function announceOnce(): void {
    if (announced) return
    announced = true
    announceWallet(own, { info: blinknetInfo(own.crypto.getRandomValues(new Uint8Array(16))), provider })
    own.ethereum ??= provider
  }

  const provider: WalletProvider = listeners.providerWith<Eip1193Provider>({
    request: async ({ method, params }) => (await (link ?? dial())).request(method, params),
  })

  const dialAgain = () => {
    if (!announced && !link) void dial()
  }
  dialAgain()
  // The page may have started later than this document.
  own.addEventListener('eip6963:requestProvider', dialAgain)
  own.addEventListener('pagehide', () => {
    link?.then((open) => open.close()).catch(() => {})
  })
}

interface DialListener {
  onEvent(event: WalletEvent): void
  onClosed(error: ProviderRpcError): void
}

/** Connects to the first window that answers among those that may be a Blinknet page. */
function dialAny(own: Window, listener: DialListener): Promise<WalletLink> {
  return new Promise((resolve, reject) => {
    let won = false
    const links: WalletLink[] = []
    const hosts = hostsOf(own)
    if (hosts.length === 0) return reject(new ProviderRpcError(ERROR_CODES.disconnected, NOBODY))
    const timer = setTimeout(() => {
      for (const link of links) link.close()
      reject(new ProviderRpcError(ERROR_CODES.disconnected, NOBODY))
    }, ANSWER_MS)
    for (const host of hosts) {
      const { port1, port2 } = new MessageChannel()
      let mine = false
      const link = dialWallet(port1, {
        onReady() {
          if (won) return
          won = true
          mine = true
          clearTimeout(timer)
          for (const other of links) if (other !== link) other.close()
          resolve(link)
        },
        onEvent: (event) => mine && listener.onEvent(event),
        onClosed: (error) => mine && listener.onClosed(error),
      })
      links.push(link)
      const hello: WalletHello = { kind: 'blinknet:wallet', protocol: WALLET_PROTOCOL }
      // A window of another origin does not receive it.
      host.postMessage(hello, own.location.origin, [port2])
    }
  })
}

function hostsOf(own: Window): readonly Window[] {
  const hosts = [own.parent, own.opener as Window | null]
  return hosts.filter((host): host is Window => host !== null && host !== own)
}

function emit(listeners: ProviderListeners, event: WalletEvent): void {
  if (event.name !== 'disconnect') listeners.emit(event.name, event.payload)
  else listeners.emit('disconnect', new ProviderRpcError(event.payload.code, event.payload.message))
}
