import type { Cancel } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Address } from '#primitives/hex.ts'
import type { PartialBlock } from '../payload/block.ts'
import { type BuilderDeps, PayloadBuilder, sealPartial } from '../payload/payload-builder.ts'
import type { ChainStore } from '../storage/chain-store.ts'
import type { TxPool } from '../txpool/txpool.ts'
import { ChainTime } from './chain-time.ts'
import type { SequencerControl } from './control.ts'
import type { ChainEvents } from './events.ts'
import { blockMs, type LiveSlot, nextOpening, nextTickAtMs, planTick, timestampOf } from './schedule.ts'

export interface SequencerDeps extends BuilderDeps {
  readonly store: ChainStore
  readonly pool: TxPool
  readonly events: Emitter<ChainEvents>
  /** Takes what only a developer of the node needs to know. */
  readonly log: (message: string, details?: unknown) => void
}

/** Turns time into blocks: one tick after the other, none at the same time as anything else that changes the chain. */
export class Sequencer implements SequencerControl {
  readonly #deps: SequencerDeps
  readonly #time: ChainTime
  #builder: PayloadBuilder
  #slot: LiveSlot
  #cancelTimer: Cancel | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #closed = false

  private constructor(deps: SequencerDeps, time: ChainTime, builder: PayloadBuilder, slot: LiveSlot) {
    this.#deps = deps
    this.#time = time
    this.#builder = builder
    this.#slot = slot
  }

  /** Opens the block after the head and cuts its index 0; call {@link start} to let time pass. */
  static async open(deps: SequencerDeps): Promise<Sequencer> {
    const { store, spec, clock } = deps
    const head = store.head()
    const openedAtMs = spec.mode === 'manual' ? head.header.timestamp * 1000 : clock.now()
    const builder = await PayloadBuilder.open(deps, head, timestampOf(openedAtMs, spec))
    store.setPending(builder.cut(0, undefined, clock.now()))
    const time = new ChainTime(clock, openedAtMs, false)
    return new Sequencer(deps, time, builder, { openedAtMs, index: 0, dueAtMs: openedAtMs })
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

  time() {
    const { spec } = this.#deps
    return {
      paused: !this.#time.running,
      speed: this.#time.speed,
      chainTimeMs: this.#time.now(),
      sealsAtMs: this.#slot.openedAtMs + blockMs(spec),
      nextTickAtMs: nextTickAtMs(this.#slot, spec),
    }
  }

  tick(n: number): Promise<PartialBlock> {
    return this.#exclusively(async () => {
      for (let i = 0; i < n && !this.#closed; i++) {
        this.#time.advanceTo(nextTickAtMs(this.#slot, this.#deps.spec))
        await this.#runTick()
        await this.#deps.clock.yield()
      }
      if (this.#time.running) this.#arm()
      return this.#deps.store.pending()
    })
  }

  /** Adds wei to an account and cuts the live block's present index anew; resolves with the new balance. */
  faucet(address: Address, wei: bigint): Promise<bigint> {
    return this.#exclusively(async () => {
      const { store, clock } = this.#deps
      const startedAt = clock.now()
      this.#builder.credit(address, wei)
      this.#publish(this.#builder.cut(this.#slot.index, store.pending(), startedAt))
      return store.pending().state.account(address)?.balance ?? 0n
    })
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => undefined)
    return result
  }

  #arm(): void {
    this.#cancelTimer?.()
    const { clock, spec } = this.#deps
    const delay = this.#time.delayUntil(nextTickAtMs(this.#slot, spec))
    this.#cancelTimer = clock.schedule(() => this.#onTimer(), delay)
  }

  #onTimer(): Promise<void> {
    return this.#exclusively(async () => {
      if (!this.#time.running || this.#closed) return
      // A timer may fire early: then there is nothing to do yet.
      if (this.#time.now() >= nextTickAtMs(this.#slot, this.#deps.spec)) await this.#runTick()
      if (this.#time.running && !this.#closed) this.#arm()
    })
  }

  async #runTick(): Promise<void> {
    const { spec, store, pool, clock, events, log } = this.#deps
    const startedAt = clock.now()
    const plan = planTick(this.#time.now(), this.#slot, spec)
    const previous = plan.kind === 'cut' ? store.pending() : undefined
    if (plan.kind === 'cut') this.#slot = plan.slot
    else await this.#seal(startedAt)
    const dropped = await this.#builder.extend(this.#slot.index, pool)
    this.#publish(this.#builder.cut(this.#slot.index, previous, startedAt))
    for (const { tx, reason, cause } of dropped) {
      if (cause !== undefined) log(`transaction ${tx.hash} dropped: ${reason}`, cause)
      events.emit('dropped', { tx, reason })
    }
  }

  /** Seals the live block and opens the next one, so that `latest` moves before anything more is executed. */
  async #seal(startedAt: number): Promise<void> {
    const { spec, store, events } = this.#deps
    const block = sealPartial(store.pending())
    this.#time.catchUp()
    const slot = nextOpening(this.#time.now(), this.#slot, spec)
    this.#builder = await PayloadBuilder.open(this.#deps, block, timestampOf(slot.openedAtMs, spec), this.#builder)
    this.#slot = slot
    store.seal(block, this.#builder.cut(0, undefined, startedAt))
    events.emit('seal', { block })
  }

  #publish(partial: PartialBlock): void {
    const { store, pool, events } = this.#deps
    store.setPending(partial)
    for (const { tx, reason } of pool.settle()) events.emit('dropped', { tx, reason })
    events.emit('partial', { partial })
  }
}
