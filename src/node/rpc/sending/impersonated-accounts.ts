import type { Address } from '#primitives/hex.ts'

/** Accounts that can be added: they are written down with every partial block. */
export const MAX_IMPERSONATED = 1_000

/** Accounts for which the node sends transactions without having their keys. */
export class ImpersonatedAccounts {
  readonly #accounts = new Set<Address>()
  #auto = false

  /** @returns `false` if {@link MAX_IMPERSONATED} were added before: this one is not. */
  add(account: Address): boolean {
    if (this.#accounts.size >= MAX_IMPERSONATED && !this.#accounts.has(account)) return false
    this.#accounts.add(account)
    return true
  }

  remove(account: Address): void {
    this.#accounts.delete(account)
  }

  /** Whether every account counts as impersonated; those that were added stay for when it ends. */
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

  /** Those that were added, oldest first. */
  all(): readonly Address[] {
    return [...this.#accounts]
  }

  /** As at the start: none, and not all. */
  clear(): void {
    this.#accounts.clear()
    this.#auto = false
  }
}
