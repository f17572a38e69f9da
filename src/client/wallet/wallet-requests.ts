import { createObservable, type Observable } from '#client/session/connection-state.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex, Quantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'

/** A transaction requested by a dapp. */
export interface AskedCall {
  /** `null`: a new contract. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}

/** A request that needs an account's signature. */
export type SigningRequest =
  | { readonly kind: 'message'; readonly account: Address; readonly message: string }
  | { readonly kind: 'typed-data'; readonly account: Address; readonly typedData: unknown }
  | {
      readonly kind: 'transactions'
      readonly account: Address
      readonly calls: readonly AskedCall[]
      /** If false, they are only signed, and the dapp may send them at any time. */
      readonly sent: boolean
      /** All are one transaction: either all of them succeed, or none has an effect. */
      readonly together?: true
    }

/** A dapp's question to the person at the page. */
export type WalletRequest =
  /** The account would be delegated (EIP-7702), so that the calls that are asked about next can be one transaction. */
  | {
      readonly kind: 'upgrade'
      readonly account: Address
      /** The contract whose code the account would run: always the wallet's own. */
      readonly delegate: Address
    }
  | {
      readonly kind: 'connect'
      /** The accounts that the chain sends for. The person may answer with others, which are impersonated then. */
      readonly accounts: readonly Address[]
      /** The accounts that are already shared. */
      readonly shared: readonly Address[]
    }
  | {
      readonly kind: 'switch-chain'
      readonly chainId: Quantity
      /** Names of the chains with that id, at least one. The person chooses. */
      readonly names: readonly string[]
    }
  | SigningRequest

/** A request waiting for its answer. */
export interface PendingWalletRequest {
  readonly id: number
  /** The dapp's name in the page. */
  readonly dapp: string
  readonly request: WalletRequest
}

/** The person's answer. */
export type WalletAnswer =
  | { readonly approved: false }
  | {
      readonly approved: true
      readonly accounts: readonly Address[]
      readonly remember: boolean
      /** Index of the chosen chain among those of a `switch-chain`; by default the first. */
      readonly chosen?: number
    }

/** The queue of all dapps' requests. */
export interface WalletRequests {
  /** Oldest first; the page shows the first one. */
  readonly pending: Observable<readonly PendingWalletRequest[]>
  /**
   * Asks the person.
   *
   * @param signal - Aborted when the dapp has gone: the question is withdrawn, and the answer is no.
   * @throws {ProviderRpcError} With code -32005 if too many requests are waiting.
   */
  ask(dapp: string, request: WalletRequest, signal: AbortSignal): Promise<WalletAnswer>
  /** Answers a request; does nothing if it is no longer waiting. */
  answer(id: number, answer: WalletAnswer): void
}

/** A dapp that asks in a loop must not bury the page. */
const CAPACITY = 16

/** An empty queue of requests. */
export function createWalletRequests(): WalletRequests {
  const pending = createObservable<readonly PendingWalletRequest[]>([])
  const asked = new Map<number, { readonly signal: AbortSignal; readonly resolve: (answer: WalletAnswer) => void }>()
  const watched = new WeakSet<AbortSignal>()
  let lastId = 0

  function answer(id: number, given: WalletAnswer): void {
    const question = asked.get(id)
    if (!question) return
    asked.delete(id)
    pending.set(pending.get().filter((request) => request.id !== id))
    question.resolve(given)
  }

  /** Withdraws all questions of a dapp when it goes: one listener, however much it asks. */
  function watch(signal: AbortSignal): void {
    if (watched.has(signal)) return
    watched.add(signal)
    const withdraw = () => {
      for (const [id, question] of asked) if (question.signal === signal) answer(id, { approved: false })
    }
    signal.addEventListener('abort', withdraw, { once: true })
  }

  return {
    pending,
    async ask(dapp, request, signal) {
      if (signal.aborted) return { approved: false }
      if (pending.get().length >= CAPACITY) {
        throw new ProviderRpcError(
          ERROR_CODES['limit-exceeded'],
          'too many requests are waiting for an answer in the page',
        )
      }
      const id = ++lastId
      watch(signal)
      return new Promise<WalletAnswer>((resolve) => {
        asked.set(id, { signal, resolve })
        pending.set([...pending.get(), { id, dapp, request }])
      })
    },
    answer,
  }
}
