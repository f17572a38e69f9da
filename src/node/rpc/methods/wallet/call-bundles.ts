import type { Hash } from '#primitives/hex.ts'

/** How many bundles are remembered; the oldest are forgotten first. */
const CAPACITY = 10_000
/** Most transactions of all bundles. */
const MAX_TRANSACTIONS = 100_000

/** A bundle that was submitted. */
export interface SubmittedBundle {
  /** In the order of its calls; the one of an atomic bundle. */
  readonly transactions: readonly Hash[]
  /** Whether one transaction has all calls. */
  readonly isAtomic: boolean
  /** The transaction before it, which creates the contract that the account is delegated to. */
  readonly deployment?: Hash
}

/** The bundles that were submitted (EIP-5792). */
export class CallBundles {
  readonly #bundles = new Map<string, SubmittedBundle>()
  #count = 0

  has(id: string): boolean {
    return this.#bundles.has(id)
  }

  /** `undefined` if the bundle is unknown or was forgotten. */
  get(id: string): SubmittedBundle | undefined {
    return this.#bundles.get(id)
  }

  add(id: string, bundle: SubmittedBundle): void {
    this.#count += bundle.transactions.length - (this.#bundles.get(id)?.transactions.length ?? 0)
    this.#bundles.set(id, bundle)
    for (const [oldest, { transactions }] of this.#bundles) {
      if (this.#bundles.size <= CAPACITY && this.#count <= MAX_TRANSACTIONS) return
      this.#bundles.delete(oldest)
      this.#count -= transactions.length
    }
  }

  clear(): void {
    this.#bundles.clear()
    this.#count = 0
  }
}
