import { type Call, failureText } from '#node/rpc/body.ts'
import { RpcRefusedError, refusal } from '#node/rpc/errors.ts'
import type { Clock } from '#primitives/clock.ts'
import type { Caller, RpcConnection } from '#rpc-types/connection.ts'
import type { JsonRpcErrorObject, JsonRpcResponse } from '#rpc-types/envelope.ts'
import { Allowance, takeFromAll } from './allowance.ts'
import type { Broadcast, Receive } from './broadcast.ts'
import { answerCalls, argsOf, callText, refusalText, resultText } from './calls.ts'
import { costOf, mayFollow } from './guest-methods.ts'
import type { GuestBudgets, GuestTime } from './guest-time.ts'
import type { GuestEntry, Guests } from './guests.ts'
import { type Action, HEAVY_AT_ONCE, MAX_CALLS, MAX_SUBSCRIPTIONS, REFUSALS } from './limits.ts'

/** Characters. If a guest calls too often, longer bodies are refused without being parsed. */
const MAX_REFUSED_BODY = 4_096

const IN_WORDS: Readonly<Record<Action, string>> = {
  call: 'calls',
  transaction: 'transactions',
  heavy: 'large calls',
  join: 'names',
  report: 'reports',
  list: 'lists of guests',
}

/** What a guest's connection needs of its room. */
export interface GuestRoom {
  readonly clock: Clock
  readonly guests: Guests
  readonly time: GuestTime
  /** Calls of guests that execute or search, under way. */
  heavy: number
  /** Subscriptions of the node that guests have. */
  following: number
  /** The result of one of the room's own methods, as JSON; `undefined` for any other. */
  answer(call: Call, guest: GuestConnection): Promise<string | undefined>
  /** The subscription that all guests share; `undefined` for any other. */
  broadcastOf(params: readonly unknown[]): Broadcast | undefined
  /** Counts one more in {@link following}. @throws {RpcRefusedError} If there are too many. */
  takeFollower(): void
  readonly onBug: (error: unknown) => void
}

/** Where a guest's connection comes from and goes to. */
export interface GuestLine {
  /** The node, as this guest's own caller; closed by whoever made it. */
  readonly inner: RpcConnection
  /** What the guest's actions count against: its TCP connection, those from its address, and all of the room. */
  readonly allowances: readonly Allowance<Action>[]
  /** What the time of its guest's transactions counts against. */
  readonly time: GuestBudgets
  /** Without it, the guest cannot subscribe. */
  readonly receive?: Receive
  /** Ends the connection of a guest who does not stop. */
  readonly cutOff: () => void
}

/** A guest's connection: passes on the calls that guests may make, as often as they may make them. */
export class GuestConnection implements RpcConnection {
  readonly #room: GuestRoom
  readonly #line: GuestLine
  readonly #refusals = new Allowance({ call: REFUSALS })
  readonly #broadcasts = new Set<Broadcast>()
  /** Ids of subscriptions of the node. */
  readonly #following = new Set<string>()
  /** Subscriptions that the node is still starting: they have no id yet. */
  #starting = 0
  #heavy = 0
  #guest: GuestEntry | undefined
  #closed = false

  constructor(room: GuestRoom, line: GuestLine) {
    this.#room = room
    this.#line = line
  }

  /** Who it is, once it has joined. */
  get guest(): GuestEntry | undefined {
    return this.#guest
  }

  /** Whether it can be sent notifications. */
  get canWatch(): boolean {
    return this.#line.receive !== undefined
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Makes it the connection of this guest; if it was another's, that one leaves. */
  become(guest: GuestEntry): void {
    if (this.#guest === guest || this.#closed) return
    this.#leave()
    this.#guest = guest
    guest.connections++
    this.#room.time.assign(guest.address, this.#line.time)
  }

  async handle(body: string, caller?: Caller): Promise<string | undefined> {
    // The body came after the connection was cut off.
    if (this.#closed) return undefined
    // Each body counts as a call, whatever is in it, and each further call of a batch as one more.
    const tooMany = this.#count('call')
    if (tooMany) return this.#refuse(body, tooMany)
    const begun = new Set<Broadcast>()
    let isCounted = true
    const answer = async (call: Call) => {
      const oneTooMany = isCounted ? undefined : this.#count('call')
      isCounted = false
      return oneTooMany ? refusalText(call, oneTooMany) : this.#answer(call, caller, begun)
    }
    const text = await answerCalls(body, MAX_CALLS, answer, this.#room.onBug)
    // Events come after the answer with the id, which other calls of its batch may have delayed.
    for (const broadcast of begun) this.#receive(broadcast)
    return text
  }

  #receive(broadcast: Broadcast): void {
    const { receive } = this.#line
    if (receive && this.#broadcasts.has(broadcast) && !this.#closed) broadcast.add(receive)
  }

  /** Refuses each call of a short body by its id, so that its caller knows; a longer body as a whole. */
  #refuse(body: string, tooMany: JsonRpcErrorObject): Promise<string | undefined> | string | undefined {
    if (this.#closed) return undefined
    if (body.length > MAX_REFUSED_BODY) return failureText('null', tooMany)
    return answerCalls(body, MAX_CALLS, async (call) => refusalText(call, tooMany), this.#room.onBug)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#leave()
    const { receive } = this.#line
    if (receive) for (const broadcast of this.#broadcasts) broadcast.delete(receive)
    this.#room.following -= this.#following.size
  }

  #leave(): void {
    if (!this.#guest) return
    this.#guest.connections--
    this.#guest.leftAt = this.#room.clock.now()
    if (this.#guest.connections === 0) this.#room.time.leave(this.#guest.address)
    this.#guest = undefined
  }

  /** @param begun - Takes the subscription to what all guests get, if the call begins it. */
  async #answer(call: Call, caller: Caller | undefined, begun: Set<Broadcast>): Promise<string | undefined> {
    const { method } = call
    const own = await this.#room.answer(call, this)
    if (own !== undefined) return resultText(call, own)
    switch (costOf(method)) {
      case 'call':
        return this.#line.inner.handle(callText(call), caller)
      case 'heavy':
        return this.#runHeavy(call, caller)
      case 'transaction':
        this.take('transaction')
        return this.#line.inner.handle(callText(call), caller)
      case 'subscription':
        return method === 'eth_subscribe' ? this.#subscribe(call, begun) : this.#unsubscribe(call)
      case undefined:
        return refusalText(call, refusal('method-not-found', forSpeaker(method)))
    }
  }

  /**
   * Counts an action against all limits.
   *
   * @throws {RpcRefusedError} If it is one too many; says when to try again.
   */
  take(action: Action): void {
    const tooMany = this.#count(action)
    if (tooMany) throw new RpcRefusedError('limit-exceeded', tooMany.message, { data: tooMany.data })
  }

  /** Why it is one too many, if it is; a guest who does not stop is disconnected. Throws nothing: errors take longer. */
  #count(action: Action): JsonRpcErrorObject | undefined {
    const now = this.#room.clock.now()
    const waitMs = takeFromAll(this.#line.allowances, action, now)
    if (waitMs === 0) return undefined
    if (takeFromAll([this.#refusals], 'call', now) > 0) {
      this.close()
      this.#line.cutOff()
    }
    const message = `too many ${IN_WORDS[action]}: try again in ${waitMs} ms`
    return refusal('limit-exceeded', message, { retryAfterMs: waitMs })
  }

  async #runHeavy(call: Call, caller: Caller | undefined): Promise<string | undefined> {
    this.take('heavy')
    if (this.#heavy >= HEAVY_AT_ONCE.connection || this.#room.heavy >= HEAVY_AT_ONCE.room) {
      throw new RpcRefusedError(
        'limit-exceeded',
        'too many large calls at a time: wait for the answers to earlier ones',
      )
    }
    this.#heavy++
    this.#room.heavy++
    try {
      return await this.#line.inner.handle(callText(call), caller)
    } finally {
      this.#heavy--
      this.#room.heavy--
    }
  }

  async #subscribe(call: Call, begun: Set<Broadcast>): Promise<string | undefined> {
    // An earlier call of the same body may have been one too many.
    if (this.#closed) return undefined
    const { receive } = this.#line
    const [kind, mode] = argsOf(call)
    const broadcast = this.#room.broadcastOf(argsOf(call))
    if (!receive || (!broadcast && !mayFollow(kind, mode))) {
      const why = receive ? 'guests of this room may not have this subscription' : 'notifications not supported'
      throw new RpcRefusedError('method-not-found', why)
    }
    if (this.#following.size + this.#starting + this.#broadcasts.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcRefusedError('limit-exceeded', `a guest has at most ${MAX_SUBSCRIPTIONS} subscriptions`)
    }
    if (broadcast) {
      this.#broadcasts.add(broadcast)
      begun.add(broadcast)
      return resultText(call, JSON.stringify(broadcast.id))
    }
    this.#room.takeFollower()
    this.#starting++
    let id: unknown
    try {
      const text = await this.#line.inner.handle(callText({ ...call, id: call.id ?? 'null' }))
      id = resultOf(text)
      return call.id === undefined ? undefined : text
    } finally {
      this.#starting--
      if (typeof id === 'string' && !this.#closed) this.#following.add(id)
      else this.#room.following--
    }
  }

  async #unsubscribe(call: Call): Promise<string | undefined> {
    const { receive } = this.#line
    const [id] = argsOf(call)
    const broadcast = [...this.#broadcasts].find((each) => each.id === id)
    if (broadcast && receive) {
      this.#broadcasts.delete(broadcast)
      broadcast.delete(receive)
      return resultText(call, 'true')
    }
    const text = await this.#line.inner.handle(callText(call))
    if (typeof id === 'string' && this.#following.delete(id)) this.#room.following--
    return text
  }
}

function forSpeaker(method: string): string {
  const name = JSON.stringify(method.slice(0, 60))
  return `guests of this room may not call ${name}: they may read the chain and send signed transactions, the speaker may do everything, at an address of their own`
}

function resultOf(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const answer = JSON.parse(text) as JsonRpcResponse
  return 'result' in answer ? answer.result : undefined
}
