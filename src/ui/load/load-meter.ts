import type { Address } from '#primitives/hex.ts'
import type { FeedBlockTransaction, FeedState, PartialSlot } from '#ui/feed/feed-state.ts'

/** Counts of some senders' transactions in a step of the chain, or their rates per second. */
export interface LoadCounts {
  readonly sent: number
  readonly preconfirmed: number
  readonly sealed: number
  readonly reverted: number
}

export const NO_COUNTS: LoadCounts = { sent: 0, preconfirmed: 0, sealed: 0, reverted: 0 }

/** Counts new transactions between two states of the feed. A withdrawn one counts again when it is included again. */
export function countStep(
  before: FeedState,
  after: FeedState,
  senders: ReadonlySet<Address>,
): Omit<LoadCounts, 'sent'> {
  const isLoad = ({ from }: FeedBlockTransaction) => senders.has(from)
  const fresh = freshTransactions(before, after).filter(isLoad)
  const head = before.sealed[0]?.number ?? Number.POSITIVE_INFINITY
  const sealed = after.sealed
    .filter(({ number }) => number > head)
    .reduce((sum, { slots }) => sum + (slots?.flatMap((slot) => slot.transactions).filter(isLoad).length ?? 0), 0)
  return { preconfirmed: fresh.length, reverted: fresh.filter(({ reverted }) => reverted).length, sealed }
}

function freshTransactions(before: FeedState, after: FeedState): readonly FeedBlockTransaction[] {
  if (!after.live || after.live === before.live) return []
  const known = new Map<number, PartialSlot>()
  if (before.live?.number === after.live.number) for (const slot of before.live.slots) known.set(slot.index, slot)
  return after.live.slots.flatMap((slot) => slot.transactions.slice(known.get(slot.index)?.transactions.length ?? 0))
}

const WINDOW_MS = 4_000

/** Rates over the last seconds. */
export class LoadMeter {
  readonly #steps: { readonly atMs: number; readonly counts: LoadCounts }[] = []
  readonly #startedAtMs: number

  constructor(nowMs: number) {
    this.#startedAtMs = nowMs
  }

  add(atMs: number, counts: Partial<LoadCounts>): void {
    this.#steps.push({ atMs, counts: { ...NO_COUNTS, ...counts } })
  }

  /** Rates per second over the window or, at the start, the time so far. */
  ratesAt(nowMs: number): LoadCounts {
    while (this.#steps[0] && this.#steps[0].atMs < nowMs - WINDOW_MS) this.#steps.shift()
    const seconds = Math.min(WINDOW_MS, Math.max(1_000, nowMs - this.#startedAtMs)) / 1_000
    const sum = (name: keyof LoadCounts) => this.#steps.reduce((total, { counts }) => total + counts[name], 0) / seconds
    return { sent: sum('sent'), preconfirmed: sum('preconfirmed'), sealed: sum('sealed'), reverted: sum('reverted') }
  }
}
