import { isObject, parsedJson } from '#primitives/json-object.ts'
import type { RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { aboutAnswer, aboutCall, aboutEvent } from './about.ts'
import { CallError, type DappClaim, type DappTools, type StreamEvent } from './dapp-tools.ts'

/** What a dapp shows from a tick on. */
export interface Shown {
  readonly tick: number
  readonly text: string
  readonly claim: DappClaim
}

/** What was said between a dapp and its chain, or to the person, in order. */
export type Said =
  | {
      readonly kind: 'call'
      readonly tick: number
      readonly method: string
      /** What it asks about, in a few words. */
      readonly about: string
      /** `undefined` if none came. */
      readonly answer?: string
      readonly isError?: boolean
      /** The tick of the answer. */
      readonly answeredAt?: number
    }
  | { readonly kind: 'event'; readonly tick: number; readonly about: string }
  | ({ readonly kind: 'show' } & Shown)
  /** The code ended with an error that it does not handle. */
  | { readonly kind: 'crash'; readonly tick: number; readonly about: string }

/** Most lines that are kept of one run. */
const MAX_SAID = 2_000

/** Runs the code of a dapp, tick by tick, and keeps what it says and shows. The code waits for one thing at a time. */
export class DappRun implements DappTools {
  readonly said: Said[] = []
  readonly shown: Shown[] = []
  /** What the code has thrown, but for refusals of its chain. */
  failure: Error | undefined
  readonly #connection: RpcConnection
  readonly #rounds = new MessageChannel()
  /** What has come since the last look at it, and what the code has not taken. */
  #inbox: StreamEvent[] = []
  readonly #events: StreamEvent[] = []
  readonly #subscriptions = new Set<unknown>()
  #now = 0
  #lastId = 0
  #ended = false
  #closed = false
  /** Whether the code waits for what only time brings: a tick, an event, or an answer that is held. */
  #rests = false
  #onRest: (() => void)[] = []
  /** Wakes the code; it waits for a tick, or for an event until a tick. */
  #sleeper:
    | { readonly wake: (event: StreamEvent | 'quiet') => void; readonly until: number; readonly hears: boolean }
    | undefined

  constructor(endpoint: RpcEndpoint) {
    this.#connection = endpoint.connect((body) => this.#note(body))
  }

  /** Begins the code; it runs until it is over. */
  begin(code: (tools: DappTools) => Promise<void>): void {
    const end = (failure?: unknown) => {
      if (failure instanceof CallError) this.#say({ kind: 'crash', tick: this.#now, about: failure.message })
      else if (failure !== undefined && !this.#closed) {
        this.failure =
          failure instanceof Error ? failure : new Error(`something else was thrown: ${JSON.stringify(failure)}`)
      }
      this.#ended = true
      this.#rest()
    }
    code(this).then(() => end(), end)
  }

  /** An answer to the code is held. */
  noteHeld(): void {
    this.#rest()
  }

  /**
   * Tells the code what has come meanwhile. Resolves once it waits for more.
   *
   * @param ticks - How many have passed since the last time.
   */
  async pump(ticks: 0 | 1): Promise<void> {
    this.#now += ticks
    // What the chain has pushed before this is answered has come by then.
    await this.#connection.handle('{"jsonrpc":"2.0","id":0,"method":"eth_chainId","params":[]}')
    // An answer that was held until now goes on as a microtask.
    await this.#round()
    for (const event of this.#inbox.splice(0)) {
      this.#events.push(event)
      this.#say({ kind: 'event', tick: this.#now, about: event ? aboutEvent(event) : 'the stream has ended' })
    }
    const { wake, until, hears } = this.#sleeper ?? {}
    if (hears && this.#events.length > 0) wake?.(this.#events.shift())
    else if (until !== undefined && this.#now >= until) wake?.('quiet')
    while (!this.#rests && !this.#ended) await new Promise<void>((resolve) => this.#onRest.push(resolve))
  }

  /** Ends the run. Code that waits never goes on. */
  close(): void {
    this.#closed = true
    this.#connection.close()
    this.#rounds.port1.close()
  }

  readonly request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    this.#rests = false
    const call = { kind: 'call', tick: this.#now, method, about: aboutCall(method, params) } as const
    const at = this.#say(call)
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params })
    const answer = parsedJson((await this.#connection.handle(body)) ?? '')
    this.#rests = false
    const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : undefined
    const result = isObject(answer) ? answer['result'] : undefined
    const text = error ? String(error['message']) : aboutAnswer(method, result)
    if (at !== undefined) {
      this.said[at] = { ...call, answer: text, answeredAt: this.#now, ...(error && { isError: true }) }
    }
    if (error) throw new CallError(Number(error['code']), text)
    if (method === 'eth_subscribe') this.#subscriptions.add(result)
    return result
  }

  readonly show = (text: string, claim: DappClaim): void => {
    if (this.shown.at(-1)?.text === text) return
    const shown = { tick: this.#now, text, claim }
    this.shown.push(shown)
    this.#say({ kind: 'show', ...shown })
  }

  readonly tick = async (): Promise<void> => {
    await this.#sleep(this.#now + 1, false)
  }

  readonly event = (ticks = Number.POSITIVE_INFINITY): Promise<StreamEvent | 'quiet'> =>
    this.#events.length > 0 ? Promise.resolve(this.#events.shift()) : this.#sleep(this.#now + ticks, true)

  #sleep(until: number, hears: boolean): Promise<StreamEvent | 'quiet'> {
    const woken = new Promise<StreamEvent | 'quiet'>((resolve) => {
      const wake = (event: StreamEvent | 'quiet') => {
        this.#sleeper = undefined
        this.#rests = false
        resolve(event)
      }
      this.#sleeper = { wake, until, hears }
    })
    this.#rest()
    return woken
  }

  #rest(): void {
    this.#rests = true
    for (const resolve of this.#onRest.splice(0)) resolve()
  }

  /** Lets everything go on that can. */
  #round(): Promise<void> {
    return new Promise((resolve) => {
      this.#rounds.port1.onmessage = () => resolve()
      this.#rounds.port2.postMessage(null)
    })
  }

  #note(body: string): void {
    const message = parsedJson(body)
    const params = isObject(message) && isObject(message['params']) ? message['params'] : {}
    const { subscription, result } = params
    if (!this.#subscriptions.has(subscription) || this.#closed) return
    if (isObject(result)) {
      this.#inbox.push(result)
    } else {
      this.#subscriptions.delete(subscription)
      this.#inbox.push(undefined)
    }
  }

  /** @returns Where it stands in {@link said}; `undefined` if there is no more room. */
  #say(said: Said): number | undefined {
    if (this.said.length >= MAX_SAID) return undefined
    return this.said.push(said) - 1
  }
}
