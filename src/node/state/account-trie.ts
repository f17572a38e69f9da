import { bigIntToBytes, bytesToBigInt, padLeft, trimLeadingZeros } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, hexToBytes, setHex } from '#primitives/hex.ts'
import { type ByteText, bytesOfText, byteText, writeText } from './byte-text.ts'
import { type Account, EMPTY_CODE_HASH } from './state-reader.ts'
import { Trie } from './trie.ts'

/**
 * An account's leaf in the state trie, with the address: the preimage of the key, needed to list a state. Immutable: to
 * change the storage, branch its trie and put a new leaf.
 *
 * An account with neither code nor storage, as most are, is text of a fifth of the memory: 20 bytes of address, the number
 * of the nonce's bytes, the nonce and the balance, both big-endian without leading zeros.
 */
export type AccountLeaf = ByteText | ContractLeaf

/** The leaf of an account with code or storage. */
interface ContractLeaf {
  readonly address: Address
  readonly account: Account
  /** `undefined` while no slot is set. */
  readonly storage: StorageTrie | undefined
}

/**
 * A slot's leaf in a storage trie: the slot (the preimage of the key, needed to list a storage) after the number of its
 * bytes, then the value, never empty; both big-endian without leading zeros.
 */
export type SlotLeaf = ByteText

export type AccountTrie = Trie<AccountLeaf>
export type StorageTrie = Trie<SlotLeaf>

export const createAccountTrie = (): AccountTrie => new Trie(encodeAccount)
export const createStorageTrie = (): StorageTrie => new Trie(encodeSlot)

export const ADDRESS_BYTES = 20
export const NONCE_AT = ADDRESS_BYTES + 1
const SLOT_BYTES = 32

/** Leaves are assembled here, one at a time: a JavaScript engine stores concatenated strings as two. */
const scratch = new Uint8Array(128)

/** An account's leaf. @param storage - `undefined` while no slot is set. */
export function accountLeaf(address: Address, account: Account, storage: StorageTrie | undefined): AccountLeaf {
  if (storage !== undefined || account.codeHash !== EMPTY_CODE_HASH) return { address, account, storage }
  setHex(scratch, 0, address)
  return withoutCode(bigIntToBytes(account.nonce), bigIntToBytes(account.balance))
}

/**
 * The leaf of an account without code and storage.
 *
 * @param nonce - Big-endian without leading zeros, like the balance.
 */
export function plainLeaf(address: Uint8Array, nonce: Uint8Array, balance: Uint8Array): AccountLeaf {
  scratch.set(address)
  return withoutCode(nonce, balance)
}

/** The leaf of the address in {@link scratch}. */
function withoutCode(nonce: Uint8Array, balance: Uint8Array): AccountLeaf {
  scratch[ADDRESS_BYTES] = nonce.length
  scratch.set(nonce, NONCE_AT)
  const start = NONCE_AT + nonce.length
  scratch.set(balance, start)
  return byteText(scratch.subarray(0, start + balance.length))
}

/** Where the balance begins in the leaf of an account without code and storage. */
export function balanceStart(leaf: ByteText): number {
  return NONCE_AT + leaf.charCodeAt(ADDRESS_BYTES)
}

export function addressOf(leaf: AccountLeaf): Address {
  if (typeof leaf !== 'string') return leaf.address
  writeText(leaf, scratch, 0)
  return bytesToHex(scratch.subarray(0, ADDRESS_BYTES))
}

/** Nonce, balance and code hash; not always the same object. */
export function accountOf(leaf: AccountLeaf): Account
export function accountOf(leaf: AccountLeaf | undefined): Account | undefined
export function accountOf(leaf: AccountLeaf | undefined): Account | undefined {
  if (typeof leaf !== 'string') return leaf?.account
  const end = writeText(leaf, scratch, 0)
  const start = balanceStart(leaf)
  return {
    nonce: bytesToBigInt(scratch, NONCE_AT, start),
    balance: bytesToBigInt(scratch, start, end),
    codeHash: EMPTY_CODE_HASH,
  }
}

/** `undefined` if no slot of the account is set. */
export function storageOf(leaf: AccountLeaf | undefined): StorageTrie | undefined {
  return typeof leaf === 'object' ? leaf.storage : undefined
}

/** Whether both are of the same account and storage. */
export function isSameLeaf(one: AccountLeaf | undefined, other: AccountLeaf | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return one.address === other.address && one.storage === other.storage && isSameAccount(one.account, other.account)
}

export function isSameAccount(one: Account | undefined, other: Account | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.nonce === other.nonce && one.balance === other.balance && one.codeHash === other.codeHash
}

/** A slot's leaf in the storage trie. @param value - Big-endian without leading zeros; not empty. */
export function slotLeaf(slot: Hash, value: ByteText): SlotLeaf {
  const bytes = trimLeadingZeros(hexToBytes(slot))
  scratch[0] = bytes.length
  scratch.set(bytes, 1)
  return byteText(scratch.subarray(0, writeText(value, scratch, 1 + bytes.length)))
}

/** A slot with another value; cheaper than {@link slotLeaf}. */
export function withValue(leaf: SlotLeaf, value: ByteText): SlotLeaf {
  const start = valueStart(leaf)
  for (let i = 0; i < start; i++) scratch[i] = leaf.charCodeAt(i)
  return byteText(scratch.subarray(0, writeText(value, scratch, start)))
}

/** The slot's number. */
export function slotOf(leaf: SlotLeaf): Hash {
  return bytesToHex(padLeft(bytesOfText(leaf.slice(1, valueStart(leaf))), SLOT_BYTES))
}

/** The value of the slot. */
export function valueOf(leaf: SlotLeaf): ByteText {
  return leaf.slice(valueStart(leaf))
}

function valueStart(leaf: SlotLeaf): number {
  return 1 + leaf.charCodeAt(0)
}

const EMPTY_CODE_HASH_BYTES = hexToBytes(EMPTY_CODE_HASH)
const EMPTY_STORAGE_ROOT = createStorageTrie().root()

/** Two string headers, the storage root and the code hash of an account without code and storage. */
const PLAIN_END = Uint8Array.of(0xa0, ...EMPTY_STORAGE_ROOT, 0xa0, ...EMPTY_CODE_HASH_BYTES)
/** Accounts without code and storage are encoded here, one at a time. */
const plainRlp = new Uint8Array(128)

/** RLP of [nonce, balance, storage root, code hash]; overwritten by the next call. */
export function encodeAccount(leaf: AccountLeaf): Uint8Array {
  if (typeof leaf === 'string') return encodePlain(leaf)
  const { nonce, balance, codeHash } = leaf.account
  const nonceRlp = encodeInteger(nonce)
  const balanceRlp = encodeInteger(balance)
  const payload = nonceRlp.length + balanceRlp.length + 66
  const rlp = new Uint8Array(2 + payload)
  rlp[0] = 0xf8
  rlp[1] = payload
  rlp.set(nonceRlp, 2)
  let offset = 2 + nonceRlp.length
  rlp.set(balanceRlp, offset)
  offset += balanceRlp.length
  rlp[offset] = 0xa0
  rlp.set(leaf.storage?.root() ?? EMPTY_STORAGE_ROOT, offset + 1)
  rlp[offset + 33] = 0xa0
  rlp.set(codeHash === EMPTY_CODE_HASH ? EMPTY_CODE_HASH_BYTES : hexToBytes(codeHash), offset + 34)
  return rlp
}

/** Copies the numbers as the leaf has them: most accounts are of this kind. */
function encodePlain(leaf: ByteText): Uint8Array {
  const start = balanceStart(leaf)
  const end = encodeText(leaf, start, leaf.length, encodeText(leaf, NONCE_AT, start, 2))
  plainRlp.set(PLAIN_END, end)
  plainRlp[0] = 0xf8
  plainRlp[1] = end - 2 + PLAIN_END.length
  return plainRlp.subarray(0, end + PLAIN_END.length)
}

/** Writes a part of a text as an RLP string of fewer than 56 bytes. @returns Where it ends. */
function encodeText(text: ByteText, from: number, to: number, offset: number): number {
  let at = offset
  const first = text.charCodeAt(from)
  if (to - from !== 1 || first >= 0x80) plainRlp[at++] = 0x80 + to - from
  for (let i = from; i < to; i++) plainRlp[at++] = text.charCodeAt(i)
  return at
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
