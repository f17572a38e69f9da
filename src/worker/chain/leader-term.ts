import type { Clock } from '#primitives/clock.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { Leadership, OpenChannel } from '#transport/channel/channel-messages.ts'
import { type ServedChannel, serveChannel } from '#transport/channel/serve-channel.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import type { LocksLike } from './election.ts'

/** A node that one leadership has started. */
export interface RunningNode extends RpcEndpoint {
  readonly storage: ChainDurability
  /** Stops it; a tick and a write under way are finished. */
  stop(): Promise<void>
}

/** Opens the chain and sets it going. */
export type StartNode = (circumstances: {
  /** Whether the chain ran before, in another tab. */
  readonly goesOn: boolean
  /** Whether a person wants the chain stored with this tab's options. */
  readonly asked: boolean
  /** The node was shut out by another leadership's. */
  readonly onTakenOver: () => void
}) => Promise<RunningNode>

export interface LeaderTermOptions {
  readonly chainName: string
  readonly leadership: Leadership
  readonly locks: LocksLike
  readonly open: OpenChannel
  readonly clock: Pick<Clock, 'schedule'>
  readonly start: StartNode
  /** Whether another leadership was heard of before this one. */
  readonly goesOn: boolean
  /** As for {@link StartNode}. */
  readonly asked: boolean
  /** Work that has to end before the node starts. */
  readonly after: Promise<void>
  /** The node answers. Not called when the term is over before that. */
  readonly onRunning: (node: RunningNode) => void
  /** Another leadership was heard of, or met at the journal. */
  readonly onTakenOver: () => void
  /** The node cannot be started, or the browser grants no locks. Not called when the term is over before that. */
  readonly onFailure: (error: unknown) => void
}

/** The time for which a worker holds the lock and runs the node. */
export class LeaderTerm {
  readonly #channel: ServedChannel
  /** The node, if it was started before the term was over; never rejects. */
  readonly #started: Promise<RunningNode | undefined>
  /** Ends the wait for the locks of callers. */
  readonly #over = new AbortController()

  constructor(options: LeaderTermOptions) {
    this.#channel = serveChannel({
      ...options,
      onSuperseded: options.onTakenOver,
      watchLock: (name, onGone) => this.#watchLock(options, name, onGone),
    })
    this.#started = this.#start(options)
  }

  /** The node is to end what it was asked before, and to do no more: what is asked from here on is for the next one. */
  hold(): void {
    this.#channel.hold()
  }

  /** Ends the term when the node has finished what it does; until then it goes on to answer. */
  async retire(): Promise<void> {
    this.#over.abort()
    try {
      const node = await this.#started
      await node?.stop()
    } finally {
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
    const { start, goesOn, asked, onTakenOver, onRunning, onFailure } = options
    await options.after
    if (this.#over.signal.aborted) return undefined
    try {
      const node = await start({ goesOn, asked, onTakenOver })
      if (this.#over.signal.aborted) return node
      onRunning(node)
      this.#channel.serve(node, node.storage)
      return node
    } catch (error) {
      // What a term that is over could not open is for the next one: perhaps somebody else was writing it.
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
