import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** The whole state of a chain at one moment: every account, without blocks and transactions. */
export interface StateDump {
  readonly format: 'blinknet-state'
  readonly version: 1
  readonly accounts: Readonly<Record<Address, DumpedAccount>>
}

/** The parts of an unpacked anvil state dump that are read. */
export interface AnvilStateDump {
  readonly accounts: Readonly<Record<Address, AnvilDumpedAccount>>
}

/** Numbers, decimal or hexadecimal text. */
interface AnvilDumpedAccount {
  readonly nonce?: number | string
  /** Wei. */
  readonly balance?: number | string
  readonly code?: Hex
  /** Slot → word. */
  readonly storage?: Readonly<Record<string, number | string>>
}

export interface DumpedAccount {
  readonly nonce: Quantity
  /** Wei. */
  readonly balance: Quantity
  /** Left out if the account has no code. */
  readonly code?: Hex
  /** 32-byte slot → 32-byte word, for slots that are not 0; left out if there are none. */
  readonly storage?: Readonly<Record<Hash, Hash>>
}
