import { ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { errorText } from '#transport/port/messages.ts'
import type { FromWallet, ToWallet } from './wallet-port.ts'
import type { DappWallet } from './wallet-provider.ts'

/** The part of `MessagePort` used here. */
export type WalletPort = Pick<MessagePort, 'postMessage' | 'onmessage' | 'addEventListener' | 'close'>

/** What a page needs of a dapp's wallet. */
export type HostedWallet = Pick<DappWallet, 'provider' | 'close'>

/** A dapp in another document, at the page's end of its port. */
export interface ServedDapp {
  /** Tells the dapp that the page is going away. */
  close(message: string): void
}

/**
 * Serves a wallet to a dapp in another document.
 *
 * @param onClosed - Called when the dapp has gone.
 */
export function serveWalletPort(port: WalletPort, wallet: HostedWallet, onClosed: () => void): ServedDapp {
  const { provider } = wallet
  let open = true
  const post = (message: FromWallet) => {
    if (open) port.postMessage(message)
  }
  function end(): void {
    if (!open) return
    open = false
    port.onmessage = null
    port.close()
    wallet.close()
    onClosed()
  }

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    try {
      post({ kind: 'result', id, result: await provider.request({ method, params }) })
    } catch (error) {
      post({ kind: 'error', id, ...errorFields(error) })
    }
  }

  provider.on('message', (payload) => post({ kind: 'event', name: 'message', payload }))
  provider.on('connect', (payload) => post({ kind: 'event', name: 'connect', payload }))
  provider.on('disconnect', ({ code, message }) =>
    post({ kind: 'event', name: 'disconnect', payload: { code, message } }),
  )
  provider.on('chainChanged', (payload) => post({ kind: 'event', name: 'chainChanged', payload }))
  provider.on('accountsChanged', (payload) => post({ kind: 'event', name: 'accountsChanged', payload }))

  // Some browsers report a document that went without a message.
  port.addEventListener('close', end)
  port.onmessage = ({ data }: MessageEvent<ToWallet>) => {
    if (data.kind === 'close') end()
    else void answer(data.id, data.method, data.params)
  }
  post({ kind: 'ready' })
  return {
    close(message) {
      post({ kind: 'closed', message })
      end()
    },
  }
}

function errorFields(error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!(error instanceof ProviderRpcError)) return { code: ERROR_CODES.internal, message: errorText(error) }
  const { code, message, data } = error
  return { code, message, ...(data !== undefined && { data }) }
}
