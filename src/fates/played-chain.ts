import type { Hash } from '#primitives/hex.ts'
import { isObject, parsedJson } from '#primitives/json-object.ts'
import { askOn } from '#rpc-types/ask.ts'
import type { RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { MethodName, ParamsOf, ResultOf } from '#rpc-types/methods.ts'
import { type ActedChain, CHAIN_FAULTS, type ChainFaultKind } from './chain-faults.ts'
import { type Fault, factsOf, type Schedule } from './fault.ts'

/** A chain that fates are played on. */
export interface FateChain {
  readonly name: string
  /** The node itself. */
  readonly node: RpcEndpoint
}

/** What became of a fault. */
export interface Happening {
  readonly fault: Fault
  /** The tick after which it began, counted from the dapp's first transaction; `undefined` if its moment has not come. */
  readonly tick: number | undefined
  /** Whether it found something to act on, or changed what the dapp saw. */
  readonly effect: boolean
  /** What it has done, in words. */
  readonly what: string
}

/** A {@link Happening} under way. */
class Doing {
  readonly fault: Fault
  tick: number | undefined
  effect = false
  what = 'its moment has not come'
  /** The tick with which it ends, of a fault that lasts. */
  until: number | undefined

  constructor(fault: Fault) {
    this.fault = fault
  }

  begin(tick: number): void {
    this.tick = tick
    this.what = 'it found nothing to act on'
  }

  act(what: string): void {
    this.effect = true
    this.what = what
  }
}

/** Whether ticks come from whoever plays the fate, or from the chain's own clock. */
type Ticking = 'on-request' | 'by-clock'

/** What a play subscribes to: the last two if the chain has a clock of its own. */
const FOLLOWED = ['newPendingTransactions', 'newHeads', 'newPartialBlocks'] as const

/** A chain while a fate is played on it: its ticks, its faults, and what waits for them. */
export class PlayedChain implements ActedChain {
  readonly name: string
  readonly node: RpcEndpoint
  readonly partialsPerBlock: number
  readonly firstHead: number
  readonly ticking: Ticking
  readonly #connection: RpcConnection
  readonly #doings: readonly Doing[]
  /** The dapp's transactions, each with the index of the event in its timeline with which it begins. */
  readonly #sent = new Map<Hash, Promise<number>>()
  /** Sends of the dapp that are under way. */
  #sending = 0
  /** How many sends the dapp has begun. */
  #sends = 0
  /** Ticks since the dapp's first transaction on any chain; `undefined` before. */
  #tick: number | undefined
  #held: { readonly until: number; readonly give: () => void }[] = []
  /** Own changes of the chain that are under way: the events that they cause are no ticks of the clock. */
  #changing = 0
  #stalled = false
  #closed = false
  readonly #onEnd = new Set<(fault: Fault) => void>()
  readonly #onBegin = new Set<(fault: Fault) => void>()
  #reads = 0

  private constructor(
    { name, node }: FateChain,
    connection: RpcConnection,
    faults: Schedule,
    facts: Pick<PlayedChain, 'partialsPerBlock' | 'firstHead' | 'ticking'>,
  ) {
    this.name = name
    this.node = node
    this.#connection = connection
    this.#doings = faults.map((fault) => new Doing(fault))
    this.partialsPerBlock = facts.partialsPerBlock
    this.firstHead = facts.firstHead
    this.ticking = facts.ticking
  }

  /**
   * @param onSent - Called when a transaction of the dapp was accepted.
   * @param onTick - Called at each tick that the clock makes.
   */
  static async open(
    chain: FateChain,
    faults: Schedule,
    { onSent, onTick }: { readonly onSent: () => void; readonly onTick: (chain: PlayedChain) => void },
  ): Promise<PlayedChain> {
    // Nothing is told before the play has begun.
    let listen: (body: string) => void = () => {}
    const connection = chain.node.connect((body) => listen(body))
    const status = (await askOn(connection, 'devnet_status')) as ResultOf<'devnet_status'>
    const { mode, paused, automine, partialsPerBlock, head } = status
    const ticking = mode === 'auto' && !paused && automine !== true ? 'by-clock' : 'on-request'
    const kinds = new Map<unknown, (typeof FOLLOWED)[number]>()
    for (const kind of ticking === 'by-clock' ? FOLLOWED : FOLLOWED.slice(0, 1)) {
      kinds.set(await askOn(connection, 'eth_subscribe', kind), kind)
    }
    const played = new PlayedChain(chain, connection, faults, {
      partialsPerBlock,
      firstHead: Number(head.number),
      ticking,
    })
    let sealed = false
    listen = (body) => {
      const message = parsedJson(body)
      const params = isObject(message) && isObject(message['params']) ? message['params'] : {}
      const kind = kinds.get(params['subscription'])
      if (kind === 'newPendingTransactions') {
        if (played.noteAccepted(params['result'] as Hash)) onSent()
        return
      }
      if (kind === undefined || !played.followsClock) return
      // A tick that seals a block also begins the next one: the second event is of the same tick.
      if (kind === 'newHeads' || !sealed) onTick(played)
      sealed = kind === 'newHeads'
    }
    return played
  }

  /** Whether the chain's events are ticks of its clock now. */
  get followsClock(): boolean {
    return this.ticking === 'by-clock' && this.#changing === 0
  }

  get sent(): readonly Hash[] {
    return [...this.#sent.keys()]
  }

  /** Ticks since the dapp's first transaction; `undefined` before. */
  get tick(): number | undefined {
    return this.#tick
  }

  get happened(): readonly Happening[] {
    return this.#doings.map(({ fault, tick, effect, what }) => ({ fault, tick, effect, what }))
  }

  /** How many answers are held. */
  get held(): number {
    return this.#held.length
  }

  async ask<Name extends MethodName>(method: Name, ...params: ParamsOf<Name>): Promise<ResultOf<Name>> {
    return (await askOn(this.#connection, method, ...params)) as ResultOf<Name>
  }

  /** Asks the node itself in the words of a caller. */
  handle(body: string): Promise<string | undefined> {
    return this.#connection.handle(body)
  }

  /** The count of ticks begins. */
  begin(): void {
    this.#tick ??= 0
  }

  countTicks(n = 1): void {
    if (this.#tick !== undefined) this.#tick += n
  }

  /** Notes a transaction of the dapp. @returns Whether it is new. */
  noteSent(hash: Hash): boolean {
    if (this.#sent.has(hash)) return false
    this.#sent.set(hash, this.#firstEventOf(hash))
    return true
  }

  /** Never rejects: it may be asked when nobody waits any more. */
  async #firstEventOf(hash: Hash): Promise<number> {
    try {
      const timeline = await this.ask('devnet_getTransactionTimeline', hash)
      return timeline?.events.findLastIndex(({ kind }) => kind === 'received') ?? 0
    } catch {
      return 0
    }
  }

  /** What has happened to a transaction of the dapp since it was sent; the chain may know it from an earlier play. */
  async eventsOf(hash: Hash): Promise<readonly TimelineEvent[]> {
    const from = await this.#sent.get(hash)
    return (await this.ask('devnet_getTransactionTimeline', hash))?.events.slice(from) ?? []
  }

  /** Notes a transaction that was accepted while the dapp sends: a call that waits for its receipt tells of it too late. */
  noteAccepted(hash: Hash): boolean {
    return this.#sending > 0 && this.noteSent(hash)
  }

  /** Whether a fault meets one of the next sends of the dapp. */
  meetsSends(count: number): boolean {
    const last = this.#sends + count
    return (
      count > 0 &&
      this.#doings.some(({ fault: { kind, at } }) => factsOf(kind).moment === 'send' && at > this.#sends && at <= last)
    )
  }

  /** Begins a send of the dapp. @returns The faults that it meets, and what to call when the node has answered. */
  beginSend(): { readonly met: readonly Doing[]; readonly end: () => void } {
    const send = ++this.#sends
    this.#sending++
    const met = this.#doings.filter(({ fault }) => factsOf(fault.kind).moment === 'send' && fault.at === send)
    for (const doing of met) doing.begin(this.#tick ?? 0)
    return { met, end: () => void this.#sending-- }
  }

  /** Resolves some ticks later, or when the fate settles. */
  hold(ticks: number): Promise<void> {
    return new Promise((give) => this.#held.push({ until: (this.#tick ?? 0) + ticks, give }))
  }

  /** Has the faults act whose tick has come, gives the answers that were held until now, and ends what has lasted. */
  async actDue(): Promise<void> {
    const now = this.#tick
    if (now === undefined || this.#closed) return
    this.#giveHeld(({ until }) => until <= now)
    for (const doing of this.#doings) if (doing.until !== undefined && doing.until <= now) this.#end(doing)
    for (const doing of this.#doings) {
      const { kind, at } = doing.fault
      const { moment, on, lasts } = factsOf(kind)
      if (moment !== 'tick' || doing.tick !== undefined || at > now) continue
      doing.begin(now)
      if (on === 'chain') {
        await this.#actOnChain(doing, kind as ChainFaultKind)
      } else if (lasts !== undefined) {
        doing.until = now + (lasts === 'block' ? this.partialsPerBlock : lasts)
        for (const listener of this.#onBegin) listener(doing.fault)
      }
    }
  }

  async #actOnChain(doing: Doing, kind: ChainFaultKind): Promise<void> {
    try {
      const deed = await this.#change(() => CHAIN_FAULTS[kind](this))
      if (deed === undefined) return
      doing.act(deed)
      if (kind === 'late') this.#stalled = true
    } catch (error) {
      // The chain refused a part of it, such as a replacement that the sender cannot pay.
      doing.act(`the chain refused: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** The fault of a kind that is in force. */
  during(kind: Fault['kind']): Doing | undefined {
    return this.#doings.find(({ fault, until }) => fault.kind === kind && until !== undefined)
  }

  /** The fault of a kind that is due at the present tick. */
  at(kind: Fault['kind']): Doing | undefined {
    if (this.#closed) return undefined
    const doing = this.#doings.find(({ fault }) => fault.kind === kind && fault.at === this.#tick)
    if (doing && doing.tick === undefined) doing.begin(this.#tick ?? 0)
    return doing
  }

  /** Whether a read goes to the node that is behind: every second one. */
  takesTurn(): boolean {
    return this.#reads++ % 2 === 0
  }

  /** Ticks until the last fault of the schedule that is still to come; 0 if none is. */
  ticksLeft(): number {
    const now = this.#tick
    if (now === undefined) return 0
    const left = this.#doings.map(({ fault, tick, until }) => {
      if (until !== undefined) return until - now
      return factsOf(fault.kind).moment === 'tick' && tick === undefined ? fault.at - now : 0
    })
    return Math.max(0, ...left, ...this.#held.map(({ until }) => until - now))
  }

  /** What is in force and held, and for how long: two plays that stand alike go on alike. */
  get standing(): string {
    const now = this.#tick ?? 0
    const lasting = this.#doings.flatMap(({ fault, until }) =>
      until === undefined ? [] : [`${fault.kind} ${until - now}`],
    )
    return [...lasting, ...this.#held.map(({ until }) => `held ${until - now}`), this.#sends].join()
  }

  /** Whether transactions wait to be pre-confirmed or sealed. */
  async hasWaiting(): Promise<boolean> {
    const { live } = await this.ask('devnet_status')
    return live.transactionCount > 0 || Number((await this.ask('txpool_status')).pending) > 0
  }

  /** Ends every fault that lasts, and gives all held answers. */
  async endAll(): Promise<void> {
    for (const doing of this.#doings) if (doing.until !== undefined) this.#end(doing)
    this.#giveHeld(() => true)
    if (this.#stalled) await this.ask('devnet_stallPartialBlocks', 0)
    this.#stalled = false
  }

  /** Runs ticks, whatever the clock says. */
  async runTicks(n: number): Promise<ResultOf<'devnet_tick'>> {
    this.countTicks(n)
    return this.#change(() => this.ask('devnet_tick', n))
  }

  /** How many ticks will bring nothing: no transaction, no fault, no end of one, no seal. */
  async calmTicks(): Promise<number> {
    const now = this.#tick
    if (now === undefined || Number((await this.ask('txpool_status')).pending) > 0) return 0
    const { live, partialsPerBlock } = await this.ask('devnet_status')
    const moments = this.#doings.flatMap(({ fault, tick, until }) =>
      until !== undefined ? [until] : factsOf(fault.kind).moment === 'tick' && tick === undefined ? [fault.at] : [],
    )
    const next = Math.min(...moments, ...this.#held.map(({ until }) => until)) - now - 1
    return Math.max(0, Math.min(partialsPerBlock - 1 - live.index, next))
  }

  async #change<Result>(change: () => Promise<Result>): Promise<Result> {
    this.#changing++
    try {
      return await change()
    } finally {
      this.#changing--
    }
  }

  /** Tells when faults that last begin and end. */
  watch(begins: (fault: Fault) => void, ends: (fault: Fault) => void): () => void {
    this.#onBegin.add(begins)
    this.#onEnd.add(ends)
    return () => {
      this.#onBegin.delete(begins)
      this.#onEnd.delete(ends)
    }
  }

  /** Whether the fate is over: endpoints pass everything on. */
  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
    for (const doing of this.#doings) if (doing.until !== undefined) this.#end(doing)
    this.#giveHeld(() => true)
    this.#connection.close()
  }

  #end(doing: Doing): void {
    doing.until = undefined
    for (const listener of this.#onEnd) listener(doing.fault)
  }

  #giveHeld(isDue: (held: { readonly until: number }) => boolean): void {
    const due = this.#held.filter(isDue)
    this.#held = this.#held.filter((held) => !isDue(held))
    for (const { give } of due) give()
  }
}
