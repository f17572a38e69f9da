/** How often something may be done. */
export interface Rate {
  /** On average. */
  readonly perSecond: number
  /** At once, after a pause. */
  readonly burst: number
}

interface Bucket {
  left: number
  /** When `left` was right. */
  at: number
}

/** One holder's token buckets, one for each kind of action. Times are milliseconds of a clock. */
export class Allowance<Kind extends string> {
  readonly #rates: Readonly<Record<Kind, Rate>>
  /** Full ones are left out. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(rates: Readonly<Record<Kind, Rate>>) {
    this.#rates = rates
  }

  /** Milliseconds until it may be done once more; 0: at once. */
  waitMs(kind: Kind, now: number): number {
    const { left } = this.#at(kind, now)
    return left >= 1 ? 0 : Math.ceil(((1 - left) / this.#rates[kind].perSecond) * 1_000)
  }

  /** Counts one, whether there is one left or not. */
  take(kind: Kind, now: number): void {
    const bucket = this.#at(kind, now)
    this.#buckets.set(kind, { left: Math.max(0, bucket.left - 1), at: now })
  }

  #at(kind: Kind, now: number): Bucket {
    const { perSecond, burst } = this.#rates[kind]
    const { left, at } = this.#buckets.get(kind) ?? { left: burst, at: now }
    return { left: Math.min(burst, left + ((now - at) * perSecond) / 1_000), at: now }
  }
}

/**
 * Takes one from all holders, or from none.
 *
 * @returns 0 if it was taken; otherwise milliseconds until it can be.
 */
export function takeFromAll<Kind extends string>(holders: readonly Allowance<Kind>[], kind: Kind, now: number): number {
  const waitMs = Math.max(...holders.map((holder) => holder.waitMs(kind, now)))
  if (waitMs > 0) return waitMs
  for (const holder of holders) holder.take(kind, now)
  return 0
}
