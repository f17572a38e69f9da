import type { Hash } from '#primitives/hex.ts'
import { isObject, type JsonObject, parsedJson } from '#primitives/json-object.ts'
import { jsonParts, memberText } from '#primitives/json-parts.ts'
import type { Caller, ConnectOptions, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { JsonRpcErrorObject, JsonRpcSubscriptionError } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { ALIASES } from '#rpc-types/method-tables.derived.ts'
import { factsOf } from './fault.ts'
import { behind, type FaultyRead, withoutPending } from './faulty-reads.ts'
import { SENDS } from './methods.derived.ts'
import type { PlayedChain } from './played-chain.ts'
import type { FateRecorder } from './recording.ts'

/** Larger batches are refused by the node. */
const MAX_BATCH = 1_000

const REFUSED: JsonRpcErrorObject = { code: ERROR_CODES.server, message: 'txpool is full' }
/** As geth answers a call that took too long. */
const TIMED_OUT: JsonRpcErrorObject = { code: ERROR_CODES['timed-out'], message: 'request timed out' }
const BROKEN: JsonRpcErrorObject = { code: ERROR_CODES.server, message: 'the stream is broken, subscribe again later' }

/** Subscriptions that tell of partial blocks alone. */
const OF_PARTIAL_BLOCKS = [
  'newPartialBlocks',
  'newPartialBlockTransactions',
  'newFlashblocks',
  'newFlashblockTransactions',
  'pendingLogs',
]

/** A call that sends. */
interface Send {
  readonly method: string
  /** By its first name. */
  readonly name: string
  readonly params: readonly unknown[]
}

/** A call whose envelope is valid. */
interface Call extends Send {
  /** JSON text; `undefined` for a notification. */
  readonly id: string | undefined
  /** JSON text. */
  readonly text: string
}

/** What a call is answered, and until when that is held. */
interface Answer {
  readonly text: string | undefined
  readonly held?: Promise<void>
}

/** What all endpoints of a play share. */
export interface FaultyDeps {
  readonly recorder: FateRecorder
  /** Called when a transaction of the dapp was taken. */
  readonly onSent: () => void
  /** Called when an answer is held. */
  readonly onHeld: () => void
  /** Counts a call for as long as it takes, but for those that wait for ticks themselves. */
  readonly during: <Result>(work: Promise<Result>) => Promise<Result>
}

/** The endpoint of a chain as the dapp sees it while a fate is played. */
export function faultyEndpoint(chain: PlayedChain, deps: FaultyDeps): RpcEndpoint {
  return { connect: (push, options) => new FaultyConnection(chain, deps, push, options) }
}

class FaultyConnection implements RpcConnection {
  readonly #chain: PlayedChain
  readonly #deps: FaultyDeps
  readonly #inner: RpcConnection
  /** The kind of each subscription, by its id. */
  readonly #kinds = new Map<string, string>()
  readonly #push: Push | undefined
  readonly #headsOfPartialBlocks: boolean
  readonly #unwatch: () => void

  constructor(chain: PlayedChain, deps: FaultyDeps, push: Push | undefined, options: ConnectOptions | undefined) {
    this.#chain = chain
    this.#deps = deps
    this.#push = push
    this.#headsOfPartialBlocks = options?.newHeads === 'partial'
    this.#inner = chain.node.connect(push && ((body, parts) => this.#pass(push, body, parts)), options)
    this.#unwatch = chain.watch(
      (fault) => fault.kind === 'broken-stream' && this.#breakOff(),
      () => {},
    )
  }

  async handle(body: string, caller?: Caller): Promise<string | undefined> {
    const message = parsedJson(body)
    const items: readonly unknown[] = Array.isArray(message) ? message : [message]
    if (this.#chain.closed || items.length > MAX_BATCH) return this.#inner.handle(body, caller)
    const sends = items.flatMap((item) => readSend(item) ?? [])
    if (!this.#chain.meetsSends(sends.length) && !items.some((item) => this.#meetsFault(item))) {
      return this.#passOn(body, caller, items, sends)
    }
    if (!Array.isArray(message)) {
      const { text, held } = await this.#answer(body, message, caller)
      await held
      return text
    }
    const answers: Answer[] = []
    const texts = jsonParts(body)
    // What is no call is refused as such; on its own a list within a list would be a batch.
    for (const [at, item] of items.entries()) {
      answers.push(await this.#answer((isObject(item) && texts[at]) || '{}', item, caller))
    }
    for (const { held } of answers) await held
    const given = answers.flatMap(({ text }) => (text === undefined ? [] : [text]))
    return given.length === 0 ? undefined : `[${given.join(',')}]`
  }

  close(): void {
    this.#unwatch()
    this.#inner.close()
  }

  /** Hands a body to the node as it is. */
  async #passOn(
    body: string,
    caller: Caller | undefined,
    items: readonly unknown[],
    sends: readonly Send[],
  ): Promise<string | undefined> {
    const ends = sends.map((send) => this.#beginSend(send, body.length).end)
    try {
      const text = await this.#counted(sends, this.#inner.handle(body, caller))
      if (sends.length > 0) this.#noteSent(items, text)
      this.#noteSubscriptions(items, text)
      return text
    } finally {
      for (const end of ends) end()
    }
  }

  #beginSend({ method, params }: Send, size: number): ReturnType<PlayedChain['beginSend']> {
    this.#deps.recorder.add({ kind: 'send', chain: this.#chain.name, method, params }, size)
    return this.#chain.beginSend()
  }

  /** Notes what the node has taken; its events may tell of it later. */
  #noteSent(items: readonly unknown[], text: string | undefined): void {
    for (const [, answer] of answeredCalls(items, text, (name) => SENDS.includes(name))) {
      if (!('result' in answer)) continue
      const hash = hashOf(answer['result'])
      if (hash !== undefined) this.#chain.noteSent(hash)
      this.#deps.onSent()
    }
  }

  /** Counts a call as under way, unless it waits for ticks itself. */
  #counted<Result>(sends: readonly Send[], work: Promise<Result>): Promise<Result> {
    return sends.some(({ name }) => name.endsWith('Sync')) ? work : this.#deps.during(work)
  }

  /** Whether a fault that is in force changes a call. */
  #meetsFault(item: unknown): boolean {
    const name = nameOf(item)
    if (name === undefined) return false
    if (name === 'eth_subscribe') return this.#chain.during('broken-stream') !== undefined
    return (this.#chain.during('lag') ?? this.#chain.during('no-pending')) !== undefined
  }

  async #answer(text: string, item: unknown, caller: Caller | undefined): Promise<Answer> {
    const call = readCall(text, item)
    if (!call) return { text: await this.#inner.handle(text, caller) }
    if (SENDS.includes(call.name)) return this.#send(call, item, caller)
    if (call.name === 'eth_subscribe') {
      const broken = this.#chain.during('broken-stream')
      if (broken && this.#push) {
        broken.act('a subscription could not begin')
        return { text: failure(call, BROKEN) }
      }
      const answer = await this.#inner.handle(text, caller)
      this.#noteSubscriptions([item], answer)
      return { text: answer }
    }
    const read = this.#faultyRead(call)
    return { text: await this.#deps.during(read ? this.#read(call, await read) : this.#inner.handle(text, caller)) }
  }

  async #send(call: Call, item: unknown, caller: Caller | undefined): Promise<Answer> {
    const { met, end } = this.#beginSend(call, call.text.length)
    const refusal = met.find(({ fault }) => fault.kind === 'refuse')
    if (refusal) {
      end()
      refusal.act('the send was refused')
      return { text: failure(call, REFUSED) }
    }
    const answer = await this.#counted([call], this.#inner.handle(call.text, caller)).finally(end)
    this.#noteSent([item], answer)
    const taken = isTaken(answer)
    const lost = taken ? met.find(({ fault }) => fault.kind === 'lost-answer') : undefined
    const late = taken ? met.find(({ fault }) => fault.kind === 'late-answer') : undefined
    late?.act('the answer was held')
    lost?.act('the answer was lost')
    const held = late && { held: this.#chain.hold(Number(factsOf('late-answer').lasts)) }
    if (held) this.#deps.onHeld()
    return { text: lost ? failure(call, TIMED_OUT) : answer, ...held }
  }

  /** How a read meets the faults that are in force; `undefined` if it meets none. */
  #faultyRead({ name, params }: Call): Promise<FaultyRead | undefined> | undefined {
    const lag = this.#chain.during('lag')
    if (lag && behind(name, params, 0) && this.#chain.takesTurn()) {
      return this.#chain.ask('eth_blockNumber').then((head) => {
        lag.act('reads were answered by a node that is behind')
        return behind(name, params, Math.max(0, Number(head) - 1))
      })
    }
    const fallback = this.#chain.during('no-pending')
    const read = fallback && withoutPending(name, params)
    if (!read) return undefined
    fallback.act('reads at pending were answered as at latest')
    return Promise.resolve(read)
  }

  async #read(call: Call, read: FaultyRead | undefined): Promise<string | undefined> {
    if (!read) return this.#inner.handle(call.text)
    if ('result' in read) return success(call, read.result)
    const { method, id } = call
    const params = read.params ?? call.params
    const body = `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`
    const text = await this.#chain.handle(body)
    const message = parsedJson(text ?? '')
    if (!read.see || !isObject(message) || !('result' in message)) return text
    const seen = read.see(message['result'])
    return seen === message['result'] ? text : success(call, seen)
  }

  /** Notes which subscriptions the calls of a body have begun, and which they have ended. */
  #noteSubscriptions(items: readonly unknown[], text: string | undefined): void {
    for (const [item] of answeredCalls(items, text, (name) => name === 'eth_unsubscribe')) {
      this.#kinds.delete(String(firstParam(item)))
    }
    for (const [item, { result }] of answeredCalls(items, text, (name) => name === 'eth_subscribe')) {
      if (typeof result !== 'string') continue
      this.#kinds.set(result, String(firstParam(item)))
      this.#deps.recorder.listens = true
    }
  }

  /** Passes on a notification, or not, or twice. */
  #pass(push: Push, body: string, parts: Parameters<Push>[1]): unknown {
    const chain = this.#chain
    const silent = chain.during('silent-stream')
    if (silent && this.#tellsOfPartialBlocks(body, parts)) {
      silent.act('events of partial blocks were not told')
      return true
    }
    const lost = chain.at('lost-event')
    if (lost) {
      lost.act('events were lost')
      return true
    }
    const doubled = chain.at('double-event')
    if (doubled) {
      doubled.act('events came twice')
      push(body, parts)
    }
    return push(body, parts)
  }

  #tellsOfPartialBlocks(body: string, parts: Parameters<Push>[1]): boolean {
    const message = parts ?? (parsedJson(body) as { readonly params?: { readonly subscription?: string } })
    const id = 'subscription' in message ? message.subscription : message.params?.subscription
    const kind = this.#kinds.get(id ?? '') ?? ''
    return kind === 'newHeads' ? this.#headsOfPartialBlocks : OF_PARTIAL_BLOCKS.includes(kind)
  }

  /** Ends all subscriptions, as a connection that breaks does. */
  #breakOff(): void {
    const ids = [...this.#kinds.keys()]
    this.#kinds.clear()
    if (ids.length > 0) this.#chain.during('broken-stream')?.act('subscriptions ended')
    for (const subscription of ids) {
      void this.#inner.handle(JSON.stringify({ jsonrpc: '2.0', method: 'eth_unsubscribe', params: [subscription] }))
      this.#push?.(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'eth_subscription',
          params: { subscription, error: BROKEN },
        } satisfies JsonRpcSubscriptionError),
      )
    }
  }
}

/** The first name of the method that a call asks for; `undefined` if its envelope is not valid. */
function nameOf(item: unknown): string | undefined {
  if (!isObject(item) || item['jsonrpc'] !== '2.0' || typeof item['method'] !== 'string') return undefined
  const { method } = item as { readonly method: string }
  return Object.hasOwn(ALIASES, method) ? ALIASES[method] : method
}

/** A call that sends; `undefined` for anything else. */
function readSend(item: unknown): Send | undefined {
  const name = nameOf(item)
  if (name === undefined || !SENDS.includes(name) || !isObject(item)) return undefined
  const { method, params } = item
  return { name, method: String(method), params: Array.isArray(params) ? params : [] }
}

function readCall(text: string, item: unknown): Call | undefined {
  const name = nameOf(item)
  if (name === undefined || !isObject(item)) return undefined
  const { id, method, params = [] } = item
  const hasId = typeof id === 'string' || id === null || (typeof id === 'number' && Number.isFinite(id))
  if ((id !== undefined && !hasId) || !Array.isArray(params)) return undefined
  return { name, method: String(method), params, id: id === undefined ? undefined : memberText(text, 'id'), text }
}

/** Some calls of a body with their answers; text is only read if there are any. */
function answeredCalls(
  items: readonly unknown[],
  text: string | undefined,
  isWanted: (name: string) => boolean,
): readonly (readonly [JsonObject, JsonObject])[] {
  const wanted = items.filter((item): item is JsonObject => isObject(item) && isWanted(nameOf(item) ?? ''))
  if (wanted.length === 0) return []
  const message = parsedJson(text ?? '')
  const answers: readonly unknown[] = Array.isArray(message) ? message : [message]
  return wanted.flatMap((item) => {
    const answer = answers.find((each) => isObject(each) && each['id'] === item['id'])
    return isObject(answer) ? [[item, answer] as const] : []
  })
}

function firstParam({ params }: JsonObject): unknown {
  return Array.isArray(params) ? (params as readonly unknown[])[0] : undefined
}

/** The hash in the answer to a send: itself, or in a receipt. */
function hashOf(result: unknown): Hash | undefined {
  const hash = isObject(result) ? result['transactionHash'] : result
  return typeof hash === 'string' && /^0x[\da-f]{64}$/.test(hash) ? (hash as Hash) : undefined
}

/** Whether the node has taken what was sent. */
function isTaken(answer: string | undefined): boolean {
  if (answer === undefined) return true
  const message = parsedJson(answer)
  return isObject(message) && 'result' in message
}

function success({ id }: Call, result: unknown): string | undefined {
  return id === undefined ? undefined : `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`
}

function failure({ id }: Call, error: JsonRpcErrorObject): string | undefined {
  return id === undefined ? undefined : `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`
}
