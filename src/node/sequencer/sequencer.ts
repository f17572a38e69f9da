// Longer than most files: every operation is here, as each takes its turn in the one queue.
import type { Cancel } from '#primitives/clock.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { Turns } from '../evm/calls/turns.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { WorldState } from '../state/world-state.ts'
import { JournalError } from '../storage/journal.ts'
import type { Transaction } from '../tx/transaction.ts'
import { BlockProduction } from './block-production.ts'
import { requireInTime } from './chain-time.ts'
import type { ChainTimeStatus, MadeWithdrawal, MiningOutcome, SequencerControl } from './control.ts'
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
const SLICE_MS = 50
/** The state in which an earlier run of the node stopped. */
export interface EarlierRun extends EarlierSnapshots {
  readonly state: ProductionState
  readonly live: LiveContent
  /** Whether the live block was about to be sealed: {@link Sequencer.finishSeal}. */
  readonly seals: boolean
}

/** Turns time into blocks. It runs one operation at a time, so that nothing else changes the chain meanwhile. */
export class Sequencer implements SequencerControl {
  readonly #deps: LiveBlockDeps
  readonly #production: BlockProduction
  readonly #snapshots: Snapshots
  /** Transactions that {@link mine} is working on, by hash, with the reason if they were dropped. */
  readonly #mining = new Map<Hash, string | undefined>()
  /** Those in `#mining` that wait for a lower nonce, each with a callback that ends the wait. */
  readonly #awaiting = new Map<Hash, () => void>()
  /** Of the blocks of {@link mine}. */
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

  pause(): void {
    this.#isOff = false
    this.#stopTime()
  }

  #stopTime(): void {
    this.#production.time.stop()
    this.#cancelTimer?.()
  }

  resume(): void {
    if (this.#closed) return
    this.#isOff = false
    this.#production.time.start()
    this.#arm()
  }

  get automine(): boolean {
    return this.#production.automine
  }

  setAutomine(enabled: boolean): Promise<void> {
    return this.#exclusively(async (production) => {
      await production.setAutomine(enabled)
      this.#isOff = !enabled
      if (!enabled) this.#stopTime()
      else if (this.#deps.spec.mode === 'auto') production.time.start()
    })
  }

  get minesOnRequest(): boolean {
    return this.#isOff && this.#deps.spec.mode === 'auto'
  }

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

  async mine(tx: Transaction, patienceMs: number): Promise<MiningOutcome> {
    const { fork, mempool } = this.#deps
    this.#mining.set(tx.hash, undefined)
    try {
      const mineOnce = () =>
        this.#exclusively(async (production) => {
          // Those that arrive together would all be mined before anyone else is answered.
          const turn = this.#turns.begin()
          if (turn) await turn
          await production.mine(tx, ({ hash }) => this.#awaiting.has(hash))
          for (const [hash, goOn] of this.#awaiting) if (!mempool.reader.has(hash)) goOn()
        })
      // It, or an earlier one of its sender, may lack something of a forked chain's state.
      await (fork?.repeat(mineOnce, () => !mempool.reader.has(tx.hash), tx.sender) ?? mineOnce())
      if (mempool.reader.has(tx.hash)) await this.#await(tx.hash, patienceMs)
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

  setSpeed(factor: number): void {
    this.#production.time.setSpeed(factor)
    this.#arm()
  }

  setTiming(timing: Partial<Timing>): Promise<void> {
    return this.#exclusively((production) => production.setTiming(timing))
  }

  time(): ChainTimeStatus {
    return this.#production.status()
  }

  async tick(n: number, caller?: Caller): Promise<PartialBlock> {
    await this.#inSlices(n, caller, async (production) => {
      production.time.advanceTo(production.nextTickAtMs())
      await production.tick()
    })
    return this.#production.live.partial
  }

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
   * Runs a step `n` times, in slices of {@link SLICE_MS}. Between slices waiting operations and the clock's tick get
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
        } while (count > 0 && !isOver() && clock.now() - startedMs <= SLICE_MS)
        return count
      })
    }
  }

  /** Whether nobody wants the answer of a long operation any more. */
  #isOver(caller: Caller | undefined): boolean {
    return this.#closed || caller?.gone === true
  }

  edit<Result>(change: (state: WorldState) => Result, seal = false): Promise<Result> {
    return this.#edit((live) => live.edit(change), seal)
  }

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

  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]> {
    return this.#exclusively((production) => production.drop(count, fate))
  }

  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): Promise<MadeWithdrawal | undefined> {
    return this.#exclusively((production) => production.withdrawNext(fate, prefer))
  }

  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    return this.#exclusively((production) => production.reorg(depth, fate))
  }

  stallPartialBlocks(ticks: number): void {
    this.#production.stall(ticks)
  }

  delaySeal(ms: number): void {
    this.#production.delaySeal(ms)
    this.#arm()
  }

  snapshot(): Promise<Hex> {
    return this.#exclusively((production) => this.#snapshots.take(this.#deps.store.head(), () => production.save()))
  }

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

  snapshots(): ReadonlyMap<Hex, SealedBlock> {
    return this.#snapshots.heads()
  }

  forgetSnapshots(): Promise<number> {
    return this.#exclusively(() => this.#snapshots.forgetAll())
  }

  reset(): Promise<void> {
    return this.#exclusively(async (production) => {
      this.#snapshots.forgetAll()
      await production.reset()
    })
  }

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

  increaseTime(seconds: number): Promise<void> {
    return this.#exclusively(async (production) => {
      const { parentTimestamp, sealsAtMs } = production.coming()
      const byMs = Math.max(0, parentTimestamp * 1000 - sealsAtMs) + seconds * 1000
      requireInTime((production.time.scheduleNow() + byMs) / 1000)
      production.forgetTimestamp()
      await production.travel(byMs, seconds * 1000)
    })
  }

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

  setTimestampInterval(seconds: number | undefined): Promise<void> {
    return this.#exclusively(async (production) => {
      production.setTimestampInterval(seconds)
      await production.openNext()
    })
  }

  setNextHeader(overrides: Omit<NextHeader, 'timestamp'>, lasting: boolean): Promise<void> {
    return this.#exclusively(async (production) => {
      if (lasting) production.overrideAlways(overrides)
      else production.overrideNext(overrides)
      await production.openNext()
    })
  }

  discard(hashes: readonly Hash[], reason = 'dropped on request'): Promise<readonly Transaction[]> {
    const { mempool } = this.#deps
    return this.#exclusively(() => {
      const found = hashes.map((hash) => mempool.reader.get(hash)).filter((tx) => tx !== undefined)
      mempool.discard(found, reason)
      return found
    })
  }

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
    // It will never succeed again; whoever opened the journal has told so, and closes the node.
    if (error instanceof JournalError && error.code === 'taken-over') return
    const failure = error instanceof Error ? error.message : String(error)
    if (failure !== this.#failure) this.#deps.log(`a tick failed and will be tried again: ${failure}`, error)
    this.#failure = failure
  }
}
