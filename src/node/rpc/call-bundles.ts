import type { Hash } from '#primitives/hex.ts'

/** Bundles remembered; the oldest are forgotten first. */
const CAPACITY = 10_000

/** The transactions of each bundle of EIP-5792 that was sent, in the order of its calls. */
export class CallBundles {
  readonly #transactions = new Map<string, readonly Hash[]>()

  has(id: string): boolean {
    return this.#transactions.has(id)
  }

  /** `undefined` if no such bundle was sent, or too long ago. */
  get(id: string): readonly Hash[] | undefined {
    return this.#transactions.get(id)
  }

  add(id: string, transactions: readonly Hash[]): void {
    this.#transactions.set(id, transactions)
    if (this.#transactions.size <= CAPACITY) return
    const oldest = this.#transactions.keys().next().value
    if (oldest !== undefined) this.#transactions.delete(oldest)
  }

  clear(): void {
    this.#transactions.clear()
  }
}
