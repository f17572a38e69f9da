import { EMPTY_CODE_HASH } from '#engine/empty-code-hash.ts'
import type { Address, Hash } from '#primitives/hex.ts'

export { EMPTY_CODE_HASH }
/** Root of an empty trie: keccak256(RLP of the empty string). */
export const EMPTY_TRIE_ROOT: Hash = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** An account's fields in the state; immutable. */
export interface Account {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  /** keccak256 of the code; `EMPTY_CODE_HASH` without code. */
  readonly codeHash: Hash
}

/** The world state at one moment. */
export interface StateReader {
  /** `undefined` if the account does not exist. */
  account(address: Address): Account | undefined
  /** The account's code; empty if it has none or does not exist. */
  code(address: Address): Uint8Array
  /** The value of a slot, big-endian without leading zeros; empty for 0. */
  storage(address: Address, slot: Hash): Uint8Array
}
