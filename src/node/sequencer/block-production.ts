import type { Hash } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/devnet.ts'
import type { SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
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
  type Timing,
  timestampOf,
} from './schedule.ts'

/**
 * The live block in chain time: when its ticks and its seal are due, and what the next header is to have. Its owner calls
 * when something is due, and sees to it that one operation ends before the next begins.
 */
export class BlockProduction {
  readonly time: ChainTime
  readonly live: LiveBlock
  readonly #deps: LiveBlockDeps
  #timing: Timing
  #nextTiming: Timing
  /** The timing that holds again when automine ends; `undefined` while it is off. */
  #timingAfter: Timing | undefined
  #slot: LiveSlot
  #overrides = NO_OVERRIDES
  #sealDelayMs = 0
  #stalledTicks = 0
  #plannedWithdrawal: WithdrawnFate | undefined
  #latestWithdrawal: Withdrawal | undefined
  #travelledMs = 0

  private constructor(deps: LiveBlockDeps, time: ChainTime, live: LiveBlock, slot: LiveSlot) {
    this.#deps = deps
    this.time = time
    this.live = live
    this.#slot = slot
    this.#timing = timingOf(deps)
    this.#nextTiming = this.#timing
  }

  /** Opens the block after the head and cuts its index 0; time stands still. */
  static async open(deps: LiveBlockDeps): Promise<BlockProduction> {
    const startMs = startOf(deps)
    const live = await LiveBlock.open(deps, { timestamp: timestampOf(startMs, deps.spec) })
    return new BlockProduction(deps, new ChainTime(deps.clock, startMs, false), live, openingAt(startMs))
  }

  /**
   * Goes on where an earlier run has stopped; time stands still.
   *
   * @throws {InvariantError} If the live block does not become what it was.
   */
  static async restore(deps: LiveBlockDeps, state: ProductionState, content: LiveContent): Promise<BlockProduction> {
    const live = await LiveBlock.restore(deps, content)
    const time = new ChainTime(deps.clock, state.chainTimeMs, false)
    time.setSpeed(state.speed)
    // What was written may be one index ahead of the time that was written with it.
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

  /** The input of {@link restore}, as of the newest partial block. */
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

  /** The next step of the grid, but after the last one the seal, however late it was asked to be. */
  nextTickAtMs(): number {
    const next = nextTickAtMs(this.#slot, this.#timing)
    return next >= this.#slot.openedAtMs + blockMs(this.#timing) ? Math.max(next, this.#sealsAtMs()) : next
  }

  setTiming(timing: Partial<Timing>): void {
    if (this.#timingAfter) this.#timingAfter = { ...this.#timingAfter, ...timing }
    else this.#nextTiming = { ...this.#nextTiming, ...timing }
  }

  /** Whether each transaction has a block of its own, which is sealed at once, and no tick is due. */
  get automine(): boolean {
    return this.#timingAfter !== undefined
  }

  /** Seals what there is, the pool's ready transactions included, and opens a block for the other way of sealing. */
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
   * Seals a block with a transaction and those of its sender that come before it, if it can be executed.
   *
   * @param goesOn - As in {@link TxPool.bestUpTo}.
   */
  async mine(tx: Transaction, goesOn: (tx: Transaction) => boolean): Promise<void> {
    const { mempool } = this.#deps
    const isStale = () => this.live.partial.header.timestamp < Math.floor(this.time.now() / 1000)
    if (this.live.isUntouched && isStale()) await this.openNext()
    // Those before it may fill more than one block.
    for (;;) {
      const { index, header } = this.live.partial
      if (!mempool.isReady(tx, header.baseFeePerGas)) return
      await this.live.extend(
        index,
        header.gasLimit,
        false,
        Number.POSITIVE_INFINITY,
        false,
        mempool.sourceFor(tx, goesOn),
      )
      // What was withdrawn is executed once more, unless it was to be lost.
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
    // A tick that withdraws pre-confirms nothing: what went back to the mempool would come again in the same moment.
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
        // The index is still to be cut.
        this.#slot = { ...before, index: this.live.partial.index }
        throw error
      }
    }
  }

  /** Fills index 0 of a block that has just opened; if that fails, the block is announced as it is, empty. */
  async #extendFirst(): Promise<void> {
    try {
      await this.live.extend(0, this.#gasShare(0), true)
    } catch (error) {
      this.live.announce()
      throw error
    }
  }

  /** Fills the live block with all that the pool has ready, whatever the share of the present index and a tick's time; {@link sealNow} follows. */
  async fill(): Promise<void> {
    const { index, header } = this.live.partial
    await this.live.extend(index, header.gasLimit, false, Number.POSITIVE_INFINITY, true)
  }

  /** Seals the live block before its time, or after the time that a person has skipped. */
  async sealNow(): Promise<void> {
    this.#sealDelayMs = 0
    if (this.#deps.spec.mode === 'manual') this.time.advanceTo(this.#sealsAtMs())
    await this.#seal(openingAt(this.time.now()))
    this.live.announce()
  }

  /** Withdraws the newest partial blocks; the ticks that are left follow on what is left. */
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

  /** Does the planned withdrawal if the live block holds transactions. Precedes every seal but the one that an earlier run has promised. */
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
      throw new ControlRefusedError('too-deep', `reorg of ${depth} blocks, but the chain has ${height} above block 0`)
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

  /** Starts over from block 0. */
  async reset(): Promise<void> {
    const { mempool, store } = this.#deps
    this.#overrides = NO_OVERRIDES
    this.#stalledTicks = 0
    this.#plannedWithdrawal = undefined
    this.#latestWithdrawal = undefined
    this.#travelledMs = 0
    if (this.#timingAfter) this.#timingAfter = timingOf(this.#deps)
    else this.#nextTiming = timingOf(this.#deps)
    this.time.set(startOf(this.#deps))
    mempool.discard(mempool.reader.transactions(), 'the chain was reset')
    await this.reorg(store.head().header.number, 'lose')
  }

  /** Moves chain time on and opens a block there; nothing to do where it is that late already. */
  async travel(toMs: number): Promise<void> {
    if (toMs <= this.time.now()) return
    this.advanceTo(toMs)
    await this.openNext()
  }

  /** Moves chain time on, for the block that opens next. */
  advanceTo(ms: number): void {
    this.#travelledMs += Math.max(0, ms - this.time.now())
    this.time.advanceTo(ms)
  }

  /** Parent and options of the block that {@link openNext} opens. */
  coming(): { readonly parentTimestamp: number; readonly timing: Timing } {
    if (this.live.isUntouched) {
      return { parentTimestamp: this.#deps.store.head().header.timestamp, timing: this.#timing }
    }
    return { parentTimestamp: this.live.partial.header.timestamp, timing: this.#nextTiming }
  }

  /** Overrides header fields of the next block that opens, in addition to earlier overrides. */
  overrideNext(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, next: { ...this.#overrides.next, ...overrides } }
  }

  /** Overrides header fields of every block that opens. */
  overrideAlways(overrides: NextHeader): void {
    this.#overrides = { ...this.#overrides, lasting: { ...this.#overrides.lasting, ...overrides } }
  }

  setTimestampInterval(seconds: number | undefined): void {
    this.#overrides = { ...withoutTimestamp(this.#overrides), intervalSeconds: seconds }
  }

  /** Leaves the timestamps of the live block and of the next one to the schedule. */
  forgetTimestamp(): void {
    this.#overrides = withoutTimestamp(this.#overrides)
  }

  /** Applies pending overrides: opens the live block anew while it is untouched, else seals it for the next one. */
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

  /** A block has opened; nobody may see it with the time of the one before. */
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

/** The start of chain time, in milliseconds since the Unix epoch: never before block 0. */
function startOf({ spec, store, clock }: LiveBlockDeps): number {
  const genesis = store.blockByNumber(0) ?? store.head()
  const genesisMs = genesis.header.timestamp * 1000
  return spec.mode === 'manual' ? genesisMs : Math.max(genesisMs, clock.now())
}

/** A block that opens at `ms`, off the grid of the one before. */
function openingAt(ms: number): LiveSlot {
  return { openedAtMs: ms, index: 0, dueAtMs: ms }
}
