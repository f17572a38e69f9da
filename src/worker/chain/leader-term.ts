import type { Clock } from '#primitives/clock.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { Leadership, OpenChannel } from '#transport/channel/channel-messages.ts'
import { type ServedChannel, serveChannel } from '#transport/channel/serve-channel.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import type { LocksLike } from './election.ts'

/** The node of one leadership. */
export interface RunningNode extends RpcEndpoint {
  readonly storage: ChainDurability
  /** Stops the node after the tick and the write in progress. */
  stop(): Promise<void>
}

/** Opens the chain and starts it. */
export type StartNode = (circumstances: {
  /** Whether the chain ran before, in this tab or another, and was stored. */
  readonly wasStored: boolean
  /** Whether a person wants the chain stored with this tab's options. */
  readonly asked: boolean
  /** Another leadership took over the journal. */
  readonly onTakenOver: () => void
}) => Promise<RunningNode>

export interface LeaderTermOptions {
  readonly chainName: string
  readonly leadership: Leadership
  readonly locks: LocksLike
  readonly open: OpenChannel
  readonly clock: Pick<Clock, 'schedule'>
  readonly start: StartNode
  /** Whether the chain ran before, in this tab or another, and was stored. */
  readonly wasStored: boolean
  /** As in {@link StartNode}. */
  readonly asked: boolean
  /** Work to wait for before the node starts. */
  readonly after: Promise<void>
  /** The node answers calls. Not called if the term ends first. */
  readonly onRunning: (node: RunningNode) => void
  /** There is another leadership: it announced itself, or took over the journal. */
  readonly onTakenOver: () => void
  /** The node could not be started, or the browser denies locks. Not called if the term ends first. */
  readonly onFailure: (error: unknown) => void
}

/** One term of a worker: the time during which it holds the lock and runs the node. */
export class LeaderTerm {
  readonly #channel: ServedChannel
  /** The node, if it started before the term ended; never rejects. */
  readonly #started: Promise<RunningNode | undefined>
  /** Stops watching the callers' locks. */
  readonly #over = new AbortController()

  constructor(options: LeaderTermOptions) {
    this.#channel = serveChannel({
      ...options,
      onSuperseded: options.onTakenOver,
      watchLock: (name, onGone) => this.#watchLock(options, name, onGone),
    })
    this.#started = this.#start(options)
  }

  /** Lets the node finish earlier calls only; new ones are for the next node. */
  hold(): void {
    this.#channel.hold()
  }

  /**
   * Ends the term once the node has finished its work; until then it keeps answering.
   *
   * @param takesLeave - Whether to wait until the callers have their answers, too. A page that may be frozen at any time
   *   must not.
   */
  async retire(takesLeave: boolean): Promise<void> {
    if (!takesLeave) this.#over.abort()
    try {
      const node = await this.#started
      await node?.stop()
      if (takesLeave) await this.#channel.farewell()
    } finally {
      this.#over.abort()
      this.#channel.stop()
    }
  }

  /** Ends the term at once; resolves when the node has stopped, too. */
  async abort(): Promise<void> {
    this.#over.abort()
    this.#channel.stop()
    const node = await this.#started
    await node?.stop()
  }

  async #start(options: LeaderTermOptions): Promise<RunningNode | undefined> {
    const { start, wasStored, asked, onTakenOver, onRunning, onFailure } = options
    await options.after
    if (this.#over.signal.aborted) return undefined
    try {
      const node = await start({ wasStored, asked, onTakenOver })
      if (this.#over.signal.aborted) return node
      onRunning(node)
      this.#channel.serve(node, node.storage)
      return node
    } catch (error) {
      // An ended term's failure to open the chain does not count: another owner may have been writing it. The next term
      // tries again.
      if (!this.#over.signal.aborted) onFailure(error)
      return undefined
    }
  }

  #watchLock({ locks, onFailure }: LeaderTermOptions, name: string, onGone: () => void): void {
    const { signal } = this.#over
    const hold = () => {
      onGone()
      return Promise.resolve()
    }
    locks.request(name, { signal }, hold).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error)
    })
  }
}
