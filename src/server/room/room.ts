import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Call } from '#node/rpc/body.ts'
import type { NodeConnectOptions, NodeEndpoint } from '#node/rpc/endpoint.ts'
import { RpcRefusedError } from '#node/rpc/errors.ts'
import { address as addressParam, hash as hashParam } from '#node/rpc/params/hex-params.ts'
import { readParams } from '#node/rpc/params/param.ts'
import type { Transaction } from '#node/tx/transaction.ts'
import type { Clock } from '#primitives/clock.ts'
import { type Address, bytesToHex, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ask, askOn } from '#rpc-types/ask.ts'
import type { Caller, ConnectOptions, LatestReading, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { RoomGuests, RoomInfo, RoomMethods, RoomPlace, RoomReceipt, RoomRole } from '#rpc-types/methods/room.ts'
import type { Door } from '#server/http/door.ts'
import type { Broadcast, Receive } from './broadcast.ts'
import { answerCalls, argsOf, callText, resultText } from './calls.ts'
import { Entrance } from './entrance.ts'
import { GuestConnection, type GuestRoom } from './guest-connection.ts'
import { cleanGuestName } from './guest-name.ts'
import type { GuestTime } from './guest-time.ts'
import { Guests } from './guests.ts'
import { CONNECTION_RATES, GIFT, MAX_GAS, MAX_NODE_SUBSCRIPTIONS, ROOM_LIMITS } from './limits.ts'
import { BEATS_ID, News } from './news.ts'

/** Length of the secret by which a guest is recognized. */
const SECRET_BYTES = 16
/** Longest time that a guest may report, in milliseconds. */
const MAX_REPORTED_MS = 60_000
/** Milliseconds for which all guests get the same list of guests: it can be 80 KB long, and many ask for it. */
const LIST_KEPT_MS = 500
/** Milliseconds: the system takes a while to list its addresses, and each guest asks. */
const URL_KEPT_MS = 1_000
/** Most calls in a batch of the speaker that calls a method of the room. */
const MAX_SPEAKER_CALLS = 1_000
/** Every body that calls a method of the room, or subscribes to it, matches this. */
const ABOUT_ROOM = new RegExp(`"(?:room(?:_|")|${BEATS_ID}")`)

export interface RoomOptions {
  readonly clock: Clock
  /** The limits that the node has for the time of transactions: the room says who is a guest. */
  readonly time: GuestTime
  /** The address for guests. */
  readonly url: () => string
  readonly log: (level: 'warn' | 'error', message: string, details?: unknown) => void
}

/** A node's audience: who may do what, who is here, and what the room's own methods answer. */
export class Room implements Door, GuestRoom {
  readonly limits = ROOM_LIMITS
  readonly clock: Clock
  readonly time: GuestTime
  readonly guests: Guests
  /** Calls that execute or search, under way. */
  heavy = 0
  /** Subscriptions of the node that guests have. */
  following = 0

  readonly #node: NodeEndpoint
  readonly #options: RoomOptions
  /** The node's own accounts, whose keys the speaker has. */
  readonly #accounts: ReadonlySet<Address>
  readonly #entrance: Entrance
  /** Open connections of guests that can be pushed to, or have joined. */
  readonly #connections = new Set<GuestConnection>()
  readonly #overHttp = new WeakMap<Socket, Readonly<Record<LatestReading, GuestConnection>>>()
  readonly #httpInner: Readonly<Record<LatestReading, RpcConnection>>
  readonly #follower: RpcConnection
  readonly #news: News
  readonly #url: KeptValues<string>
  /** JSON. */
  readonly #listForGuests: KeptValues<string>
  /** Resolves when the accounts of all who have joined have their money. */
  #funded: Promise<unknown> = Promise.resolve()

  private constructor(node: NodeEndpoint, accounts: readonly Address[], options: RoomOptions) {
    this.#node = node
    this.#options = options
    this.#accounts = new Set(accounts)
    this.clock = options.clock
    this.time = options.time
    this.guests = new Guests((address) => options.time.forget(address))
    this.#entrance = new Entrance(options.clock)
    this.#url = new KeptValues(options.clock, URL_KEPT_MS, options.url)
    this.#listForGuests = new KeptValues(options.clock, LIST_KEPT_MS, () => JSON.stringify(this.#list()))
    this.#news = new News(this.guests, options.clock, this.onBug)
    this.#httpInner = {
      sealed: node.connect(undefined, this.#ofGuests('sealed')),
      preconfirmed: node.connect(undefined, this.#ofGuests('preconfirmed')),
    }
    this.#follower = node.connect((body) => this.#news.follow(body))
  }

  /** Opens the room of a node. */
  static async open(node: NodeEndpoint, options: RoomOptions): Promise<Room> {
    const room = new Room(node, (await ask(node, 'eth_accounts')) as readonly Address[], options)
    for (const params of [['newHeads'], ['newPartialBlocks', 'diff']]) {
      await askOn(room.#follower, 'eth_subscribe', ...params)
    }
    return room
  }

  /** Closes the room's own connections to the node; the server closes those of the guests. */
  close(): void {
    this.#follower.close()
    this.#httpInner.sealed.close()
    this.#httpInner.preconfirmed.close()
  }

  /** The node for the speaker: its own methods and those of the room. */
  get speaker(): RpcEndpoint {
    return { connect: (push, options) => this.#connectSpeaker(push, options) }
  }

  readonly onBug = (error: unknown) => this.#options.log('error', 'internal error in the room', error)

  // The guests' door.

  admit(socket: Socket, leaving = 0): boolean {
    return this.#entrance.admit(socket, leaving)
  }

  takeRequest(socket: Socket): boolean {
    return this.#entrance.takeRequest(socket)
  }

  callers(socket: Socket): Readonly<Record<LatestReading, RpcConnection>> {
    const known = this.#overHttp.get(socket)
    if (known) return known
    const { sealed, preconfirmed } = this.#httpInner
    const both = { sealed: this.#connectionOf(socket, sealed), preconfirmed: this.#connectionOf(socket, preconfirmed) }
    this.#overHttp.set(socket, both)
    socket.once('close', () => {
      for (const connection of Object.values(both)) this.#close(connection)
    })
    return both
  }

  connect(socket: Socket, receive: Receive & ((body: string) => void), latest: LatestReading): RpcConnection {
    const inner = this.#node.connect(receive, this.#ofGuests(latest))
    const connection = this.#connectionOf(socket, inner, receive)
    this.#connections.add(connection)
    return {
      handle: (body, caller) => connection.handle(body, caller),
      close: () => {
        this.#close(connection)
        inner.close()
      },
    }
  }

  #connectionOf(socket: Socket, inner: RpcConnection, receive?: Receive): GuestConnection {
    return new GuestConnection(this, {
      inner,
      allowances: this.#entrance.allowancesOf(socket),
      time: this.#entrance.timeOf(socket),
      ...(receive && { receive }),
      cutOff: () => socket.destroy(),
    })
  }

  #ofGuests(latest: LatestReading): NodeConnectOptions {
    return { latest, admit: (tx) => this.#admit(tx) }
  }

  /** @throws {RpcRefusedError} If guests may not send the transaction. */
  #admit({ type, gas, sender }: Transaction): void {
    if (type === 4) throw refused('cannot set code: transactions of guests have type 0, 1 or 2')
    if (gas > MAX_GAS) throw refused(`have at most ${MAX_GAS} gas, not ${gas}`)
    if (!this.guests.at(sender)) throw refused(`come from an address that has joined, not from ${sender}`)
    const waitMs = this.time.waitMs(sender)
    if (waitMs > 0) {
      const message = `your transactions took more of the chain's time than guests have: try again in ${waitMs} ms`
      throw new RpcRefusedError('limit-exceeded', message, { data: { retryAfterMs: waitMs } })
    }
  }

  #close(connection: GuestConnection): void {
    connection.close()
    this.#connections.delete(connection)
  }

  #connectSpeaker(push?: Push, options?: ConnectOptions): RpcConnection {
    const inner = this.#node.connect(push, options)
    const receive: Receive | undefined =
      push &&
      (({ texts }) => {
        for (const text of texts) push(text)
      })
    let closed = false
    const answer = async (call: Call, caller: Caller | undefined) => {
      const own = await this.answer(call)
      if (own !== undefined) return resultText(call, own)
      const [subject] = argsOf(call)
      if (receive && call.method === 'eth_subscribe' && subject === 'room') {
        if (!closed) this.#news.beats.add(receive)
        return resultText(call, JSON.stringify(BEATS_ID))
      }
      if (receive && call.method === 'eth_unsubscribe' && subject === BEATS_ID) {
        return resultText(call, JSON.stringify(this.#news.beats.delete(receive)))
      }
      return inner.handle(callText(call), caller)
    }
    return {
      handle: (body, caller) =>
        ABOUT_ROOM.test(body)
          ? answerCalls(body, MAX_SPEAKER_CALLS, (call) => answer(call, caller), this.onBug)
          : inner.handle(body, caller),
      close: () => {
        closed = true
        if (receive) this.#news.beats.delete(receive)
        inner.close()
      },
    }
  }

  // The room's methods.

  /**
   * Answers a call of one of the room's own methods.
   *
   * @param guest - The guest's connection; left out if the speaker calls.
   * @returns The result as JSON; `undefined` if the method is not the room's.
   * @throws {RpcRefusedError} If it is refused.
   */
  async answer(call: Call, guest?: GuestConnection): Promise<string | undefined> {
    const [argument] = argsOf(call)
    const json = (result: RoomMethods[keyof RoomMethods]['result']) => JSON.stringify(result)
    switch (call.method) {
      case 'room_info':
        return json(this.#info(guest ? 'guest' : 'speaker'))
      case 'room_guests':
        guest?.take('list')
        return guest ? this.#listForGuests.value : json(this.#list())
      case 'room_join':
        return json(await this.#join(argument, guest))
      case 'room_report':
        return json(await this.#report(argument, guest))
      default:
        return undefined
    }
  }

  #list(): RoomGuests {
    return this.guests.list(this.#watching(), this.clock.now())
  }

  #info(role: RoomRole): RoomInfo {
    const { perSecond } = CONNECTION_RATES.transaction
    return { role, url: this.#url.value, guests: this.guests.size, limits: { transactionsPerSecond: perSecond } }
  }

  #watching(): number {
    return [...this.#connections].filter(({ guest, canWatch }) => canWatch && !guest).length
  }

  async #join(argument: unknown, connection: GuestConnection | undefined): Promise<RoomPlace> {
    if (!connection)
      throw new RpcRefusedError('server', 'you are the speaker, who has accounts already: only guests join')
    const { name: typed, address: text, secret } = isObject(argument) ? argument : {}
    const name = typeof typed === 'string' ? cleanGuestName(typed) : undefined
    if (name === undefined) throw new RpcRefusedError('invalid-params', 'a name has 1 to 20 visible characters')
    const [address] = readParams([addressParam], [text]) as [Address]
    if (this.#accounts.has(address)) {
      throw new RpcRefusedError('unauthorized', `${address} is an account of the node: take one of your own`)
    }
    connection.take('join')
    const known = this.guests.at(address)
    if (known && connection.guest !== known && secret !== known.secret) {
      const message = `${address} has joined already: joining with it again takes the secret that the first time answered`
      throw new RpcRefusedError('unauthorized', message)
    }
    const guest = known ?? this.guests.add(name, address, bytesToHex(randomBytes(SECRET_BYTES)))
    guest.name = name
    connection.become(guest)
    if (!connection.closed) this.#connections.add(connection)
    const { number, mark } = guest
    const balance = toQuantity(await this.#fundInTurn(address))
    return { number, mark, balance, secret: guest.secret }
  }

  /** One at a time, so that two at once do not both find an empty account. */
  #fundInTurn(address: Address): Promise<bigint> {
    const funding = this.#funded.then(() => this.#fund(address))
    this.#funded = funding.catch(() => {})
    return funding
  }

  /**
   * Gives test money to an account that has sent nothing yet, so that nobody gets it twice, and everybody again after the
   * chain was reset.
   *
   * @returns Its balance in wei.
   * @throws {RpcRefusedError} If the node gives none, for example since its chain is a film.
   */
  async #fund(address: Address): Promise<bigint> {
    const read = (method: string) => ask(this.#node, method, address, 'pending') as Promise<string>
    const [balance, nonce, code] = await Promise.all([
      read('eth_getBalance'),
      read('eth_getTransactionCount'),
      read('eth_getCode'),
    ])
    if (BigInt(nonce) > 0n || code !== '0x' || BigInt(balance) >= GIFT) return BigInt(balance)
    // Unlike an edit by anvil_setBalance, this seals no block.
    const given = ask(this.#node, 'devnet_faucet', address, toQuantity(GIFT - BigInt(balance)))
    return BigInt((await given.catch(refuseMoney)) as string)
  }

  async #report(argument: unknown, connection: GuestConnection | undefined): Promise<RoomReceipt> {
    const { hash: text, preconfirmedMs } = isObject(argument) ? argument : {}
    const [hash] = readParams([hashParam], [text]) as [Address]
    if (typeof preconfirmedMs !== 'number' || !(preconfirmedMs >= 0 && preconfirmedMs <= MAX_REPORTED_MS)) {
      throw new RpcRefusedError('invalid-params', `preconfirmedMs is a number from 0 to ${MAX_REPORTED_MS}`)
    }
    if (!connection?.guest) throw new RpcRefusedError('server', 'only a guest who has joined reports')
    const { guest } = connection
    connection.take('report')
    // The phone may know of it a moment before the room does.
    await this.#news.followed
    return { preconfirmedAtMs: this.guests.report(guest, hash, preconfirmedMs) }
  }

  // The chain.

  /** The subscription that all guests share; `undefined` for any other. */
  broadcastOf(params: readonly unknown[]): Broadcast | undefined {
    if (params.length !== 1) return undefined
    return params[0] === 'newHeads' ? this.#news.heads : params[0] === 'room' ? this.#news.beats : undefined
  }

  /**
   * Counts one more subscription of the node.
   *
   * @throws {RpcRefusedError} If guests have too many.
   */
  takeFollower(): void {
    if (this.following >= MAX_NODE_SUBSCRIPTIONS) {
      throw new RpcRefusedError('limit-exceeded', 'too many guests follow the whole chain: try again later')
    }
    this.following++
  }
}

function refused(why: string): RpcRefusedError {
  return new RpcRefusedError('server', `transactions of guests ${why}`)
}

function refuseMoney(cause: Error): never {
  throw new RpcRefusedError('server', `you get no test money: ${cause.message}`, { cause })
}

/** A value that many ask for and that is slow to make: it is made once, and all get it until it is too old. */
class KeptValues<Value> {
  readonly #clock: Pick<Clock, 'now'>
  readonly #keptMs: number
  readonly #make: () => Value
  #latest: { readonly at: number; readonly value: Value } | undefined

  /** @param keptMs - Milliseconds after which it is made again. */
  constructor(clock: Pick<Clock, 'now'>, keptMs: number, make: () => Value) {
    this.#clock = clock
    this.#keptMs = keptMs
    this.#make = make
  }

  get value(): Value {
    const now = this.#clock.now()
    if (!this.#latest || now - this.#latest.at >= this.#keptMs) this.#latest = { at: now, value: this.#make() }
    return this.#latest.value
  }
}
