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

interface OwnTransactions {
  /** Newest first. */
  readonly sent: readonly OwnTransaction[]
  readonly hashes: ReadonlySet<Hash>
}

const NONE: OwnTransactions = { sent: [], hashes: new Set() }

/** What this page sent. */
export const useOwnTransactions = create<OwnTransactions>()(() => NONE)

export function rememberOwn(tx: OwnTransaction): void {
  const sent = [tx, ...useOwnTransactions.getState().sent].slice(0, CAPACITY)
  useOwnTransactions.setState({ sent, hashes: new Set(sent.map(({ hash }) => hash)) })
}

export function forgetOwn(): void {
  useOwnTransactions.setState(NONE)
}
