import { create } from 'zustand'
import type { Address, Hash } from '#primitives/hex.ts'

/** A transaction that this page signed and sent. */
export interface OwnTransaction {
  readonly hash: Hash
  readonly from: Address
  /** `null` for a new contract. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
}

const CAPACITY = 50

/** What this page sent, newest first. */
export const useOwnTransactions = create<{ readonly sent: readonly OwnTransaction[] }>()(() => ({ sent: [] }))

export function rememberOwn(tx: OwnTransaction): void {
  useOwnTransactions.setState(({ sent }) => ({ sent: [tx, ...sent].slice(0, CAPACITY) }))
}

export function forgetOwn(): void {
  useOwnTransactions.setState({ sent: [] })
}
