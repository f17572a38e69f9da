/** A call from a page: a request of a dapp, or for the events from one on. */
export type PageCall =
  | { readonly kind: 'request'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'events'; readonly from: number | undefined }

/** An error as it crosses over to the page. */
export interface PageError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The answer to a {@link PageCall}. */
export type PageAnswer =
  | { readonly result: unknown }
  | { readonly error: PageError }
  | { readonly events: readonly PageEvent[]; readonly next: number }

/** An event of EIP-1193. */
export interface PageEvent {
  readonly name: string
  readonly payload: unknown
}

/** What {@link installWallet} is given. */
export interface WalletInstallation {
  /** Name of the function that the test has put into the page. */
  readonly binding: string
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string }
}

/**
 * Runs in each document of the dapp, before its scripts: announces the wallet (EIP-6963), and is `window.ethereum` unless
 * another wallet is. It crosses over as text, so it names nothing outside of itself.
 */
export function installWallet({ binding, info }: WalletInstallation): void {
  type Listener = (payload: unknown) => void
  const call = (window as unknown as Record<string, (call: PageCall) => Promise<PageAnswer>>)[binding]
  if (!call) return
  const listeners = new Map<string, Set<Listener>>()
  const provider = {
    isBlinknet: true,
    async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
      const answer = await call({ kind: 'request', method, params })
      if ('result' in answer) return answer.result
      if (!('error' in answer)) return undefined
      const { code, message, data } = answer.error
      throw Object.assign(new Error(message), { code, ...(data !== undefined && { data }) })
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  async function follow(given: (call: PageCall) => Promise<PageAnswer>): Promise<void> {
    let from: number | undefined
    for (;;) {
      const answer = await given({ kind: 'events', from })
      if (!('events' in answer)) return
      from = answer.next
      for (const { name, payload } of answer.events) {
        for (const listener of [...(listeners.get(name) ?? [])]) {
          try {
            listener(payload)
          } catch (error) {
            // The dapp's own error, which is the page's: its other listeners, and later events, are not lost by it.
            reportError(error)
          }
        }
      }
    }
  }
  // Following a call ends with the test.
  follow(call).catch(() => {})
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  const page = window as unknown as { ethereum?: unknown }
  page.ethereum ??= provider
}
