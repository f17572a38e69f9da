import { ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { FromWallet, ToWallet, WalletEvent } from './wallet-port.ts'

/** The dapp's end of a port to the page. */
export interface WalletLink {
  /** @throws {ProviderRpcError} The wallet's error; 4900 if it goes away first. */
  request(method: string, params: unknown): Promise<unknown>
  /** Closes the link and tells the page. */
  close(): void
}

/** Events of a link. */
export interface WalletLinkListener {
  onReady(): void
  onEvent(event: WalletEvent): void
  /** The page has gone; called after all pending calls have ended. */
  onClosed(error: ProviderRpcError): void
}

interface PendingCall {
  resolve(result: unknown): void
  reject(error: ProviderRpcError): void
}

/** Connects to a page that serves its wallet at the other end of `port`. */
export function dialWallet(port: MessagePort, listener: WalletLinkListener): WalletLink {
  const pending = new Map<number, PendingCall>()
  let ended: ProviderRpcError | undefined
  let lastId = 0
  const post = (message: ToWallet) => port.postMessage(message)

  function end(message: string): void {
    if (ended) return
    ended = new ProviderRpcError(ERROR_CODES.disconnected, message)
    port.onmessage = null
    port.close()
    for (const call of pending.values()) call.reject(ended)
    pending.clear()
    listener.onClosed(ended)
  }

  function settle(id: number, act: (call: PendingCall) => void): void {
    const call = pending.get(id)
    pending.delete(id)
    if (call) act(call)
  }

  port.addEventListener('close', () => end('the page of the wallet has gone'))
  port.onmessage = ({ data }: MessageEvent<FromWallet>) => {
    switch (data.kind) {
      case 'ready':
        return listener.onReady()
      case 'result':
        return settle(data.id, (call) => call.resolve(data.result))
      case 'error': {
        const { code, message, data: details } = data
        return settle(data.id, (call) => call.reject(new ProviderRpcError(code, message, { data: details })))
      }
      case 'event':
        return listener.onEvent(data)
      case 'closed':
        return end(data.message)
      default:
        data satisfies never
    }
  }

  return {
    request(method, params) {
      if (ended) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        const id = ++lastId
        post({ kind: 'request', id, method, params })
        pending.set(id, { resolve, reject })
      })
    },
    close() {
      if (!ended) post({ kind: 'close' })
      end('the document was left')
    },
  }
}
