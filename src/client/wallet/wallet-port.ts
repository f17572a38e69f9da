import type { ProviderEvents } from '#client/session/provider.ts'

/** Version of the messages in this file. */
export const WALLET_PROTOCOL = 1

/**
 * The message that a document of the same origin posts to the page's window, with a port: the only window message that
 * Blinknet listens to. It is sent to and accepted from this origin only.
 */
export interface WalletHello {
  readonly kind: 'blinknet:wallet'
  readonly protocol: number
}

/** Dapp → page. JSON values pass unchanged. */
export type ToWallet =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  /** The document is going away. */
  | { readonly kind: 'close' }

/** Page → dapp. */
export type FromWallet =
  /** The page is listening. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | {
      readonly kind: 'error'
      readonly id: number
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
  | WalletEvent
  /** The page is going away: no more answers. */
  | { readonly kind: 'closed'; readonly message: string }

/** An EIP-1193 event for a dapp. */
export type WalletEvent = {
  readonly [Name in keyof ProviderEvents]: {
    readonly kind: 'event'
    readonly name: Name
    readonly payload: Name extends 'disconnect'
      ? { readonly code: number; readonly message: string }
      : ProviderEvents[Name]
  }
}[keyof ProviderEvents]

/** Whether a window message is a {@link WalletHello} that this page understands. */
export function isWalletHello(data: unknown): data is WalletHello {
  if (typeof data !== 'object' || data === null) return false
  const { kind, protocol } = data as Partial<WalletHello>
  return kind === 'blinknet:wallet' && protocol === WALLET_PROTOCOL
}
