// Longer than most files, as it is one state machine: what opens a block sets slot, timing, overrides and seal delay in one
// step (`#openAt`), and every operation but a withdrawal opens one. What is without that state is in files of its own: the
// schedule, the overrides' rules, and the block itself.
import type { Hash } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import { ChainClock } from './chain-clock.ts'
import { ChainTime } from './chain-time.ts'
import type { ChainTimeStatus, Withdrawal } from './control.ts'
import { ControlRefusedError } from './control-refused.ts'
import {
  applyOverrides,
  type NextHeader,
  NO_OVERRIDES,
  type PendingOverrides,
  renewed,
  withoutTimestamp,
} from './header-overrides.ts'
import { LiveBlock, type LiveBlockDeps } from './live-block.ts'
import type { ProductionState, SavedProduction, TimeState } from './production-state.ts'
import type { LiveContent } from './rebuild-block.ts'
import {
  AT_ONCE,
  blockMs,
  type LiveSlot,
  nextOpening,
  nextTickAtMs,
  planTick,
  startMsAfter,
  type Timing,
  timestampOf,
} from './schedule.ts'

/**
 * The live block in chain time: when its ticks and its seal are due, and the overrides for the next header. The owner
 * calls it when something is due, and runs one operation at a time.
 */
export class BlockProduction {
  readonly time: ChainTime
  readonly live: LiveBlock
  readonly #deps: LiveBlockDeps
  readonly #clock: ChainClock
  #timing: Timing
  #nextTiming: Timing
  /** The timing to restore when automine ends; `undefined` while automine is off. */
  #timingAfter: Timing | undefined
  #slot: LiveSlot
  #overrides = NO_OVERRIDES
  #sealDelayMs = 0
  #stalledTicks = 0
  #plannedWithdrawal: WithdrawnFate | undefined
  #latestWithdrawal: Withdrawal | undefined
  #travelledMs = 0

  private constructor(deps: LiveBlockDeps, clock: ChainClock, time: ChainTime, live: LiveBlock, slot: LiveSlot) {
    this.#deps = deps
    this.#clock = clock
    this.time = time
    this.live = live
    this.#slot = slot
    this.#timing = timingOf(deps)
    this.#nextTiming = this.#timing
  }

  /** Opens the block after the head and cuts its index 0. Time stands still until it is released. */
  static async open(deps: LiveBlockDeps): Promise<BlockProduction> {
    const clock = new ChainClock(deps.clock)
    const startMs = startOf(deps, clock)
    const live = await LiveBlock.open(deps, { timestamp: timestampOf(startMs, deps.spec) })
    return new BlockProduction(
      deps,
      clock,
      new ChainTime(clock, startMs, deps.spec.mode === 'auto'),
      live,
      openingAt(startMs),
    )
  }

  /**
   * Continues where an earlier run stopped. Time stands still until it is released.
   *
   * @throws {InvariantError} If the rebuilt live block differs from the stored one.
   */
  static async restore(deps: LiveBlockDeps, state: ProductionState, content: LiveContent): Promise<BlockProduction> {
    const live = await LiveBlock.restore(deps, content)
    const clock = new ChainClock(deps.clock, state.clockAheadMs)
    const time = new ChainTime(clock, state.chainTimeMs, state.running)
    time.setSpeed(state.speed)
    // The stored live block may be one index ahead of the stored time.
    const production = new BlockProduction(deps, clock, time, live, { ...state.slot, index: live.partial.index })
    production.#timing = state.timing
    production.#nextTiming = state.nextTiming
    production.#timingAfter = state.timingAfterAutomine
    production.#overrides = state.overrides
    production.#sealDelayMs = state.sealDelayMs
    production.#stalledTicks = state.stalledTicks
    production.#plannedWithdrawal = state.plannedWithdrawal
    production.#travelledMs = state.travelledMs
    return production
  }

  /** The state that {@link restore} takes, as of the newest partial block. */
  state(): ProductionState {
    return {
      ...this.#timeState(),
      nextTiming: this.#nextTiming,
      running: this.time.running,
      speed: this.time.speed,
      sealDelayMs: this.#sealDelayMs,
      stalledTicks: this.#stalledTicks,
      plannedWithdrawal: this.#plannedWithdrawal,
      timingAfterAutomine: this.#timingAfter,
      ...(this.#clock.aheadMs !== 0 && { clockAheadMs: this.#clock.aheadMs }),
    }
  }

  status(): ChainTimeStatus {
    return {
      paused: !this.time.running || this.automine,
      speed: this.time.speed,
      timing: this.#timing,
      nextTiming: this.#nextTiming,
      chainTimeMs: this.time.now(),
      sealsAtMs: this.#sealsAtMs(),
      nextTickAtMs: this.nextTickAtMs(),
      stalledTicks: this.#stalledTicks,
      plannedWithdrawal: this.#plannedWithdrawal,
      latestWithdrawal: this.#latestWithdrawal,
      sealDelayMs: this.#sealDelayMs,
      timestampIntervalSeconds: this.#overrides.intervalSeconds,
      travelledMs: this.#travelledMs,
    }
  }

  /** The next step of the grid. After the last step it is the seal, including its delay. */
  nextTickAtMs(): number {
    const next = nextTickAtMs(this.#slot, this.#timing)
    return next >= this.#slot.openedAtMs + blockMs(this.#timing) ? Math.max(next, this.#sealsAtMs()) : next
  }

  setTiming(timing: Partial<Timing>): void {
    if (this.#timingAfter) this.#timingAfter = { ...this.#timingAfter, ...timing }
    else this.#nextTiming = { ...this.#nextTiming, ...timing }
  }

  /** Whether automine is on: each transaction is sealed at once in a block of its own, and no ticks are due. */
  get automine(): boolean {
    return this.#timingAfter !== undefined
  }

  /** Seals the live block with the pool's ready transactions, then opens a block with the new mode's timing. */
  async setAutomine(enabled: boolean): Promise<void> {
    if (enabled === this.automine) return
    await this.fill()
    const before = this.#timingAfter
    this.#timingAfter = before ? undefined : this.#nextTiming
    this.#nextTiming = before ?? AT_ONCE
    if (this.live.isUntouched) this.#timing = this.#nextTiming
    await this.openNext()
  }

  /**
   * Seals blocks with a transaction and its sender's earlier ones, if it can be executed.
   *
   * @param alsoTake - As in {@link TxPool.bestUpTo}.
   */
  async mine(tx: Transaction, alsoTake: (tx: Transaction) => boolean): Promise<void> {
    const { mempool } = this.#deps
    const isStale = () => this.live.partial.header.timestamp < Math.floor(this.time.now() / 1000)
    if (this.live.isUntouched && isStale()) await this.openNext()
    // The earlier ones may fill more than one block.
    for (;;) {
      const { index, header } = this.live.partial
      if (!mempool.isReady(tx, header.baseFeePerGas)) return
      await this.live.extend(
        index,
        header.gasLimit,
        false,
        Number.POSITIVE_INFINITY,
        false,
        mempool.sourceFor(tx, alsoTake),
      )
      // A planned withdrawal takes place before the seal. Requeued transactions are executed again; lost ones are not.
      if (this.withdrawIfDue()) continue
      if (this.live.isUntouched) return
      await this.sealNow()
    }
  }

  stall(ticks: number): void {
    this.#stalledTicks = ticks
  }

  delaySeal(ms: number): void {
    this.#sealDelayMs = ms
  }

  /** Does what is due: cuts the next partial block, or seals the block and cuts the first one of its successor. */
  async tick(): Promise<void> {
    const plan = planTick(this.time.now(), this.#slot, this.#timing, this.#sealDelayMs)
    const paused = this.#stalledTicks > 0
    if (paused) this.#stalledTicks--
    // A tick that withdraws pre-confirms nothing. Otherwise it would pick up the requeued transactions again at once.
    const stalled = this.withdrawIfDue() !== undefined || paused
    if (plan.kind === 'seal') {
      this.time.catchUp()
      const onTime = { ...this.#slot, openedAtMs: this.#slot.openedAtMs + this.#sealDelayMs }
      await this.#seal(nextOpening(this.time.now(), onTime, this.#timing))
      if (stalled) this.live.announce()
      else await this.#extendFirst()
    } else if (stalled) {
      this.#slot = { ...plan.slot, index: this.#slot.index }
    } else {
      const before = this.#slot
      this.#slot = plan.slot
      try {
        await this.live.extend(plan.slot.index, this.#gasShare(plan.slot.index), false)
      } catch (error) {
        // The index was not cut; the next tick tries again.
        this.#slot = { ...before, index: this.live.partial.index }
        throw error
      }
    }
  }

  /** Fills index 0 of a new block. If that fails, the block is announced empty. */
  async #extendFirst(): Promise<void> {
    try {
      await this.live.extend(0, this.#gasShare(0), true)
    } catch (error) {
      this.live.announce()
      throw error
    }
  }

  /**
   * Fills the live block with everything the pool has ready, ignoring the gas share of the index and the time limit of
   * a tick. Call {@link sealNow} next.
   */
  async fill(): Promise<void> {
    const { index, header } = this.live.partial
    await this.live.extend(index, header.gasLimit, false, Number.POSITIVE_INFINITY, true)
  }

  /** Seals the live block now, whatever the schedule says. In manual mode chain time jumps to the scheduled seal. */
  async sealNow(): Promise<void> {
    this.#sealDelayMs = 0
    if (this.#deps.spec.mode === 'manual') this.time.advanceTo(this.#sealsAtMs())
    await this.#seal(openingAt(this.time.now()))
    this.live.announce()
  }

  /** Withdraws the newest partial blocks. The block's remaining ticks continue from the index before them. */
  drop(count: number, fate: WithdrawnFate) {
    const withdrawn = this.live.drop(count, fate)
    this.#slot = { ...this.#slot, index: this.live.partial.index }
    return withdrawn
  }

  /** As in `SequencerControl`. */
  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): Withdrawal | undefined {
    this.#plannedWithdrawal = fate
    return this.withdrawIfDue(prefer)
  }

  /**
   * Carries out the planned withdrawal if the live block holds transactions. Comes before every seal, except one that
   * an earlier run has already written down.
   */
  withdrawIfDue(prefer: ReadonlySet<Hash> = new Set()): Withdrawal | undefined {
    const fate = this.#plannedWithdrawal
    const { transactions, index: last, header } = this.live.partial
    const newest = transactions.findLast(({ tx }) => prefer.has(tx.hash)) ?? transactions.at(-1)
    if (!fate || !newest) return undefined
    const first = newest.partialIndex
    this.#plannedWithdrawal = undefined
    const withdrawn = this.drop(last - first + 1, fate).map(({ hash }) => hash)
    const id = (this.#latestWithdrawal?.id ?? 0) + 1
    this.#latestWithdrawal = { id, number: header.number, first, last, fate, withdrawn }
    return this.#latestWithdrawal
  }

  /** @throws {ControlRefusedError} `too-deep`. */
  async reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    const { store } = this.#deps
    const height = store.head().header.number
    const parent = store.blockByNumber(height - depth)
    if (!parent) {
      const first = store.first().header.number
      const above = `${height - first} above block ${first}`
      throw new ControlRefusedError('too-deep', `reorg of ${depth} blocks, but the chain has ${above}`)
    }
    if (!store.hasState(height - depth)) {
      throw new ControlRefusedError('too-deep', `reorg of ${depth} blocks, but only the newest keep their states`)
    }
    const timing = this.#nextTiming
    const slot = openingAt(this.time.now())
    this.#overrides = renewed(this.#overrides)
    const { overrides, left } = this.#overridesFor(slot, timing, parent.header.timestamp)
    return this.live.reorg(depth, overrides, fate, () => this.#openAt(slot, timing, left))
  }

  save(): SavedProduction {
    return { ...this.live.snapshot(), ...this.#timeState() }
  }

  restore(saved: SavedProduction): void {
    this.live.restore(saved)
    this.#slot = saved.slot
    this.#timing = saved.timing
    this.#overrides = saved.overrides
    this.#travelledMs = saved.travelledMs
    this.#sealDelayMs = 0
    this.time.set(saved.chainTimeMs)
  }

  /** Starts over from the first block. */
  async reset(): Promise<void> {
    const { mempool, store } = this.#deps
    this.#overrides = NO_OVERRIDES
    this.#stalledTicks = 0
    this.#plannedWithdrawal = undefined
    this.#latestWithdrawal = undefined
    this.#travelledMs = 0
    if (this.#timingAfter) this.#timingAfter = timingOf(this.#deps)
    else this.#nextTiming = timingOf(this.#deps)
    this.time.set(startOf(this.#deps, this.#clock))
    mempool.discard(mempool.reader.transactions(), 'the chain was reset')
    await this.reorg(store.head().header.number - store.first().header.number, 'lose')
  }

  /** Advances chain time and opens a block there. Does nothing if chain time is already that late. */
  async travel(toMs: number): Promise<void> {
    if (toMs <= this.time.now()) return
    this.advanceTo(toMs)
    await this.openNext()
  }

  /** Advances chain time for the next block. */
  advanceTo(ms: number): void {
    this.#travelledMs += Math.max(0, ms - this.time.now())
    this.time.advanceTo(ms)
  }

  /** Parent timestamp and timing of the block that {@link openNext} opens. */
  coming(): { readonly parentTimestamp: number; readonly timing: Timing } {
    if (this.live.isUntouched) {
      return { parentTimestamp: this.#deps.store.head().header.timestamp, timing: this.#timing }
    }
    return { parentTimestamp: this.live.partial.header.timestamp, timing: this.#nextTiming }
  }

  /** Overrides header fields of the next block. Adds to earlier overrides. */
  overrideNext(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, next: { ...this.#overrides.next, ...overrides } }
  }

  /** Overrides header fields of every block opened from now on. */
  overrideAlways(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, lasting: { ...this.#overrides.lasting, ...overrides } }
  }

  setTimestampInterval(seconds: number | undefined): void {
    this.#overrides = { ...withoutTimestamp(this.#overrides), intervalSeconds: seconds }
  }

  /** Drops timestamp overrides: the schedule sets the timestamps of the live block and the next one. */
  forgetTimestamp(): void {
    this.#overrides = withoutTimestamp(this.#overrides)
  }

  /** Applies pending overrides: reopens the live block if it is empty, otherwise seals it and opens the next. */
  async openNext(): Promise<void> {
    if (!this.live.isUntouched) {
      this.withdrawIfDue()
      await this.sealNow()
      return
    }
    const slot = openingAt(this.time.now())
    this.#overrides = renewed(this.#overrides)
    const timing = this.#timing
    const { overrides, left } = this.#overridesFor(slot, timing, this.#deps.store.head().header.timestamp)
    const sealDelayMs = this.#sealDelayMs
    await this.live.reopen(overrides, () => this.#openAt(slot, timing, left, sealDelayMs))
  }

  /** @param slot - Where the next block opens. */
  async #seal(slot: LiveSlot): Promise<void> {
    const timing = this.#nextTiming
    const { overrides, left } = this.#overridesFor(slot, timing, this.live.partial.header.timestamp)
    await this.live.seal(overrides, () => this.#openAt(slot, timing, left))
  }

  /**
   * Switches to the new block's time. Runs in the same step as the opening, so that no reader sees the new block with
   * the old block's time.
   */
  #openAt(slot: LiveSlot, timing: Timing, pending: PendingOverrides, sealDelayMs = 0): void {
    this.#slot = slot
    this.#timing = timing
    this.#overrides = pending
    this.#sealDelayMs = sealDelayMs
  }

  #timeState(): TimeState {
    return {
      slot: { ...this.#slot, index: this.live.partial.index },
      timing: this.#timing,
      overrides: this.#overrides,
      chainTimeMs: this.time.now(),
      travelledMs: this.#travelledMs,
    }
  }

  #sealsAtMs(): number {
    return this.#slot.openedAtMs + blockMs(this.#timing) + this.#sealDelayMs
  }

  #gasShare(index: number): bigint {
    return (this.live.partial.header.gasLimit * BigInt(index + 1)) / BigInt(this.#timing.partialsPerBlock)
  }

  /** Header fields of a block that opens at `slot`, and the overrides that remain for later blocks. */
  #overridesFor(slot: LiveSlot, timing: Timing, parentTimestamp: number) {
    return applyOverrides(this.#overrides, timestampOf(slot.openedAtMs, timing), parentTimestamp)
  }
}

function timingOf({ spec: { partialMs, partialsPerBlock } }: LiveBlockDeps): Timing {
  return { partialMs, partialsPerBlock }
}

/** The start of chain time, in milliseconds since the Unix epoch. A fork's clock then goes on from there. */
function startOf({ spec, store, clock, fork }: LiveBlockDeps, chainClock: ChainClock): number {
  const startMs = startMsAfter(store.first().header.timestamp, spec, clock, fork !== undefined)
  if (fork && spec.forkTime !== 'now') chainClock.setTo(startMs)
  return startMs
}

/** The slot of a block that opens at `ms`, off the previous block's grid. */
function openingAt(ms: number): LiveSlot {
  return { openedAtMs: ms, index: 0, dueAtMs: ms }
}
