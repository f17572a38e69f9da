import type { Transaction } from '#node/tx/transaction.ts'
import type { TimeLimits } from '#node/txpool/time-limits.ts'
import type { Clock } from '#primitives/clock.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { TIME_RATES, type TimeRate } from './limits.ts'

/** A holder's budget of execution time, which refills as time passes. What takes longer than is left makes a debt. */
export class TimeBudget {
  readonly #rate: TimeRate
  #leftMs: number
  #at = 0

  constructor(rate: TimeRate) {
    this.#rate = rate
    this.#leftMs = rate.burstMs
  }

  /** Milliseconds that are left; negative for a debt. @param now - Milliseconds of a clock. */
  leftMs(now: number): number {
    const { perSecondMs, burstMs } = this.#rate
    this.#leftMs = Math.min(burstMs, this.#leftMs + (Math.max(0, now - this.#at) * perSecondMs) / 1_000)
    this.#at = now
    return this.#leftMs
  }

  spentMs(now: number): number {
    return this.#rate.burstMs - this.leftMs(now)
  }

  /** Whether all of it, or as much, is left. */
  has(ms: number, now: number): boolean {
    return this.leftMs(now) >= Math.min(ms, this.#rate.burstMs)
  }

  spend(ms: number, now: number): void {
    this.#leftMs = this.leftMs(now) - ms
  }

  /** Milliseconds until there is no debt any more. */
  untilSolvent(now: number): number {
    return Math.ceil((Math.max(0, -this.leftMs(now)) * 1_000) / this.#rate.perSecondMs)
  }
}

/** The budgets that a guest's transactions count against. */
export interface GuestBudgets {
  /** The budget of the connection by which the guest joined. */
  readonly own: TimeBudget
  /** The budget of its network address, unless that is loopback. */
  readonly source: TimeBudget | undefined
}

/** A guest's transactions, as far as their time counts. */
interface Account extends GuestBudgets {
  /** Transactions that were stopped, with the milliseconds after which they were; the newest of them. */
  readonly stopped: Map<Hash, number>
  hasLeft: boolean
  /** Whether it goes once its waiting transactions have left the pool. */
  isForgotten: boolean
}

/** Within this of its budgets' start, a sender counts as one that has used nothing, in milliseconds. */
const UNUSED_MS = 2
/** What such a sender's transaction may always take, in milliseconds: many times what a transfer takes. */
const ALWAYS_MS = 2
/** Stopped transactions of one sender that are remembered; more than its connection sends at once. */
const MAX_STOPPED = 64
/** How much longer than the last time a transaction may run that was stopped. */
const NEXT_TRIAL = 8

/**
 * Gives each guest's transactions their share of the chain's time. A transaction within its budgets runs in the order of
 * tips, after those of everyone who is no guest. One that needs longer is stopped when its budgets are used up, and has
 * changed nothing then; it waits behind all others until the budgets are full again, and may then run for longer, which
 * they have to make up for. So none is lost while its guest is here, and none can hold up the others.
 */
export class GuestTime implements TimeLimits {
  readonly #clock: Pick<Clock, 'now'>
  readonly #room: TimeBudget
  readonly #accounts = new Map<Address, Account>()
  #unwanted: (readonly [Address, string])[] = []

  /** @param room - The rate of all guests together. */
  constructor(clock: Pick<Clock, 'now'>, room: TimeRate) {
    this.#clock = clock
    this.#room = new TimeBudget(room)
  }

  /** From now on the sender's transactions count against these budgets. */
  assign(sender: Address, { own, source }: GuestBudgets): void {
    const stopped = this.#accounts.get(sender)?.stopped ?? new Map<Hash, number>()
    this.#accounts.set(sender, { own, source, stopped, hasLeft: false, isForgotten: false })
  }

  /** Nobody knows who was a guest of an earlier run: each counts as one who has left. */
  load(senders: Iterable<Address>): void {
    for (const sender of senders) {
      this.assign(sender, { own: new TimeBudget(TIME_RATES.connection), source: undefined })
      this.leave(sender)
    }
  }

  /**
   * Milliseconds after which a sender may send again; 0: now. Whoever owes time has to wait. Whoever has used none need not,
   * although others at the same network address do: a whole room can be behind one, and the pool keeps what is sent.
   */
  waitMs(sender: Address): number {
    const account = this.#accounts.get(sender)
    if (!account || account.own.spentMs(this.#clock.now()) < UNUSED_MS) return 0
    return this.#owedMs(account)
  }

  #owedMs(account: Account): number {
    const now = this.#clock.now()
    return Math.max(...budgetsOf(account).map((budget) => budget.untilSolvent(now)))
  }

  /** The sender has gone. What it has waiting that is over its budgets leaves the pool; anything else runs. */
  leave(sender: Address): void {
    const account = this.#accounts.get(sender)
    if (!account) return
    account.hasLeft = true
    if (account.stopped.size > 0 || this.#owedMs(account) > 0) this.#refuse(sender, account)
  }

  /**
   * Forgets a sender, and has its waiting transactions leave the pool. Until they have, its budgets count: without them the
   * transactions would have no limit in the tick under way.
   */
  forget(sender: Address): void {
    const account = this.#accounts.get(sender)
    if (!account) return
    account.hasLeft = true
    account.isForgotten = true
    this.#refuse(sender, account)
  }

  #refuse(sender: Address, { stopped }: Account): void {
    this.#unwanted.push([sender, 'its guest has left the room, and it needs more time than guests have'])
    stopped.clear()
  }

  takeUnwanted(): Iterable<readonly [Address, string]> {
    const unwanted = this.#unwanted
    if (unwanted.length > 0) this.#unwanted = []
    for (const [sender] of unwanted) if (this.#accounts.get(sender)?.isForgotten) this.#accounts.delete(sender)
    return unwanted
  }

  rankOf(sender: Address): number {
    const account = this.#accounts.get(sender)
    if (!account) return 0
    const now = this.#clock.now()
    const spentMs = Math.max(...budgetsOf(account).map((budget) => budget.spentMs(now)))
    return 1 + Math.floor(spentMs / UNUSED_MS)
  }

  limitMs(tx: Transaction): number {
    const account = this.#accounts.get(tx.sender)
    if (!account) return Number.POSITIVE_INFINITY
    const now = this.#clock.now()
    const all = [...budgetsOf(account), this.#room]
    const stoppedMs = account.stopped.get(tx.hash)
    if (stoppedMs !== undefined) {
      return all.every((budget) => budget.has(NEXT_TRIAL * stoppedMs, now)) ? NEXT_TRIAL * stoppedMs : 0
    }
    const leftMs = Math.min(...all.map((budget) => budget.leftMs(now)))
    return this.rankOf(tx.sender) === 1 ? Math.max(leftMs, ALWAYS_MS) : Math.max(leftMs, 0)
  }

  ran(tx: Transaction, ms: number, isStopped: boolean): void {
    const account = this.#accounts.get(tx.sender)
    if (!account) return
    const now = this.#clock.now()
    for (const budget of [...budgetsOf(account), this.#room]) budget.spend(ms, now)
    account.stopped.delete(tx.hash)
    if (!isStopped) return
    if (account.hasLeft) return this.#refuse(tx.sender, account)
    account.stopped.set(tx.hash, Math.max(ms, ALWAYS_MS))
    const [oldest] = account.stopped.keys()
    if (account.stopped.size > MAX_STOPPED && oldest !== undefined) account.stopped.delete(oldest)
  }
}

function budgetsOf({ own, source }: GuestBudgets): readonly TimeBudget[] {
  return source ? [own, source] : [own]
}
