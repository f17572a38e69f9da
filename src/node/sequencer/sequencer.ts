// Longer than most files: every operation is here, as each takes its turn in the one queue.
import type { Cancel } from '#primitives/clock.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { WorldState } from '../state/world-state.ts'
import { JournalError } from '../storage/journal.ts'
import { Turns } from '../turns/turns.ts'
import type { Transaction } from '../tx/transaction.ts'
import { BlockProduction } from './block-production.ts'
import { requireInTime } from './chain-time.ts'
import type { ChainTimeStatus, MadeWithdrawal, MiningOutcome } from './control.ts'
import { ControlRefusedError } from './control-refused.ts'
import type { NextHeader } from './header-overrides.ts'
import type { LiveBlock, LiveBlockDeps } from './live-block.ts'
import { Preview } from './preview.ts'
import type { ProductionState, SavedProduction } from './production-state.ts'
import type { LiveContent } from './rebuild-block.ts'
import type { Timing } from './schedule.ts'
import { type EarlierSnapshots, Snapshots } from './snapshots.ts'

/** Milliseconds before a failed tick is tried again. An immediate attempt would fail, too. */
const RETRY_MS = 1_000
/** The longest delay that a host's timer has: 2^31 − 1 ms, 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** How long, in milliseconds, many ticks or seals may run before others get their turn. */
const BATCH_MS = 50
/** The state in which an earlier run of the node stopped. */
export interface EarlierRun extends EarlierSnapshots {
  readonly state: ProductionState
  readonly live: LiveContent
  /** Whether the live block was about to be sealed: {@link Sequencer.finishSeal}. */
  readonly seals: boolean
}

/**
 * Turns time into blocks, and lets people and tests control the chain. Operations run one after the other, so that nothing
 * else changes the chain meanwhile. One that needs a new header seals the live block first, unless the block is still
 * empty, so that no pre-confirmed transaction changes.
 */
export class Sequencer {
  readonly #deps: LiveBlockDeps
  readonly #production: BlockProduction
  readonly #snapshots: Snapshots
  /** Transactions that {@link mine} is working on, by hash, with the reason if they were dropped. */
  readonly #mining = new Map<Hash, string | undefined>()
  /** Transactions of `#mining` that wait for a lower nonce, each with a callback that ends the wait. */
  readonly #awaiting = new Map<Hash, () => void>()
  /** Turns of the blocks of {@link mine}. */
  readonly #turns: Turns
  readonly #preview: Preview
  /** Whether a caller has turned automine and the clock off. */
  #isOff = false
  #cancelTimer: Cancel | undefined
  /** Clock time from which the timer may try again, in milliseconds. */
  #retryAtMs = 0
  #queue: Promise<unknown> = Promise.resolve()
  /** Why the timer's last tick failed; `undefined` if it succeeded. */
  #failure: string | undefined
  #closed = false

  private constructor(deps: LiveBlockDeps, production: BlockProduction, earlier?: EarlierRun) {
    this.#deps = deps
    this.#production = production
    this.#isOff = earlier?.state.minesOnRequest === true
    this.#snapshots = new Snapshots(deps.events, earlier)
    this.#turns = new Turns(deps.clock)
    this.#preview = new Preview(deps.events, () => this.#makePreview())
    deps.events.on('dropped', ({ tx: { hash }, reason }) => {
      if (this.#mining.has(hash)) this.#mining.set(hash, reason)
    })
  }

  /** Opens the block after the head and cuts its index 0. Time stands still until {@link start}. */
  static async open(deps: LiveBlockDeps): Promise<Sequencer> {
    return new Sequencer(deps, await BlockProduction.open(deps))
  }

  /**
   * Continues where an earlier run stopped, on the store's sealed blocks. Time stands still until {@link start}.
   *
   * @throws {InvariantError} If the rebuilt live block differs from the stored one.
   */
  static async restore(deps: LiveBlockDeps, earlier: EarlierRun): Promise<Sequencer> {
    return new Sequencer(deps, await BlockProduction.restore(deps, earlier.state, earlier.live), earlier)
  }

  /**
   * Seals the live block that an earlier run had recorded as about to be sealed. Must come before any other operation.
   */
  finishSeal(): Promise<void> {
    return this.#exclusively((production) => production.sealNow())
  }

  /** The chain's position in time. */
  state(): ProductionState {
    return { ...this.#production.state(), ...(this.#isOff && { minesOnRequest: true }) }
  }

  /** Lets the clock drive the chain, unless its mode is `manual` or an earlier run paused it. */
  start(): void {
    this.#production.time.release()
    this.#arm()
  }

  /** Stops the ticks and waits for the operation in progress. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer?.()
    await this.#queue
  }

  /** Stops the clock's ticks until {@link resume}; `tick` still works. */
  pause(): void {
    this.#isOff = false
    this.#stopTime()
  }

  #stopTime(): void {
    this.#production.time.stop()
    this.#cancelTimer?.()
  }

  /** Lets the clock tick again, unless automine is on. */
  resume(): void {
    if (this.#closed) return
    this.#isOff = false
    this.#production.time.start()
    this.#arm()
  }

  /** Whether {@link mine} puts each submitted transaction into a block of its own at once. */
  get automine(): boolean {
    return this.#production.automine
  }

  /**
   * Turns automine on, which replaces the clock's ticks, or off, which leaves the chain paused. Seals pre-confirmed and
   * ready transactions first.
   */
  setAutomine(enabled: boolean): Promise<void> {
    return this.#exclusively(async (production) => {
      await production.setAutomine(enabled)
      this.#isOff = !enabled
      if (!enabled) this.#stopTime()
      else if (this.#deps.spec.mode === 'auto') production.time.start()
    })
  }

  /**
   * Whether blocks are made only on request, because a caller has asked for that: automine is off, and so is the clock.
   * Then transactions wait in the pool, where they can still be replaced, dropped and reordered. `false` on a manual clock,
   * whose ticks pre-confirm.
   */
  get minesOnRequest(): boolean {
    return this.#isOff && this.#deps.spec.mode === 'auto'
  }

  /** Whether what is sent waits in the pool until its block is sealed; by default it is pre-confirmed before. */
  get fillsAtSeal(): boolean {
    return this.minesOnRequest || (this.#production.fillsAtSeal && !this.automine)
  }

  /** The live block as {@link seal} would make it now of the pool. Nothing changes. */
  preview(): Promise<PartialBlock> {
    return this.#preview.get()
  }

  async #makePreview(): Promise<PartialBlock> {
    const { live } = this.#production
    let made: PartialBlock | undefined
    const make = async () => {
      made = await live.preview()
    }
    await (this.#deps.fork?.repeat(make, () => this.#closed) ?? make())
    invariant(made, 'a preview is made at least once')
    return made
  }

  /**
   * Seals a block with a pooled transaction and its sender's earlier ones.
   *
   * @param patienceMs - How long to wait for a lower nonce that is still on its way; then both are in one block. `undefined`:
   * not at all, but its sender's later transactions that have waited are in its block.
   * @returns What became of it once the block is sealed.
   */
  async mine(tx: Transaction, patienceMs: number | undefined): Promise<MiningOutcome> {
    const { fork, mempool } = this.#deps
    this.#mining.set(tx.hash, undefined)
    try {
      const mineOnce = () =>
        this.#exclusively(async (production) => {
          // Transactions that arrive together would all be mined before anyone else is answered.
          const turn = this.#turns.begin()
          if (turn) await turn
          await production.mine(tx, ({ hash }) => patienceMs === undefined || this.#awaiting.has(hash))
          for (const [hash, goOn] of this.#awaiting) if (!mempool.reader.has(hash)) goOn()
        })
      // The transaction, or an earlier one of its sender, may lack something of a forked chain's state.
      await (fork?.repeat(mineOnce, () => !mempool.reader.has(tx.hash), tx.sender) ?? mineOnce())
      if (patienceMs !== undefined && mempool.reader.has(tx.hash)) await this.#await(tx.hash, patienceMs)
      const reason = this.#mining.get(tx.hash)
      if (reason !== undefined) return { kind: 'dropped', reason }
      return { kind: mempool.reader.has(tx.hash) ? 'waits' : 'mined' }
    } finally {
      this.#mining.delete(tx.hash)
    }
  }

  /** Resolves when a block made for another transaction includes this one, or after `patienceMs`. */
  async #await(hash: Hash, patienceMs: number): Promise<void> {
    let cancel: Cancel = () => {}
    await new Promise<void>((resolve) => {
      this.#awaiting.set(hash, resolve)
      cancel = this.#deps.clock.schedule(resolve, patienceMs)
    })
    cancel()
    this.#awaiting.delete(hash)
  }

  /** @param factor - Chain time over real time, above 0. */
  setSpeed(factor: number): void {
    this.#production.time.setSpeed(factor)
    this.#arm()
  }

  /** Takes effect at once: the live block's ticks and its seal are counted from its start. */
  setTiming(timing: Partial<Timing>): Promise<void> {
    return this.#exclusively((production) => production.setTiming(timing))
  }

  time(): ChainTimeStatus {
    return this.#production.status()
  }

  /**
   * Runs `n` ticks at once, regardless of the clock. Resolves with the live block after the last one.
   *
   * @param caller - If it disconnects, the remaining ticks are skipped.
   */
  async tick(n: number, caller?: Caller): Promise<PartialBlock> {
    await this.#inSlices(n, caller, async (production) => {
      production.time.advanceTo(production.nextTickAtMs())
      await production.tick()
    })
    return this.#production.live.partial
  }

  /**
   * Seals `n` blocks, each filled from the pool. Resolves with the last one. Ignores {@link delaySeal}. A long run lets
   * the clock's ticks and other operations in between.
   *
   * @param intervalSeconds - Seconds between the timestamps of the new blocks; chain time advances with them.
   * @param caller - If it disconnects, the remaining blocks are skipped.
   */
  async seal(n: number, intervalSeconds?: number, caller?: Caller): Promise<SealedBlock> {
    const { store } = this.#deps
    requireInTime(this.#production.live.partial.header.timestamp + (intervalSeconds ?? 0) * n)
    const fill = () => this.#exclusively((production) => production.fill())
    await this.#deps.fork?.repeat(fill, () => this.#isOver(caller))
    await this.#inSlices(n, caller, async (production, left) => {
      await production.fill()
      if (intervalSeconds !== undefined && left > 1) {
        production.overrideNext({ timestamp: production.live.partial.header.timestamp + intervalSeconds })
      }
      production.withdrawIfDue()
      await production.sealNow()
    })
    // Once, after all of them: how many slices there are depends on the machine.
    if (intervalSeconds !== undefined) {
      await this.#exclusively((production) => production.travelTo(store.head().header.timestamp * 1000))
    }
    return store.head()
  }

  /**
   * Runs a step `n` times, in slices of {@link BATCH_MS}. Between slices waiting operations and the clock's tick get
   * their turn.
   */
  async #inSlices(
    n: number,
    caller: Caller | undefined,
    step: (production: BlockProduction, left: number) => Promise<void>,
  ): Promise<void> {
    const { clock } = this.#deps
    const isOver = () => this.#isOver(caller)
    for (let left = n; left > 0 && !isOver(); ) {
      left = await this.#exclusively(async (production) => {
        const startedMs = clock.now()
        // At least one, however slow the machine is.
        let count = left
        do {
          await step(production, count--)
          await clock.yield()
        } while (count > 0 && !isOver() && clock.now() - startedMs <= BATCH_MS)
        return count
      })
    }
  }

  /** Whether nobody wants the answer of a long operation any more. */
  #isOver(caller: Caller | undefined): boolean {
    return this.#closed || caller?.gone === true
  }

  /**
   * Changes the state outside of any transaction. The change is visible at `pending` when this resolves.
   *
   * @param change - Must depend on the state alone. If it throws, nothing has changed.
   * @param seal - Also seals the live block without filling it first; then the change is visible at `latest`, too.
   */
  edit<Result>(change: (state: WorldState) => Result, seal = false): Promise<Result> {
    return this.#edit((live) => live.edit(change), seal)
  }

  /**
   * Edits the state in many small steps: others have the thread in between, but the chain stands still.
   *
   * @param change - Makes a step for each value that it yields. If it throws, nothing has changed.
   */
  editInSteps(change: (state: WorldState) => Iterator<void>, seal = false): Promise<void> {
    return this.#edit((live) => live.editInSteps(change), seal)
  }

  #edit<Result>(edit: (live: LiveBlock) => Promise<Result>, seal: boolean): Promise<Result> {
    return this.#exclusively(async (production) => {
      // This must come before the edit, or it would withdraw the edit, too.
      if (seal) production.withdrawIfDue()
      const result = await edit(production.live)
      if (seal) await production.sealNow()
      return result
    })
  }

  /**
   * Withdraws the newest partial blocks of the live block, at most all of them, including their state edits. Resolves
   * with their transactions.
   */
  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]> {
    return this.#exclusively((production) => production.drop(count, fate))
  }

  /**
   * Withdraws partial blocks once. If the live block holds transactions, this happens now: back to the newest partial
   * block with one of `prefer`, or else to the newest with any transaction. If it holds none, the next partial block
   * with transactions is withdrawn at the tick that follows it, or before an earlier seal.
   *
   * @param fate - `undefined` cancels a planned withdrawal.
   * @returns What was withdrawn, or `undefined` if nothing was yet.
   */
  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): Promise<MadeWithdrawal | undefined> {
    return this.#exclusively((production) => production.withdrawNext(fate, prefer))
  }

  /**
   * Takes back the live block and the newest `depth` sealed blocks, including their state edits. Resolves with the
   * sealed ones, newest first.
   *
   * @throws {ControlRefusedError} `too-deep`.
   */
  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    return this.#exclusively((production) => production.reorg(depth, fate))
  }

  /** Makes the next `ticks` ticks pre-confirm nothing; replaces an earlier stall. Blocks are still sealed on time. */
  stallPartialBlocks(ticks: number): void {
    this.#production.stall(ticks)
  }

  /** Delays the seal of the live block by `ms` of chain time; replaces an earlier delay. */
  delaySeal(ms: number): void {
    this.#production.delaySeal(ms)
    this.#arm()
  }

  /**
   * Takes a snapshot of the chain, its pool and its time. Resolves with the snapshot's id.
   *
   * @throws {ControlRefusedError} `too-many`.
   */
  snapshot(): Promise<Hex> {
    return this.#exclusively((production) => this.#snapshots.take(this.#deps.store.head(), () => production.save()))
  }

  /**
   * Reverts to a snapshot. That snapshot and all later ones are used up. Chain time goes back, too; if it runs at the
   * clock's pace, it catches up at the next seal.
   *
   * @returns `false` if no snapshot has that id.
   */
  revertTo(id: Hex): Promise<boolean> {
    return this.#exclusively(async (production) => {
      const saved = this.#snapshots.get(id)
      if (!saved) return false
      production.restore(await saved.production())
      this.#snapshots.forgetFrom(id)
      return true
    })
  }

  /** The chain with its pool and its time, as {@link show} takes it. */
  save(): Promise<SavedProduction> {
    return this.#exclusively((production) => production.save())
  }

  /**
   * Makes the chain what it was at another moment. Nothing is written: only for a film.
   *
   * @param moment - Called when nothing else changes the chain. If it rejects, nothing has changed.
   */
  show(moment: () => Promise<SavedProduction>): Promise<void> {
    return this.#exclusively(async (production) => production.restore(await moment()))
  }

  /** The head of each snapshot by the snapshot's id, oldest first. */
  snapshots(): ReadonlyMap<Hex, SealedBlock> {
    return this.#snapshots.heads()
  }

  /** Forgets every snapshot; resolves with how many there were. */
  forgetSnapshots(): Promise<number> {
    return this.#exclusively(() => this.#snapshots.forgetAll())
  }

  /**
   * Starts over from block 0: empties the pool, forgets snapshots, faults and overrides, and restores the first timing.
   */
  reset(): Promise<void> {
    return this.#exclusively(async (production) => {
      this.#snapshots.forgetAll()
      await production.reset()
    })
  }

  /**
   * Starts over from a snapshot, which stays, as do those in `kept`; all others are forgotten. Faults and the timing are those
   * of a new chain.
   *
   * @returns `false` if no snapshot has that id; nothing has changed.
   */
  resetTo(id: Hex, kept: readonly Hex[] = []): Promise<boolean> {
    return this.#exclusively(async (production) => {
      const snapshot = this.#snapshots.get(id)
      if (!snapshot) return false
      production.resetTo(await snapshot.production())
      this.#snapshots.keepOnly(new Set([id, ...kept]))
      return true
    })
  }

  /**
   * Advances chain time to `chainTimeMs`.
   *
   * @throws {ControlRefusedError} `time-goes-back`.
   */
  travelTo(chainTimeMs: number): Promise<void> {
    return this.#exclusively(async (production) => {
      const now = production.time.now()
      if (chainTimeMs < now) {
        const [to, at] = [chainTimeMs, now].map((ms) => Math.floor(ms / 1000))
        throw new ControlRefusedError('time-goes-back', `Timestamp error: ${to} is lower than the chain's time ${at}`)
      }
      requireInTime(chainTimeMs / 1000)
      production.forgetTimestamp()
      await production.travelTo(chainTimeMs)
    })
  }

  /** Advances chain time so that the next block is at least `seconds` later than its parent. */
  increaseTime(seconds: number): Promise<void> {
    return this.#exclusively(async (production) => {
      const { parentTimestamp, sealsAtMs } = production.coming()
      const byMs = Math.max(0, parentTimestamp * 1000 - sealsAtMs) + seconds * 1000
      requireInTime((production.time.scheduleNow() + byMs) / 1000)
      production.forgetTimestamp()
      await production.travel(byMs, seconds * 1000)
    })
  }

  /**
   * Sets the timestamp of the next block, and advances chain time to it if needed.
   *
   * @param timestamp - Seconds since the Unix epoch.
   * @throws {ControlRefusedError} `time-goes-back` if it is not later than its parent's, or equal where blocks may share a second.
   */
  setNextTimestamp(timestamp: number): Promise<void> {
    return this.#exclusively(async (production) => {
      const { parentTimestamp, sealsAtMs } = production.coming()
      const { mayRepeat } = this.#deps.timestamps
      if (mayRepeat ? timestamp < parentTimestamp : timestamp <= parentTimestamp) {
        const how = mayRepeat ? 'lower than' : 'lower than or equal to'
        const problem = `${timestamp} is ${how} previous block's timestamp ${parentTimestamp}`
        throw new ControlRefusedError('time-goes-back', `Timestamp error: ${problem}`)
      }
      requireInTime(timestamp)
      production.advance(timestamp * 1000 - sealsAtMs)
      production.overrideNext({ timestamp })
      await production.openNext()
    })
  }

  /**
   * Gives every block a timestamp `seconds` after its parent's, whatever the time is; `undefined` turns that off. 0 also
   * lets blocks share a second from then on.
   */
  setTimestampInterval(seconds: number | undefined): Promise<void> {
    return this.#exclusively(async (production) => {
      production.setTimestampInterval(seconds)
      await production.openNext()
    })
  }

  /** Sets header fields of the next block, or of all from now on. */
  setNextHeader(overrides: Omit<NextHeader, 'timestamp'>, lasting: boolean): Promise<void> {
    return this.#exclusively(async (production) => {
      if (lasting) production.overrideAlways(overrides)
      else production.overrideNext(overrides)
      await production.openNext()
    })
  }

  /**
   * Removes transactions from the pool, even if later nonces wait for them. Resolves with those that were found.
   *
   * @param reason - For people; by default that somebody asked for it.
   */
  discard(hashes: readonly Hash[], reason = 'dropped on request'): Promise<readonly Transaction[]> {
    const { mempool } = this.#deps
    return this.#exclusively(() => {
      const found = hashes.map((hash) => mempool.reader.get(hash)).filter((tx) => tx !== undefined)
      mempool.discard(found, reason)
      return found
    })
  }

  /**
   * Undoes submissions that could not be stored: removes the transactions from the pool and restores those they
   * replaced or evicted.
   *
   * @returns Whether any of them is not on the chain yet.
   */
  undoSubmissions(submitted: readonly Transaction[]): Promise<boolean> {
    return this.#exclusively(() => this.#deps.mempool.undo(submitted))
  }

  #exclusively<Result>(work: (production: BlockProduction) => Result | Promise<Result>): Promise<Result> {
    const result = this.#queue.then(async () => {
      try {
        await this.#production.follow()
        return await work(this.#production)
      } finally {
        this.#arm()
      }
    })
    this.#queue = result.catch(() => undefined)
    return result
  }

  /** Sets the timer for the next tick, if time is running. */
  #arm(): void {
    const { time } = this.#production
    if (!time.ticking || this.#production.automine || this.#closed) return
    this.#cancelTimer?.()
    const { clock } = this.#deps
    const delay = Math.max(time.delayUntil(this.#production.nextTickAtMs()), this.#retryAtMs - clock.now())
    // Hosts fire a timer with a longer delay at once. One that fires early is set again.
    this.#cancelTimer = clock.schedule(() => this.#onTimer(), Math.min(delay, MAX_TIMER_MS))
  }

  /** Makes the tick that is due. Never rejects: nobody waits for it. */
  async #onTimer(): Promise<void> {
    try {
      await this.#exclusively((production) => this.#tickIfDue(production))
    } catch (error) {
      // The step of the clock of the day could not be followed.
      this.#tellFailure(error)
    }
  }

  async #tickIfDue(production: BlockProduction): Promise<void> {
    const { time } = production
    // The timer may fire early, or after a pause.
    const isDue = time.ticking && time.scheduleNow() >= production.nextTickAtMs()
    if (!isDue || production.automine || this.#closed) return
    try {
      await production.tick()
      this.#failure = undefined
    } catch (error) {
      this.#retryAtMs = this.#deps.clock.now() + RETRY_MS
      this.#tellFailure(error)
    }
  }

  /** Logs why a tick failed: once, however often it fails again. */
  #tellFailure(error: unknown): void {
    // No tick will succeed again; whoever opened the journal has told so, and closes the node.
    if (error instanceof JournalError && error.code === 'taken-over') return
    const failure = error instanceof Error ? error.message : String(error)
    if (failure !== this.#failure) this.#deps.log(`a tick failed and will be tried again: ${failure}`, error)
    this.#failure = failure
  }
}
