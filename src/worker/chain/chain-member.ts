import type { Clock } from '#primitives/clock.ts'
import type { ConnectOptions, Push, RpcConnection } from '#rpc-types/connection.ts'
import { type OpenChannel, ownChannelName } from '#transport/channel/channel-messages.ts'
import { followLeader, type LeaderWatch } from '#transport/channel/follow-leader.ts'
import type { ChainRole } from '#transport/port/chain-role.ts'
import type { HostedNode } from '#transport/port/serve-host.ts'
import { createRelay } from '#transport/relay/relay.ts'
import { Candidate, type LocksLike } from './election.ts'
import { LeaderTerm, type StartNode } from './leader-term.ts'

/** How long a silent leader has to answer before its lock is stolen, in milliseconds. */
const PROBE_MS = 400
/** Each waiting tab adds a random delay up to this, in milliseconds, so that one of them acts first. */
const PROBE_SPREAD_MS = 200

export interface MemberOptions {
  readonly chainName: string
  readonly locks: LocksLike
  readonly open: OpenChannel
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  /** A random number from 0 to below 1. */
  readonly random: () => number
  /** A unique name. */
  readonly newName: () => string
  readonly start: StartNode
  /** Whether starting or running the node failed because another tab took over the chain. */
  readonly isTakenOver: (error: unknown) => boolean
  readonly tell: (role: ChainRole) => void
  /** The node could not be started or stopped, or the browser denies locks. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The worker of one tab among those that share a chain. While it holds the lock it runs the node; otherwise it forwards
 * calls to the tab that does.
 */
export class ChainMember implements HostedNode {
  readonly #options: MemberOptions
  readonly #relay = createRelay()
  readonly #candidate: Candidate
  #watch: LeaderWatch | undefined
  #term: LeaderTerm | undefined
  #releasePresence: (() => void) | undefined
  #suspended = false
  /** Whether the node of an ended term is still stopping and holds the lock. */
  #retiring = false
  /** Whether the chain ran during this member's life and was stored. One in memory ends with the tab that ran it. */
  #wasStored = false
  /** Whether a person wants the chain stored with this tab's options. */
  #asked = false
  /** Epoch of this member's newest leadership. */
  #epoch = 0
  /** Resolves when the last term has ended. */
  #ending: Promise<void> = Promise.resolve()
  /** Counts how often the member joined or left. */
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

  connect(push?: Push, options?: ConnectOptions): RpcConnection {
    return this.#relay.connect(push, options)
  }

  /** Gives up the lock after the write in progress. A frozen page must not keep the others waiting. */
  suspend(): void {
    if (this.#suspended) return
    this.#suspended = true
    this.#round++
    this.#stopFollowing()
    // Until the node has stopped, it keeps answering and holds the lock.
    if (this.#term) this.#retire(this.#term, false)
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

  /** Another tab runs the chain now: this tab's node stops at once, and the tab follows. */
  takenOver(): void {
    const term = this.#term
    if (!term) return
    this.#term = undefined
    this.#leave()
    this.#endWith(term.abort())
    this.#join()
  }

  /**
   * The journal holds another chain: reopens the node on it, in this tab or the next one. Earlier calls are still
   * answered, including the one that replaced the chain. New calls are for the new chain, and wait.
   */
  replaced(): void {
    const term = this.#term
    if (!term) return
    this.#relay.hold()
    term.hold()
    // Deferred, so that the answers are sent first.
    this.#options.clock.schedule(() => {
      if (this.#term === term) this.#retire(term, true)
    }, 0)
  }

  /**
   * A person wants the chain stored: restarts it in this tab. The tab keeps the lock meanwhile, or the next tab in line
   * would start the chain with its own options.
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

  /** Leaves for good, without waiting for the node. */
  abandon(): void {
    const term = this.#term
    this.#term = undefined
    this.#suspended = true
    this.#round++
    this.#stopFollowing()
    this.#leave()
    if (term) this.#endWith(term.abort())
  }

  /** Ends a term gracefully; as {@link LeaderTerm.retire}. */
  #retire(term: LeaderTerm, takesLeave: boolean): void {
    this.#term = undefined
    this.#retiring = true
    const leave = () => {
      this.#retiring = false
      this.#leave()
      if (!this.#suspended) this.#join()
    }
    this.#endWith(term.retire(takesLeave).finally(leave))
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
        this.#wasStored = storage.kind === 'journal'
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
    // Time alone would do if no clock were ever set back.
    const epoch = Math.max(Math.floor(clock.now()), (latest?.epoch ?? 0) + 1, this.#epoch + 1)
    this.#epoch = epoch
    const term = new LeaderTerm({
      ...this.#options,
      leadership: { leader: newName(), epoch },
      after: this.#ending,
      wasStored: this.#wasStored,
      asked: this.#asked,
      onRunning: (node) => {
        this.#wasStored = node.storage.kind === 'journal'
        this.#relay.moveTo(node)
        // After the answers to calls that waited: a page that starts then has all to draw when it hears of the node.
        clock.schedule(() => {
          if (this.#term === term) tell({ kind: 'leads', epoch, storage: node.storage })
        }, 0)
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
        // A node that was taken over need not finish its writes, and cannot.
        if (!isTakenOver(error)) onFailure(error)
      },
    )
  }
}
