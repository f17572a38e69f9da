import type { Address } from '#primitives/hex.ts'

/** How many accounts can be added; they are stored with every partial block. */
export const MAX_IMPERSONATED = 1_000

/** Accounts for which the node sends transactions without their keys. */
export class ImpersonatedAccounts {
  readonly #accounts = new Set<Address>()
  #auto = false

  /** @returns `false` if there are already {@link MAX_IMPERSONATED}; nothing is added then. */
  add(account: Address): boolean {
    if (this.#accounts.size >= MAX_IMPERSONATED && !this.#accounts.has(account)) return false
    this.#accounts.add(account)
    return true
  }

  remove(account: Address): void {
    this.#accounts.delete(account)
  }

  /** Sets whether every account counts as impersonated; added ones are kept for when that ends. */
  setAuto(on: boolean): void {
    this.#auto = on
  }

  has(account: Address): boolean {
    return this.#auto || this.#accounts.has(account)
  }

  /** Whether every account counts as impersonated. */
  get auto(): boolean {
    return this.#auto
  }

  /** The added accounts, oldest first. */
  all(): readonly Address[] {
    return [...this.#accounts]
  }

  /** Restores the initial state: no account is impersonated. */
  clear(): void {
    this.#accounts.clear()
    this.#auto = false
  }
}
