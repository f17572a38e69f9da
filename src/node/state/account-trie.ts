import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, hexToBytes } from '#primitives/hex.ts'
import { type ByteText, bytesOfText, byteText, writeText } from './byte-text.ts'
import { type Account, EMPTY_CODE_HASH } from './state-reader.ts'
import { Trie } from './trie.ts'

/** An account's leaf in the state trie. Immutable: to change the storage, fork its trie and put a new leaf. */
export interface AccountLeaf {
  /** Preimage of the key; needed to list a state. */
  readonly address: Address
  readonly account: Account
  /** `undefined` while no slot is set. */
  readonly storage: StorageTrie | undefined
}

/**
 * A slot's leaf in a storage trie: 32 bytes of slot (the preimage of the key, needed to list a storage), then the
 * value, big-endian without leading zeros, never empty.
 */
export type SlotLeaf = ByteText

export type AccountTrie = Trie<AccountLeaf>
export type StorageTrie = Trie<SlotLeaf>

export const createAccountTrie = (): AccountTrie => new Trie(encodeAccount)
export const createStorageTrie = (): StorageTrie => new Trie(encodeSlot)

const SLOT_BYTES = 32

/** Leaves are assembled here, one at a time: a JavaScript engine stores concatenated strings as two. */
const scratch = new Uint8Array(2 * SLOT_BYTES)

/** A slot's leaf in the storage trie. @param value - Big-endian without leading zeros; not empty. */
export function slotLeaf(slot: Hash, value: ByteText): SlotLeaf {
  scratch.set(hexToBytes(slot))
  return byteText(scratch.subarray(0, writeText(value, scratch, SLOT_BYTES)))
}

/** The same slot with another value; cheaper than {@link slotLeaf}. */
export function withValue(leaf: SlotLeaf, value: ByteText): SlotLeaf {
  for (let i = 0; i < SLOT_BYTES; i++) scratch[i] = leaf.charCodeAt(i)
  return byteText(scratch.subarray(0, writeText(value, scratch, SLOT_BYTES)))
}

/** The slot's number. */
export function slotOf(leaf: SlotLeaf): Hash {
  return bytesToHex(bytesOfText(leaf.slice(0, SLOT_BYTES)))
}

/** The value of the slot. */
export function valueOf(leaf: SlotLeaf): ByteText {
  return leaf.slice(SLOT_BYTES)
}

const EMPTY_CODE_HASH_BYTES = hexToBytes(EMPTY_CODE_HASH)
const EMPTY_STORAGE_ROOT = createStorageTrie().root()

/** RLP of [nonce, balance, storage root, code hash]. */
export function encodeAccount({ account, storage }: AccountLeaf): Uint8Array {
  const nonce = encodeInteger(account.nonce)
  const balance = encodeInteger(account.balance)
  const payload = nonce.length + balance.length + 66
  const rlp = new Uint8Array(2 + payload)
  rlp[0] = 0xf8
  rlp[1] = payload
  rlp.set(nonce, 2)
  let offset = 2 + nonce.length
  rlp.set(balance, offset)
  offset += balance.length
  rlp[offset] = 0xa0
  rlp.set(storage?.root() ?? EMPTY_STORAGE_ROOT, offset + 1)
  rlp[offset + 33] = 0xa0
  const codeHash = account.codeHash === EMPTY_CODE_HASH ? EMPTY_CODE_HASH_BYTES : hexToBytes(account.codeHash)
  rlp.set(codeHash, offset + 34)
  return rlp
}

/** RLP of the value. */
export function encodeSlot(leaf: SlotLeaf): Uint8Array {
  return encodeShort(bytesOfText(valueOf(leaf)))
}

function encodeInteger(value: bigint): Uint8Array {
  return encodeShort(bigIntToBytes(value))
}

/** RLP of fewer than 56 bytes. */
function encodeShort(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes
  const rlp = new Uint8Array(1 + bytes.length)
  rlp[0] = 0x80 + bytes.length
  rlp.set(bytes, 1)
  return rlp
}
