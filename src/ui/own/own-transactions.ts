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

/** How many own transactions are remembered: more than anyone looks back on. */
export const MAX_OWN = 50

interface OwnTransactions {
  /** Newest first. */
  readonly sent: readonly OwnTransaction[]
  readonly hashes: ReadonlySet<Hash>
}

const NONE: OwnTransactions = { sent: [], hashes: new Set() }

/** Transactions that this page sent. */
export const useOwnTransactions = create<OwnTransactions>()(() => NONE)

export function rememberOwn(tx: OwnTransaction): void {
  remember([tx, ...useOwnTransactions.getState().sent])
}

/**
 * Adds transactions that were sent before a reload.
 *
 * @param earlier - Newest first.
 */
export function recallOwn(earlier: readonly OwnTransaction[]): void {
  const { sent, hashes } = useOwnTransactions.getState()
  remember([...sent, ...earlier.filter(({ hash }) => !hashes.has(hash))])
}

function remember(all: readonly OwnTransaction[]): void {
  const sent = all.slice(0, MAX_OWN)
  useOwnTransactions.setState({ sent, hashes: new Set(sent.map(({ hash }) => hash)) })
}

export function forgetOwn(): void {
  useOwnTransactions.setState(NONE)
}
