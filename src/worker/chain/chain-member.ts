import type { Clock } from '#primitives/clock.ts'
import type { ConnectOptions, RpcConnection } from '#rpc-types/connection.ts'
import { type OpenChannel, ownChannelName } from '#transport/channel/channel-messages.ts'
import { followLeader, type LeaderWatch } from '#transport/channel/follow-leader.ts'
import type { ChainRole } from '#transport/port/chain-role.ts'
import type { HostedNode } from '#transport/port/serve-host.ts'
import { createRelay } from '#transport/relay/relay.ts'
import { Candidate, type LocksLike } from './election.ts'
import { LeaderTerm, type StartNode } from './leader-term.ts'

/** Time that a silent leader has to show that it lives before its lock is stolen. */
const PROBE_MS = 400
/** Each of those who miss it waits by another time longer, up to this, so that one of them is the first. */
const PROBE_SPREAD_MS = 200

export interface MemberOptions {
  readonly chainName: string
  readonly locks: LocksLike
  readonly open: OpenChannel
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  /** From 0 up to 1. */
  readonly random: () => number
  /** A name that nobody has had before. */
  readonly newName: () => string
  readonly start: StartNode
  /** Whether that, or the node, failed because another tab has taken the chain over. */
  readonly isTakenOver: (error: unknown) => boolean
  readonly tell: (role: ChainRole) => void
  /** The node cannot be started or stopped, or the browser grants no locks. */
  readonly onFailure: (error: unknown) => void
}

/**
 * One tab's worker among those that share a chain: it runs the node for as long as it holds the lock, and passes calls on
 * to the one that holds it for as long as it does not.
 */
export class ChainMember implements HostedNode {
  readonly #options: MemberOptions
  readonly #relay = createRelay()
  readonly #candidate: Candidate
  #watch: LeaderWatch | undefined
  #term: LeaderTerm | undefined
  #releasePresence: (() => void) | undefined
  #suspended = false
  /** Whether the node of a term that is over still stops, under the lock. */
  #retiring = false
  /** Whether the chain ran while this member was one. */
  #hasRun = false
  /** Whether a person wants the chain stored with this tab's options. */
  #asked = false
  /** Of the newest leadership of this member. */
  #epoch = 0
  /** The end of the last term. */
  #ending: Promise<void> = Promise.resolve()
  /** Counts the times that the member joined or left. */
  #round = 0

  constructor(options: MemberOptions) {
    this.#options = options
    this.#candidate = new Candidate({
      locks: options.locks,
      lockName: options.chainName,
      onElected: () => this.#lead(),
      onDeposed: () => this.takenOver(),
      onFailure: options.onFailure,
    })
    this.#join()
  }

  connect(push?: (body: string) => unknown, options?: ConnectOptions): RpcConnection {
    return this.#relay.connect(push, options)
  }

  /** Gives up the lock, after the write under way. A page that stands still must not keep the others waiting. */
  suspend(): void {
    if (this.#suspended) return
    this.#suspended = true
    this.#round++
    this.#stopFollowing()
    // Until the node has stopped it goes on to answer, and holds the lock.
    if (this.#term) this.#retire(this.#term)
    else if (!this.#retiring) this.#leave()
  }

  resume(): void {
    if (!this.#suspended) return
    this.#suspended = false
    const round = ++this.#round
    void this.#ending.then(() => {
      if (round === this.#round) this.#join()
    })
  }

  /** Another tab runs the chain: this one's node stops at once, and follows. */
  takenOver(): void {
    const term = this.#term
    if (!term) return
    this.#term = undefined
    this.#leave()
    this.#endWith(term.abort())
    this.#join()
  }

  /**
   * The journal holds another chain: the node is opened again on it, in this tab or the next one. Calls that it had before
   * are answered, such as the one that did it; those that come now are for the other chain, and wait.
   */
  replaced(): void {
    const term = this.#term
    if (!term) return
    this.#relay.hold()
    term.hold()
    // Not at once, so that the answers are on their way.
    this.#options.clock.schedule(() => {
      if (this.#term === term) this.#retire(term)
    }, 0)
  }

  /**
   * A person wants the chain stored: it starts over in this tab. The lock is not given up in between, or the next tab in
   * line would start the chain with its own options.
   */
  keep(): void {
    this.#asked = true
    const term = this.#term
    if (term) {
      this.#term = undefined
      this.#endWith(term.abort())
      this.#lead()
    } else if (!this.#suspended && !this.#retiring) this.#candidate.steal()
  }

  /** Leaves for good; what the node is doing does not matter any more. */
  abandon(): void {
    const term = this.#term
    this.#term = undefined
    this.#suspended = true
    this.#round++
    this.#stopFollowing()
    this.#leave()
    if (term) this.#endWith(term.abort())
  }

  /** Ends a term in good order. */
  #retire(term: LeaderTerm): void {
    this.#term = undefined
    this.#retiring = true
    const leave = () => {
      this.#retiring = false
      this.#leave()
      if (!this.#suspended) this.#join()
    }
    this.#endWith(term.retire().finally(leave))
  }

  #join(): void {
    const { locks, chainName, newName, onFailure } = this.#options
    const round = ++this.#round
    const caller = newName()
    const hold = () => {
      if (round !== this.#round || this.#term) return Promise.resolve()
      this.#follow(caller)
      return new Promise<void>((resolve) => {
        this.#releasePresence = resolve
      })
    }
    locks.request(ownChannelName(chainName, caller), {}, hold).catch(onFailure)
    this.#candidate.stand()
  }

  #leave(): void {
    this.#relay.leave()
    this.#candidate.withdraw()
    this.#options.tell({ kind: 'waits' })
  }

  #follow(caller: string): void {
    const { chainName, open, clock, tell } = this.#options
    let suspecting = false
    const suspect = async () => {
      if (suspecting) return
      suspecting = true
      const alive = await watch.probe(PROBE_MS + this.#options.random() * PROBE_SPREAD_MS)
      suspecting = false
      if (!alive && this.#watch === watch) this.#candidate.steal()
    }
    const watch = followLeader({
      chainName,
      open,
      clock,
      caller,
      present: true,
      onLeader: (node, { epoch, storage }) => {
        this.#hasRun = true
        this.#relay.moveTo(node)
        tell({ kind: 'follows', epoch, storage })
      },
      onGone: () => {
        this.#relay.leave()
        tell({ kind: 'waits' })
      },
      onForeign: (message) => {
        this.#relay.refuse(message)
        tell({ kind: 'blocked', message })
      },
      onSilence: () => void suspect(),
    })
    this.#watch = watch
  }

  #stopFollowing(): void {
    this.#watch?.close()
    this.#watch = undefined
    this.#releasePresence?.()
    this.#releasePresence = undefined
  }

  #lead(): void {
    const { clock, newName, tell, onFailure, isTakenOver } = this.#options
    const latest = this.#watch?.latest()
    this.#stopFollowing()
    this.#relay.leave()
    tell({ kind: 'waits' })
    // Time alone would do, if no clock were ever set back.
    const epoch = Math.max(Math.floor(clock.now()), (latest?.epoch ?? 0) + 1, this.#epoch + 1)
    this.#epoch = epoch
    const term = new LeaderTerm({
      ...this.#options,
      leadership: { leader: newName(), epoch },
      after: this.#ending,
      goesOn: this.#hasRun,
      asked: this.#asked,
      onRunning: (node) => {
        this.#hasRun = true
        this.#relay.moveTo(node)
        tell({ kind: 'leads', epoch, storage: node.storage })
      },
      onTakenOver: () => {
        if (this.#term === term) this.takenOver()
      },
      onFailure: (error) => {
        if (isTakenOver(error)) this.takenOver()
        else onFailure(error)
      },
    })
    this.#term = term
  }

  #endWith(ended: Promise<void>): void {
    const { isTakenOver, onFailure } = this.#options
    this.#ending = Promise.all([this.#ending, ended]).then(
      () => {},
      (error: unknown) => {
        // A node that was taken over cannot finish what it was writing, nor does it have to.
        if (!isTakenOver(error)) onFailure(error)
      },
    )
  }
}
