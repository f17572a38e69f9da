import type { Clock } from '#primitives/clock.ts'
import type { ConnectOptions, RpcEndpoint } from '#rpc-types/connection.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import { type FromNode, type PortEvent, type PortLike, PROTOCOL } from '#transport/port/messages.ts'
import { type ServedCaller, serveCaller } from '#transport/port/serve-port.ts'
import { isControlMessage, isToLeader } from './channel-guards.ts'
import {
  type BroadcastChannelLike,
  type ControlMessage,
  FAREWELL_MS,
  HEARTBEAT_MS,
  isLater,
  type Leadership,
  type OpenChannel,
  ownChannelName,
  type ToCaller,
  type ToLeader,
} from './channel-messages.ts'

export interface ServeChannelOptions {
  readonly open: OpenChannel
  readonly chainName: string
  readonly leadership: Leadership
  readonly clock: Pick<Clock, 'schedule'>
  /** Calls `onGone` when the Web Lock of that name, which a caller holds for life, becomes free. */
  readonly watchLock: (name: string, onGone: () => void) => void
  /** There is a later leadership: this one is over. */
  readonly onSuperseded: () => void
}

/** A leader's side of the channels. */
export interface ServedChannel {
  /** Starts to answer calls. Before this the leader only announces itself. */
  serve(node: RpcEndpoint, storage: ChainDurability): void
  /** Takes no more callers or calls; earlier calls are still answered. */
  hold(): void
  /**
   * Resolves when each caller has received its answers, or after {@link FAREWELL_MS}. Call it after {@link hold}, when the
   * node has answered.
   */
  farewell(): Promise<void>
  /** Ends all connections; the callers then look for the next leader. */
  stop(): void
}

/** Announces a leadership to all other participants of the chain and answers their calls. */
export function serveChannel(options: ServeChannelOptions): ServedChannel {
  const { open, chainName, leadership, clock } = options
  const common = open(chainName)
  const own = open(ownChannelName(chainName, leadership.leader))
  const callers = new Map<string, ChannelCaller>()
  let announcement: ControlMessage = { kind: 'starting', ...leadership }
  let node: RpcEndpoint | undefined
  let held = false
  let stopped = false
  /** Callers that have not taken leave, and what to do when none is left; `undefined` before {@link farewell}. */
  let leaving: { readonly names: Set<string>; readonly done: () => void } | undefined

  const announce = () => common.postMessage(announcement)

  function beat(): void {
    if (stopped) return
    clock.schedule(beat, HEARTBEAT_MS)
    announce()
  }

  function greet(name: string, present: boolean): void {
    if (!node) return
    callers.get(name)?.end()
    const channel = open(ownChannelName(chainName, name))
    const caller = new ChannelCaller(leadership.leader, channel, node)
    callers.set(name, caller)
    if (!present) return
    options.watchLock(ownChannelName(chainName, name), () => {
      caller.end()
      if (callers.get(name) !== caller) return
      callers.delete(name)
      takesLeave(name)
    })
  }

  function takesLeave(name: string): void {
    if (leaving?.names.delete(name) && leaving.names.size === 0) leaving.done()
  }

  common.onmessage = ({ data }: PortEvent<unknown>) => {
    if (!isControlMessage(data)) return
    if (data.kind === 'who') announce()
    else if ((data.kind === 'starting' || data.kind === 'leading') && isLater(data, leadership)) options.onSuperseded()
  }
  own.onmessage = ({ data }: PortEvent<unknown>) => {
    if (!isToLeader(data)) return
    if (data.kind === 'bye') return takesLeave(data.caller)
    if (held && (data.kind === 'hello' || data.message.kind === 'rpc')) return
    if (data.kind === 'hello') greet(data.caller, data.present)
    else callers.get(data.caller)?.receive(data)
  }
  beat()

  return {
    serve(served, storage) {
      node = served
      announcement = { kind: 'leading', ...leadership, protocol: PROTOCOL, version: VERSION, storage }
      announce()
    },
    hold() {
      held = true
    },
    async farewell() {
      const waiting = [...callers].filter(([, caller]) => caller.isConnected)
      if (waiting.length === 0 || stopped) return
      await new Promise<void>((done) => {
        leaving = { names: new Set(waiting.map(([name]) => name)), done }
        clock.schedule(done, FAREWELL_MS)
        for (const [, caller] of waiting) caller.sayOver()
      })
    },
    stop() {
      if (stopped) return
      stopped = true
      for (const caller of callers.values()) caller.end()
      common.postMessage({ kind: 'left', leader: leadership.leader } satisfies ControlMessage)
      for (const channel of [common, own]) {
        channel.onmessage = null
        channel.close()
      }
    },
  }
}

/** One caller and its connections by number. */
class ChannelCaller {
  readonly #leader: string
  readonly #channel: BroadcastChannelLike
  readonly #node: RpcEndpoint
  readonly #connections = new Map<number, ServedCaller>()
  #ended = false

  constructor(leader: string, channel: BroadcastChannelLike, node: RpcEndpoint) {
    this.#leader = leader
    this.#channel = channel
    this.#node = node
    this.#post({ kind: 'welcome', leader })
  }

  get isConnected(): boolean {
    return this.#connections.size > 0
  }

  sayOver(): void {
    this.#post({ kind: 'over', leader: this.#leader })
  }

  receive({ connection: number, message, pushed, latest }: Extract<ToLeader, { kind: 'call' }>): void {
    const connection = this.#connections.get(number)
    if (message.kind === 'close') {
      this.#connections.delete(number)
      connection?.receive(message)
    } else if (connection) connection.receive(message)
    else if (message.kind === 'rpc') this.#begin(number, pushed, latest ? { latest } : {}).receive(message)
  }

  end(): void {
    if (this.#ended) return
    for (const connection of this.#connections.values()) connection.fail('the tab that ran the node has gone')
    this.#ended = true
    this.#channel.close()
  }

  #begin(number: number, pushed: boolean, options: ConnectOptions): ServedCaller {
    const port: PortLike = {
      postMessage: (message) =>
        this.#post({ kind: 'answer', leader: this.#leader, connection: number, message: message as FromNode }),
      onmessage: null,
      onmessageerror: null,
    }
    const connection = serveCaller(this.#node, port, pushed, options)
    this.#connections.set(number, connection)
    return connection
  }

  /** Drops the node's messages for a caller that has gone. */
  #post(message: ToCaller): void {
    if (!this.#ended) this.#channel.postMessage(message)
  }
}
