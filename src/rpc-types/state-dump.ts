import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** The whole state of a chain at one moment: every account, without blocks and transactions. */
export interface StateDump {
  readonly format: 'blinknet-state'
  readonly version: 1
  readonly accounts: Readonly<Record<Address, DumpedAccount>>
}

export interface DumpedAccount {
  readonly nonce: Quantity
  /** Wei. */
  readonly balance: Quantity
  /** Absent without code. */
  readonly code?: Hex
  /** 32-byte slot → 32-byte word, for slots that are not 0; absent without any. */
  readonly storage?: Readonly<Record<Hash, Hash>>
}
