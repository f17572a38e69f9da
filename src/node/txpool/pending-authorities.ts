import type { Address, Hash } from '#primitives/hex.ts'
import { recoverAuthority } from '../evm/transactions/authorization.ts'
import type { Transaction } from '../tx/transaction.ts'

/** The accounts that transactions in the pool are about to delegate (EIP-7702). */
export class PendingAuthorities {
  /** Who signed the authorizations of each transaction, by the transaction's hash. */
  readonly #byTransaction = new Map<Hash, ReadonlySet<Address>>()
  /** Number of transactions per authority. */
  readonly #counts = new Map<Address, number>()

  /** Whether a transaction in the pool is about to delegate the account. */
  has(authority: Address): boolean {
    return this.#counts.has(authority)
  }

  /**
   * Adds a transaction that entered the pool.
   *
   * @param authorities - The result of {@link authoritiesOf}.
   */
  add({ hash }: Transaction, authorities: ReadonlySet<Address>): void {
    if (authorities.size === 0) return
    this.#byTransaction.set(hash, authorities)
    for (const authority of authorities) this.#counts.set(authority, (this.#counts.get(authority) ?? 0) + 1)
  }

  /** Removes a transaction that left the pool. */
  delete({ hash }: Transaction): void {
    const authorities = this.#byTransaction.get(hash)
    if (!authorities) return
    this.#byTransaction.delete(hash)
    for (const authority of authorities) {
      const count = this.#counts.get(authority) ?? 0
      if (count > 1) this.#counts.set(authority, count - 1)
      else this.#counts.delete(authority)
    }
  }
}

const NOBODY: ReadonlySet<Address> = new Set()

/** Accounts that signed a transaction's authorizations. Recovering one takes a tenth of a millisecond. */
export function authoritiesOf(tx: Transaction): ReadonlySet<Address> {
  if (tx.type !== 4) return NOBODY
  return new Set(tx.authorizationList.map(recoverAuthority).filter((authority) => authority !== undefined))
}
