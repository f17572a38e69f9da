// Longer than most files, as it is one state machine: what opens a block sets slot, timing, overrides and seal delay in one
// step (`#openAt`), and every operation but a withdrawal opens one. What is without that state is in files of its own: the
// schedule, the overrides' rules, and the block itself.
import type { Hash } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import { ChainTime, requireInTime } from './chain-time.ts'
import type { ChainTimeStatus, MadeWithdrawal } from './control.ts'
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
  openingAt,
  planTick,
  regridded,
  shifted,
  startMsAfter,
  type Timing,
  takenOver,
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
  #timing: Timing
  #nextTiming: Timing
  /** The timing to restore when automine ends; `undefined` while automine is off. */
  #timingAfter: Timing | undefined
  #slot: LiveSlot
  #overrides = NO_OVERRIDES
  #sealDelayMs = 0
  #stalledTicks = 0
  #plannedWithdrawal: WithdrawnFate | undefined
  #latestWithdrawal: MadeWithdrawal | undefined
  #travelledMs = 0

  private constructor(deps: LiveBlockDeps, time: ChainTime, live: LiveBlock, slot: LiveSlot) {
    this.#deps = deps
    this.time = time
    this.live = live
    this.#slot = slot
    this.#timing = timingOf(deps)
    this.#nextTiming = this.#timing
  }

  /** Opens the block after the head and cuts its index 0. Time stands still until it is released. */
  static async open(deps: LiveBlockDeps): Promise<BlockProduction> {
    const startMs = startOf(deps)
    const live = await LiveBlock.open(deps, { timestamp: timestampOf(startMs, deps.spec) })
    const isManual = deps.spec.mode === 'manual'
    const time = new ChainTime(deps.clock, { startMs, running: !isManual, isManual })
    return new BlockProduction(deps, time, live, openingAt(startMs))
  }

  /**
   * Continues where an earlier run stopped. Time stands still until it is released.
   *
   * @throws {InvariantError} If the rebuilt live block differs from the stored one.
   */
  static async restore(deps: LiveBlockDeps, state: ProductionState, content: LiveContent): Promise<BlockProduction> {
    const live = await LiveBlock.restore(deps, content)
    const time = new ChainTime(deps.clock, {
      startMs: state.chainTimeMs,
      running: state.running,
      offsetMs: offsetOf(state, deps),
      isManual: deps.spec.mode === 'manual',
    })
    time.setSpeed(state.speed)
    // The stored live block may be one index ahead of the stored time.
    const production = new BlockProduction(deps, time, live, { ...state.slot, index: live.partial.index })
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
      ...(this.#deps.timestamps.mayRepeat && { sharesSeconds: true }),
    }
  }

  status(): ChainTimeStatus {
    const chainTimeMs = this.time.now()
    // While chain time stands still, the schedule is behind it.
    const heldMs = chainTimeMs - this.time.scheduleNow()
    return {
      paused: !this.time.running || this.automine,
      speed: this.time.speed,
      timing: this.#timing,
      nextTiming: this.#nextTiming,
      chainTimeMs,
      sealsAtMs: this.#sealsAtMs() + heldMs,
      nextTickAtMs: this.nextTickAtMs() + heldMs,
      stalledTicks: this.#stalledTicks,
      plannedWithdrawal: this.#plannedWithdrawal,
      latestWithdrawal: this.#latestWithdrawal,
      sealDelayMs: this.#sealDelayMs,
      sharesSeconds: this.#deps.timestamps.mayRepeat,
      timestampIntervalSeconds: this.#overrides.intervalSeconds,
      travelledMs: this.#travelledMs,
    }
  }

  /** The next step of the grid. After the last step it is the seal, including its delay. */
  nextTickAtMs(): number {
    const next = nextTickAtMs(this.#slot, this.#timing)
    return next >= this.#slot.openedAtMs + blockMs(this.#timing) ? Math.max(next, this.#sealsAtMs()) : next
  }

  /**
   * Changes the timing of the live block and of all later ones. What the live block has of it is counted from its start.
   * While time stands still, a block that holds nothing starts anew.
   */
  async setTiming(change: Partial<Timing>): Promise<void> {
    if (this.#timingAfter) {
      this.#timingAfter = { ...this.#timingAfter, ...change }
      return
    }
    const timing = { ...this.#nextTiming, ...change }
    const isSame = [this.#timing, this.#nextTiming].every((each) => isSameTiming(each, timing))
    this.#nextTiming = timing
    if (isSame && this.time.ticking) return
    const { isUntouched, partial } = this.live
    if (isUntouched || partial.index >= timing.partialsPerBlock) return this.openNext({ timing })
    // The header keeps the timestamp that the old timing gave it.
    this.#slot = regridded(this.#slot, timing)
    this.#timing = timing
  }

  /** Whether automine is on: each transaction is sealed at once in a block of its own, and no ticks are due. */
  get automine(): boolean {
    return this.#timingAfter !== undefined
  }

  /** Whether what is sent waits for the seal of a block by the clock: it has no more partial blocks than it must. */
  get fillsAtSeal(): boolean {
    const { partialsPerBlock } = this.#timing
    return (
      this.#deps.fillsAtSeal === true &&
      partialsPerBlock === Math.ceil(blockMs(this.#timing) / OPTION_RANGES.partialMs.max)
    )
  }

  /** Seals the live block with the pool's ready transactions, then opens a block with the new mode's timing. */
  async setAutomine(enabled: boolean): Promise<void> {
    if (enabled === this.automine) return
    if (!this.#deps.minesAll || !this.live.isUntouched) await this.fill()
    const before = this.#timingAfter
    this.#timingAfter = before ? undefined : this.#nextTiming
    this.#nextTiming = before ?? AT_ONCE
    await this.openNext({ timing: this.#nextTiming, anew: true })
  }

  /**
   * Seals blocks with a transaction and its sender's earlier ones, if it can be executed.
   *
   * @param alsoTake - As in {@link TxPool.bestUpTo}.
   */
  async mine(tx: Transaction, alsoTake: (tx: Transaction) => boolean): Promise<void> {
    const { mempool } = this.#deps
    const isStale = () => this.live.partial.header.timestamp < Math.floor(this.time.scheduleNow() / 1000)
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
        this.#deps.minesAll ? undefined : mempool.sourceFor(tx, alsoTake),
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

  /**
   * Follows a step of the clock of the day. Comes before every operation. A live block that holds nothing gets a timestamp
   * of the new time.
   */
  async follow(): Promise<void> {
    const byMs = this.time.follow()
    this.#move(byMs)
    if (byMs < 0) {
      const back = `the clock of this machine was set back by ${Math.round(-byMs / 1000)} s`
      this.#deps.log(`${back}: the chain's time stands still until it is right again`)
    }
    if (byMs > 0 && this.live.isUntouched) await this.openNext()
  }

  /** Does what is due: cuts the next partial block, or seals the block and cuts the first one of its successor. */
  async tick(): Promise<void> {
    const plan = planTick(this.time.scheduleNow(), this.#slot, this.#timing, this.#sealDelayMs)
    const paused = this.#stalledTicks > 0
    if (paused) this.#stalledTicks--
    const { fillsAtSeal } = this
    if (fillsAtSeal && !paused && plan.kind === 'seal') await this.fill(this.#tickBudgetMs)
    // A tick that withdraws pre-confirms nothing. Otherwise it would pick up the requeued transactions again at once.
    const stalled = this.withdrawIfDue() !== undefined || paused || fillsAtSeal
    if (plan.kind === 'seal') {
      this.#move(this.time.catchUp())
      const onTime = { ...this.#slot, openedAtMs: this.#slot.openedAtMs + this.#sealDelayMs }
      await this.#seal(nextOpening(this.time.scheduleNow(), onTime, this.#timing))
      if (stalled) this.live.announce()
      else await this.#extendFirst()
    } else if (stalled) {
      this.#slot = { ...plan.slot, index: this.#slot.index }
    } else {
      const before = this.#slot
      this.#slot = plan.slot
      try {
        await this.live.extend(plan.slot.index, this.#gasShare(plan.slot.index), false, this.#tickBudgetMs)
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
      await this.live.extend(0, this.#gasShare(0), true, this.#tickBudgetMs)
    } catch (error) {
      this.live.announce()
      throw error
    }
  }

  /**
   * Fills the live block with everything the pool has ready, ignoring the gas share of the index. It must be sealed next.
   *
   * @param budgetMs - As in {@link LiveBlock.extend}; by default without a limit.
   */
  async fill(budgetMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { index, header } = this.live.partial
    await this.live.extend(index, header.gasLimit, false, budgetMs, true)
  }

  /**
   * Seals the live block now, whatever the schedule says. The next block takes over the rest of its slot, so that ticks and
   * seals stay where they are. On a manual clock chain time jumps to the scheduled seal.
   *
   * @param anew - Whether the next block starts a slot of its own.
   */
  async sealNow(anew: boolean = false): Promise<void> {
    this.#sealDelayMs = 0
    if (this.#isByHand) this.time.advanceTo(this.#sealsAtMs())
    await this.#seal(this.#placeNow(this.#nextTiming, anew))
    this.live.announce()
  }

  /** Withdraws the newest partial blocks. The block's remaining ticks continue from the index before them. */
  drop(count: number, fate: WithdrawnFate) {
    const withdrawn = this.live.drop(count, fate)
    this.#slot = { ...this.#slot, index: this.live.partial.index }
    return withdrawn
  }

  /** As `Sequencer.withdrawNext`. */
  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): MadeWithdrawal | undefined {
    this.#plannedWithdrawal = fate
    return this.withdrawIfDue(prefer)
  }

  /**
   * Carries out the planned withdrawal if the live block holds transactions. Comes before every seal, except one that
   * an earlier run has already written down.
   */
  withdrawIfDue(prefer: ReadonlySet<Hash> = new Set()): MadeWithdrawal | undefined {
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
  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    return this.#reorg(depth, fate, false)
  }

  async #reorg(depth: number, fate: WithdrawnFate, anew: boolean): Promise<readonly SealedBlock[]> {
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
    const slot = this.#placeNow(timing, anew)
    this.#overrides = renewed(this.#overrides)
    const { overrides, left } = this.#overridesFor(slot, timing, parent.header.timestamp)
    return this.live.reorg(depth, overrides, fate, () => this.#openAt(slot, timing, left))
  }

  save(): SavedProduction {
    return { ...this.live.snapshot(), ...this.#timeState() }
  }

  restore(saved: SavedProduction): void {
    const { timing, chainTimeMs } = saved
    const place = this.#placeNow(timing, false)
    const backMs = chainTimeMs - this.time.scheduleNow()
    this.live.restore(saved)
    this.#slot = this.#keepsGrid ? { ...shifted(place, backMs), index: saved.slot.index } : saved.slot
    this.#timing = timing
    this.#overrides = saved.overrides
    this.#travelledMs = saved.travelledMs
    this.#sealDelayMs = 0
    this.time.set(chainTimeMs, offsetOf(saved, this.#deps))
  }

  /** Starts over from a snapshot. */
  resetTo(saved: SavedProduction): void {
    this.#forgetFaults()
    this.restore(saved)
  }

  /** Faults and timing are those of a new chain. */
  #forgetFaults(): void {
    this.#deps.timestamps.mayRepeat = this.#deps.spec.allowSameTimestamp
    this.#stalledTicks = 0
    this.#plannedWithdrawal = undefined
    this.#latestWithdrawal = undefined
    if (this.#timingAfter) this.#timingAfter = timingOf(this.#deps)
    else this.#nextTiming = timingOf(this.#deps)
  }

  /** Starts over from the first block. */
  async reset(): Promise<void> {
    const { mempool, store } = this.#deps
    this.#overrides = NO_OVERRIDES
    this.#forgetFaults()
    this.#travelledMs = 0
    this.time.set(startOf(this.#deps))
    mempool.discard(mempool.reader.transactions(), 'the chain was reset')
    await this.#reorg(store.head().header.number - store.first().header.number, 'lose', true)
  }

  /**
   * Advances chain time by `ms`, and the schedule with it, and opens a block there. Does nothing if `ms` is not above 0.
   *
   * @param byMs - As in `ChainTime.advance`.
   * @throws {ControlRefusedError} `too-late`.
   */
  async travel(ms: number, byMs?: number): Promise<void> {
    if (ms <= 0) return
    this.advance(ms, byMs)
    await this.openNext()
  }

  /** Advances chain time to `ms` and opens a block there. Does nothing if chain time is already that late. */
  async travelTo(ms: number): Promise<void> {
    if (ms > this.time.now()) await this.travel(ms - this.time.scheduleNow())
  }

  /**
   * Advances chain time for the next block.
   *
   * @param byMs - As in `ChainTime.advance`.
   * @throws {ControlRefusedError} `too-late`.
   */
  advance(ms: number, byMs?: number): void {
    if (ms <= 0) return
    const toMs = this.time.scheduleNow() + ms
    requireInTime(toMs / 1000)
    const isHeld = this.time.now() > this.time.scheduleNow()
    this.#travelledMs += isHeld && byMs !== undefined ? byMs : Math.max(0, toMs - this.time.now())
    if (this.#keepsGrid) this.#slot = shifted(this.#slot, ms)
    this.time.advance(ms, byMs)
  }

  /** Parent timestamp of the block that {@link openNext} opens, and when its seal would be due. */
  coming(): { readonly parentTimestamp: number; readonly sealsAtMs: number } {
    const { isUntouched, partial } = this.live
    const timing = isUntouched ? this.#timing : this.#nextTiming
    const { openedAtMs } = this.#placeNow(timing, false)
    return {
      parentTimestamp: (isUntouched ? this.#deps.store.head() : partial).header.timestamp,
      sealsAtMs: Math.max(openedAtMs + blockMs(timing), this.time.scheduleNow()),
    }
  }

  /** Overrides header fields of the next block. Adds to earlier overrides. */
  overrideNext(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, next: { ...this.#overrides.next, ...overrides } }
  }

  /** Overrides header fields of every block opened from now on. */
  overrideAlways(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, lasting: { ...this.#overrides.lasting, ...overrides } }
  }

  /** @param seconds - 0 lets blocks have their parent's timestamp from now on. */
  setTimestampInterval(seconds: number | undefined): void {
    if (seconds === 0) this.#deps.timestamps.mayRepeat = true
    this.#overrides = { ...withoutTimestamp(this.#overrides), intervalSeconds: seconds }
  }

  /** Drops timestamp overrides: the schedule sets the timestamps of the live block and the next one. */
  forgetTimestamp(): void {
    this.#overrides = withoutTimestamp(this.#overrides)
  }

  /**
   * Applies pending overrides: reopens the live block if it is empty, otherwise seals it and opens the next. Ticks and seals
   * stay where they are.
   *
   * @param timing - Of the live block, if it is reopened.
   * @param anew - Whether it starts a slot of its own.
   */
  async openNext({ timing = this.#timing, anew = false } = {}): Promise<void> {
    if (!this.live.isUntouched) {
      this.withdrawIfDue()
      await this.sealNow(anew)
      return
    }
    const slot = this.#placeNow(timing, anew)
    this.#overrides = renewed(this.#overrides)
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

  /** Whether ticks come by the clock: then their grid stays where it is, whatever is done to the chain. */
  get #keepsGrid(): boolean {
    return this.time.ticking && !this.automine
  }

  /** Whether the chain has a manual clock, and it stands still. */
  get #isByHand(): boolean {
    return this.#deps.spec.mode === 'manual' && !this.time.ticking
  }

  /** On a manual clock a tick has all the time that it needs: its blocks must not depend on the machine. */
  get #tickBudgetMs(): number {
    return this.#isByHand ? Number.POSITIVE_INFINITY : this.#deps.spec.tickBudgetMs
  }

  /** The slot of a block that opens now, out of turn. */
  #placeNow(timing: Timing, anew: boolean): LiveSlot {
    return this.#keepsGrid && !anew ? takenOver(this.#slot, timing) : openingAt(this.time.scheduleNow())
  }

  /** Moves the slot along with the schedule's time. */
  #move(ms: number): void {
    if (ms !== 0) this.#slot = shifted(this.#slot, ms)
  }

  #timeState(): TimeState {
    return {
      slot: { ...this.#slot, index: this.live.partial.index },
      timing: this.#timing,
      overrides: this.#overrides,
      chainTimeMs: this.time.scheduleNow(),
      offsetMs: this.time.offsetMs,
      travelledMs: this.#travelledMs,
    }
  }

  #sealsAtMs(): number {
    return this.#slot.openedAtMs + blockMs(this.#timing) + this.#sealDelayMs
  }

  #gasShare(index: number): bigint {
    const { partialsPerBlock } = this.#timing
    return (
      (this.live.partial.header.gasLimit * BigInt(Math.min(index + 1, partialsPerBlock))) / BigInt(partialsPerBlock)
    )
  }

  /** Header fields of a block that opens at `slot`, and the overrides that remain for later blocks. */
  #overridesFor(slot: LiveSlot, timing: Timing, parentTimestamp: number) {
    // A block that takes over an overdue slot gets no timestamp in the past.
    const scheduled = Math.max(timestampOf(slot.openedAtMs, timing), Math.floor(this.time.scheduleNow() / 1000))
    return applyOverrides(this.#overrides, scheduled, parentTimestamp)
  }
}

function timingOf({ spec: { partialMs, partialsPerBlock } }: LiveBlockDeps): Timing {
  return { partialMs, partialsPerBlock }
}

/** The start of chain time, in milliseconds since the Unix epoch. */
function startOf({ spec, store, clock, fork }: LiveBlockDeps): number {
  const now = { now: () => clock.wallNow() }
  return startMsAfter(store.first().header.timestamp, spec, now, fork !== undefined)
}

/** As far as a stored chain's time was ahead of the clock of the day on purpose; older builds did not store that. */
function offsetOf({ offsetMs, chainTimeMs }: TimeState, { clock }: LiveBlockDeps): number {
  return offsetMs ?? Math.max(0, chainTimeMs - clock.wallNow())
}

function isSameTiming(one: Timing, other: Timing): boolean {
  return one.partialMs === other.partialMs && one.partialsPerBlock === other.partialsPerBlock
}
