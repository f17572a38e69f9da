import type { Address, Hex, Quantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcSubscriptionError,
} from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'

/** The error of EIP-1193: the node's error unchanged, or 4900 if the node is gone. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  /** Absent, not `undefined`, if the node sent none: libraries check `'data' in error`. */
  declare readonly data?: unknown

  constructor(code: number, message: string, options: ErrorOptions & { readonly data?: unknown } = {}) {
    super(message, options)
    this.code = code
    if (options.data !== undefined) this.data = options.data
  }
}

/** Whether the chain has answered, if only by an error. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProviderRpcError && error.code !== ERROR_CODES.disconnected
}

/**
 * Resolves with `undefined` if the chain refuses, for whatever reason.
 *
 * @throws {ProviderRpcError} If there is no connection to it.
 */
export async function unlessRefused<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Event name → payload, as in EIP-1193. */
export interface ProviderEvents {
  /** A subscription's event. If it has an `error` instead of a result, it is the last one. */
  message: {
    readonly type: 'eth_subscription'
    readonly data: JsonRpcNotification['params'] | JsonRpcSubscriptionError['params']
  }
  /** The node is running, at first and after every restart. Subscriptions of an earlier node are gone. */
  connect: { readonly chainId: Hex }
  disconnect: ProviderRpcError
  chainChanged: Hex
  accountsChanged: readonly Address[]
}

type Listener<Name extends keyof ProviderEvents> = (payload: ProviderEvents[Name]) => void

/** The part of a provider that tells of events. */
export interface ProviderEventSource {
  /** Calls `listener` at every later event. Adding it twice has no further effect. */
  on<Name extends keyof ProviderEvents>(event: Name, listener: Listener<Name>): this
  removeListener<Name extends keyof ProviderEvents>(event: Name, listener: Listener<Name>): this
}

/** The listeners of a provider, compared by identity for `removeListener`. */
export class ProviderListeners {
  readonly #listeners: { readonly [Name in keyof ProviderEvents]: Set<Listener<Name>> } = {
    message: new Set(),
    connect: new Set(),
    disconnect: new Set(),
    chainChanged: new Set(),
    accountsChanged: new Set(),
  }

  /** Makes a provider of the rest of one: with the two methods by which callers add and remove these listeners. */
  providerWith<Rest extends object>(rest: Rest): Rest & ProviderEventSource {
    const provider: Rest & ProviderEventSource = {
      ...rest,
      on: (event, listener) => {
        this.#listeners[event].add(listener)
        return provider
      },
      removeListener: (event, listener) => {
        this.#listeners[event].delete(listener)
        return provider
      },
    }
    return provider
  }

  /**
   * Tells these listeners the events of another source, too.
   *
   * @param names - Which; by default all.
   * @returns Ends that.
   */
  follow(source: ProviderEventSource, names = Object.keys(this.#listeners) as (keyof ProviderEvents)[]): () => void {
    const stops = names.map((name) => {
      const listener = (payload: ProviderEvents[typeof name]) => this.emit(name, payload)
      source.on(name, listener)
      return () => source.removeListener(name, listener)
    })
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Calls every listener with `payload`. One that throws is reported to the host and does not stop the others. */
  emit<Name extends keyof ProviderEvents>(event: Name, payload: ProviderEvents[Name]): void {
    for (const listener of [...this.#listeners[event]]) {
      try {
        listener(payload)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

/** The parameters of the method `Name`; optional if it can do without. */
type Arguments<Name extends string> = Name extends MethodName
  ? [] extends ParamsOf<Name>
    ? { readonly params?: ParamsOf<Name> }
    : { readonly params: ParamsOf<Name> }
  : { readonly params?: readonly unknown[] | object }

type Result<Name extends string> = Name extends MethodName ? ResultOf<Name> : unknown

/**
 * The node as an EIP-1193 provider. It outlives the node: after a restart it talks to the new one.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-1193 | EIP-1193}
 */
export interface BlinknetProvider extends ProviderEventSource {
  /**
   * Calls a method. Those in `RpcMethods` are typed; others take any parameters.
   *
   * @throws {ProviderRpcError} With the node's code, message and data; with code 4900 if the node is gone.
   */
  readonly request: <Name extends string>(args: { readonly method: Name } & Arguments<Name>) => Promise<Result<Name>>
}

/** A provider with the functions for its owner. */
export interface ProviderHandle {
  readonly provider: BlinknetProvider
  /** Takes a notification as JSON text. */
  readonly receive: (body: string) => void
  /**
   * Asks a node that may still be starting for what {@link announceConnect} announces.
   *
   * @param known - Its accounts, if known already.
   * @throws {ProviderRpcError} If it does not answer.
   */
  ask(known?: readonly Address[]): Promise<Announced>
  /**
   * Call this when the node is running: announces its chain and accounts.
   *
   * @param asked - The answer of {@link ask}; by default it is asked now.
   * @throws {ProviderRpcError} If it does not answer.
   */
  announceConnect(asked?: Announced): Promise<void>
  /**
   * Call this when another node took over with the subscriptions: announces the differences.
   *
   * @throws {ProviderRpcError} If it does not answer.
   */
  announceMove(): Promise<void>
  announceDisconnect(message: string): void
}

/** The node's state as last announced to listeners. */
export interface Announced {
  readonly chainId: Quantity
  readonly accounts: readonly Address[]
}

/** @param send - Sends a body to the node; rejects with {@link DisconnectedError} if it is gone. */
export function createProvider(send: (body: string) => Promise<string | undefined>): ProviderHandle {
  const listeners = new ProviderListeners()
  let lastId = 0
  let announced: Announced | undefined

  const provider: BlinknetProvider = listeners.providerWith({
    async request<Name extends string>(args: { readonly method: Name } & Arguments<Name>) {
      const { method, params } = args
      const request: JsonRpcRequest = {
        jsonrpc: '2.0',
        id: ++lastId,
        method,
        // An object is a mistake of the caller; the node's error explains it best.
        params: (params ?? []) as readonly unknown[],
      }
      const response = parseResponse(await sendOrDisconnect(JSON.stringify(request)))
      if ('error' in response) {
        const { code, message, data } = response.error
        throw new ProviderRpcError(code, message, { data })
      }
      return response.result as Result<Name>
    },
  })

  async function sendOrDisconnect(body: string): Promise<string | undefined> {
    try {
      return await send(body)
    } catch (error) {
      if (!(error instanceof DisconnectedError)) throw error
      throw new ProviderRpcError(ERROR_CODES.disconnected, `The node is gone: ${error.message}`, { cause: error })
    }
  }

  async function ask(known?: readonly Address[]): Promise<Announced> {
    const [chainId, accounts] = await Promise.all([
      provider.request({ method: 'eth_chainId' }),
      known ?? provider.request({ method: 'eth_accounts' }),
    ])
    return { chainId, accounts }
  }

  function announceChanges(now: Announced): void {
    const before = announced
    announced = now
    if (!before) return
    const { chainId, accounts } = now
    if (before.chainId !== chainId) listeners.emit('chainChanged', chainId)
    if (before.accounts.join() !== accounts.join()) listeners.emit('accountsChanged', accounts)
  }

  return {
    provider,
    receive(body) {
      const { params } = JSON.parse(body) as JsonRpcNotification | JsonRpcSubscriptionError
      listeners.emit('message', { type: 'eth_subscription', data: params })
    },
    ask,
    async announceConnect(asked) {
      const now = asked ?? (await ask())
      listeners.emit('connect', { chainId: now.chainId })
      announceChanges(now)
    },
    async announceMove() {
      announceChanges(await ask())
    },
    announceDisconnect(message) {
      listeners.emit('disconnect', new ProviderRpcError(ERROR_CODES.disconnected, message))
    },
  }
}

function parseResponse(body: string | undefined): JsonRpcResponse {
  invariant(body !== undefined, 'the node sent no answer to a request that has an id')
  return JSON.parse(body) as JsonRpcResponse
}

/** Members of a provider of type `Whole`, beside those that {@link extendProvider} adds. */
type MembersOf<Whole extends BlinknetProvider> = Omit<Whole, keyof BlinknetProvider> &
  Partial<Pick<BlinknetProvider, 'request'>>

/**
 * A provider with more members. `on` and `removeListener` return the whole of it, so that calls can be chained.
 *
 * @param members - May replace `request`.
 */
export function extendProvider<Whole extends BlinknetProvider>(
  provider: BlinknetProvider,
  members: MembersOf<Whole>,
): Whole {
  const whole = {
    request: provider.request,
    ...members,
    on(event: never, listener: never) {
      provider.on(event, listener)
      return whole
    },
    removeListener(event: never, listener: never) {
      provider.removeListener(event, listener)
      return whole
    },
  } as unknown as Whole
  return whole
}
