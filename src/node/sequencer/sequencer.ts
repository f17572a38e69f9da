import type { Cancel } from '#primitives/clock.ts'
import type { Hex } from '#primitives/hex.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { HeaderWish } from '../payload/payload-builder.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import { ChainTime } from './chain-time.ts'
import type { SequencerControl } from './control.ts'
import { type ChainSnapshot, LiveBlock, type LiveBlockDeps, type WithdrawnFate } from './live-block.ts'
import { blockMs, type LiveSlot, nextOpening, nextTickAtMs, planTick, type Timing, timestampOf } from './schedule.ts'

/** What a development node asks of the header of the next block, whose time is otherwise the schedule's. */
export type NextHeader = Partial<HeaderWish>

interface SavedChain extends ChainSnapshot {
  readonly slot: LiveSlot
}

/** Turns time into blocks: one operation after the other, so that nothing else changes the chain at the same time. */
export class Sequencer implements SequencerControl {
  readonly #deps: LiveBlockDeps
  readonly #time: ChainTime
  readonly #live: LiveBlock
  readonly #saved = new Map<Hex, SavedChain>()
  #timing: Timing
  #nextTiming: Timing
  #slot: LiveSlot
  #next: NextHeader = {}
  #lasting: NextHeader = {}
  #sealDelayMs = 0
  #stalledTicks = 0
  #cancelTimer: Cancel | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #closed = false

  private constructor(deps: LiveBlockDeps, time: ChainTime, live: LiveBlock, slot: LiveSlot) {
    this.#deps = deps
    this.#time = time
    this.#live = live
    this.#slot = slot
    const { partialMs, partialsPerBlock } = deps.spec
    this.#timing = { partialMs, partialsPerBlock }
    this.#nextTiming = this.#timing
  }

  /** Opens the block after the head and cuts its index 0; call {@link start} to let time pass. */
  static async open(deps: LiveBlockDeps): Promise<Sequencer> {
    const { store, spec, clock } = deps
    const openedAtMs = spec.mode === 'manual' ? store.head().header.timestamp * 1000 : clock.now()
    const live = await LiveBlock.open(deps, { timestamp: timestampOf(openedAtMs, spec) })
    const time = new ChainTime(clock, openedAtMs, false)
    return new Sequencer(deps, time, live, { openedAtMs, index: 0, dueAtMs: openedAtMs })
  }

  /** Lets the clock drive the chain, unless its mode is `manual`. */
  start(): void {
    if (this.#deps.spec.mode === 'auto') this.resume()
  }

  /** No more ticks; what is under way is finished. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer?.()
    await this.#queue
  }

  pause(): void {
    this.#time.stop()
    this.#cancelTimer?.()
  }

  resume(): void {
    if (this.#closed) return
    this.#time.start()
    this.#arm()
  }

  setSpeed(factor: number): void {
    this.#time.setSpeed(factor)
    if (this.#time.running) this.#arm()
  }

  setTiming(timing: Partial<Timing>): void {
    this.#nextTiming = { ...this.#nextTiming, ...timing }
  }

  time() {
    return {
      paused: !this.#time.running,
      speed: this.#time.speed,
      timing: this.#timing,
      chainTimeMs: this.#time.now(),
      sealsAtMs: this.#sealsAtMs(),
      nextTickAtMs: this.#nextTickAtMs(),
      stalledTicks: this.#stalledTicks,
      sealDelayMs: this.#sealDelayMs,
    }
  }

  tick(n: number): Promise<PartialBlock> {
    return this.#exclusively(async () => {
      for (let i = 0; i < n && !this.#closed; i++) {
        this.#time.advanceTo(this.#nextTickAtMs())
        await this.#runTick()
        await this.#deps.clock.yield()
      }
      return this.#live.partial
    })
  }

  seal(n: number, intervalSeconds?: number): Promise<SealedBlock> {
    return this.#exclusively(async () => {
      const { spec, clock, store } = this.#deps
      for (let i = 0; i < n && !this.#closed; i++) {
        await this.#live.extend(this.#live.partial.index, spec.gasLimit, false)
        if (spec.mode === 'manual') this.#time.advanceTo(this.#sealsAtMs())
        if (intervalSeconds !== undefined && i + 1 < n) {
          this.#next = { ...this.#next, timestamp: this.#live.partial.header.timestamp + intervalSeconds }
        }
        await this.#seal(this.#time.now())
        await clock.yield()
      }
      return store.head()
    })
  }

  edit<Result>(change: (state: WorldState) => Result): Promise<Result> {
    return this.#exclusively(async () => this.#live.edit(change))
  }

  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]> {
    return this.#exclusively(async () => {
      const withdrawn = this.#live.drop(count, fate)
      this.#slot = { ...this.#slot, index: this.#live.partial.index }
      return withdrawn
    })
  }

  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    return this.#exclusively(async () => {
      const openedAtMs = this.#time.now()
      this.#slot = { openedAtMs, index: 0, dueAtMs: openedAtMs }
      return this.#live.reorg(depth, this.#takeWish(openedAtMs), fate)
    })
  }

  stallPartialBlocks(ticks: number): void {
    this.#stalledTicks = ticks
  }

  delaySeal(ms: number): void {
    this.#sealDelayMs = ms
    if (this.#time.running) this.#arm()
  }

  snapshot(): Promise<Hex> {
    return this.#exclusively(async () => {
      const id: Hex = `0x${(this.#saved.size + 1).toString(16)}`
      this.#saved.set(id, { ...this.#live.snapshot(), slot: this.#slot })
      return id
    })
  }

  revertTo(id: Hex): Promise<boolean> {
    return this.#exclusively(async () => {
      const saved = this.#saved.get(id)
      if (!saved) return false
      this.#live.restore(saved)
      this.#slot = saved.slot
      let later = false
      for (const key of [...this.#saved.keys()]) {
        later ||= key === id
        if (later) this.#saved.delete(key)
      }
      return true
    })
  }

  travelTo(chainTimeMs: number): Promise<void> {
    return this.#exclusively(async () => {
      this.#time.advanceTo(chainTimeMs)
      await this.#openNext()
    })
  }

  setNextHeader(wish: NextHeader, lasting: boolean): Promise<void> {
    return this.#exclusively(async () => {
      if (lasting) this.#lasting = { ...this.#lasting, ...wish }
      else this.#next = { ...this.#next, ...wish }
      await this.#openNext()
    })
  }

  /** Brings what was wished for into the live block: opened anew while it is empty, else sealed for the next one. */
  async #openNext(): Promise<void> {
    const now = this.#time.now()
    if (this.#live.partial.transactions.length > 0) {
      await this.#seal(now)
      return
    }
    this.#slot = { openedAtMs: now, index: 0, dueAtMs: now }
    await this.#live.reopen(this.#takeWish(now))
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(async () => {
      try {
        return await work()
      } finally {
        if (this.#time.running && !this.#closed) this.#arm()
      }
    })
    this.#queue = result.catch(() => undefined)
    return result
  }

  #arm(): void {
    this.#cancelTimer?.()
    const delay = this.#time.delayUntil(this.#nextTickAtMs())
    this.#cancelTimer = this.#deps.clock.schedule(() => this.#exclusively(() => this.#onTimer()), delay)
  }

  async #onTimer(): Promise<void> {
    // A timer may fire early, or after a pause: then there is nothing to do yet.
    if (!this.#time.running || this.#closed || this.#time.now() < this.#nextTickAtMs()) return
    await this.#runTick()
  }

  #sealsAtMs(): number {
    return this.#slot.openedAtMs + blockMs(this.#timing) + this.#sealDelayMs
  }

  /** The next step of the grid, but after the last one the seal, however late it was asked to be. */
  #nextTickAtMs(): number {
    const next = nextTickAtMs(this.#slot, this.#timing)
    return next >= this.#slot.openedAtMs + blockMs(this.#timing) ? Math.max(next, this.#sealsAtMs()) : next
  }

  async #runTick(): Promise<void> {
    const plan = planTick(this.#time.now(), this.#slot, this.#timing)
    if (plan.kind === 'seal') {
      this.#time.catchUp()
      await this.#seal(this.#time.now())
      await this.#live.extend(0, this.#gasShare(0), true)
    } else if (this.#stalledTicks > 0) {
      this.#stalledTicks--
      this.#slot = { ...plan.slot, index: this.#slot.index }
    } else {
      this.#slot = plan.slot
      await this.#live.extend(plan.slot.index, this.#gasShare(plan.slot.index), false)
    }
  }

  #gasShare(index: number): bigint {
    return (this.#live.partial.header.gasLimit * BigInt(index + 1)) / BigInt(this.#timing.partialsPerBlock)
  }

  async #seal(nowMs: number): Promise<void> {
    const early = nowMs < this.#slot.openedAtMs + blockMs(this.#timing)
    const onTime = { ...this.#slot, openedAtMs: this.#slot.openedAtMs + this.#sealDelayMs }
    const slot = early ? { openedAtMs: nowMs, index: 0, dueAtMs: nowMs } : nextOpening(nowMs, onTime, this.#timing)
    this.#timing = this.#nextTiming
    this.#sealDelayMs = 0
    await this.#live.seal(this.#takeWish(slot.openedAtMs))
    this.#slot = slot
  }

  /** What the header of a block that opens at `openedAtMs` should have; wishes for one block are used up. */
  #takeWish(openedAtMs: number): HeaderWish {
    const wish = { timestamp: timestampOf(openedAtMs, this.#timing), ...this.#lasting, ...this.#next }
    this.#next = {}
    return wish
  }
}
