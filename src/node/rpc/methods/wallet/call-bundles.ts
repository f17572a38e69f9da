import type { Hash } from '#primitives/hex.ts'

/** How many bundles are remembered; the oldest are forgotten first. */
const CAPACITY = 10_000
/** Most transactions of all bundles. */
const MAX_TRANSACTIONS = 100_000

/** The transactions of each submitted bundle (EIP-5792), in the order of its calls. */
export class CallBundles {
  readonly #transactions = new Map<string, readonly Hash[]>()
  #count = 0

  has(id: string): boolean {
    return this.#transactions.has(id)
  }

  /** `undefined` if the bundle is unknown or was forgotten. */
  get(id: string): readonly Hash[] | undefined {
    return this.#transactions.get(id)
  }

  add(id: string, transactions: readonly Hash[]): void {
    this.#count += transactions.length - (this.#transactions.get(id)?.length ?? 0)
    this.#transactions.set(id, transactions)
    for (const [oldest, { length }] of this.#transactions) {
      if (this.#transactions.size <= CAPACITY && this.#count <= MAX_TRANSACTIONS) return
      this.#transactions.delete(oldest)
      this.#count -= length
    }
  }

  clear(): void {
    this.#transactions.clear()
    this.#count = 0
  }
}
