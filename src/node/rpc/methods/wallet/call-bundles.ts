import { MAX_STORED_BUNDLES } from '../../../persistence/check-records.ts'
import type { BundleRecord } from '../../../persistence/records.ts'

/** How many bundles are remembered; the oldest are forgotten first. */
const CAPACITY = 10_000
/** Most transactions of all bundles. */
const MAX_TRANSACTIONS = 100_000

/** How many transactions the stored bundles may have, so that a write takes little: the newest are stored. */
const MAX_STORED_TRANSACTIONS = 2_000

/** A bundle that was submitted. */
export type SubmittedBundle = Omit<BundleRecord, 'id'>

/** The bundles that were submitted (EIP-5792). */
export class CallBundles {
  readonly #bundles = new Map<string, SubmittedBundle>()
  #count = 0
  /** Whether others are to be stored than the last time. */
  #isFresh = false

  /** @param stored - Those of an earlier run, oldest first. */
  constructor(stored: readonly BundleRecord[] = []) {
    for (const { id, ...bundle } of stored) this.add(id, bundle)
    this.#isFresh = false
  }

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
    this.#isFresh = true
    for (const [oldest, { transactions }] of this.#bundles) {
      if (this.#bundles.size <= CAPACITY && this.#count <= MAX_TRANSACTIONS) return
      this.#bundles.delete(oldest)
      this.#count -= transactions.length
    }
  }

  clear(): void {
    this.#bundles.clear()
    this.#count = 0
    this.#isFresh = true
  }

  /** The newest, oldest first, if there are others than the last time; the oldest of all are not stored. */
  takeFresh(): readonly BundleRecord[] | undefined {
    if (!this.#isFresh) return undefined
    this.#isFresh = false
    const records: BundleRecord[] = []
    let left = MAX_STORED_TRANSACTIONS
    for (const [id, bundle] of [...this.#bundles].slice(-MAX_STORED_BUNDLES).toReversed()) {
      left -= bundle.transactions.length
      if (left < 0) break
      records.push({ id, ...bundle })
    }
    return records.toReversed()
  }
}
