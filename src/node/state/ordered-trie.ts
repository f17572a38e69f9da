import type { ByteText } from './byte-text.ts'
import { Trie } from './trie.ts'
import type { EncodeValue } from './trie-encoding.ts'

/**
 * The trie of an append-only list, keyed by RLP(index). Its root is a header's transactions or receipts root.
 * Recomputing the root costs in proportion to the items appended since.
 */
export class OrderedTrie<Item> {
  readonly #encode: EncodeValue<Item>
  #length = 0
  #trie: Trie<Item>

  /** @param encode - The bytes of an item, at least one. */
  constructor(encode: EncodeValue<Item>) {
    this.#encode = encode
    this.#trie = new Trie(encode)
  }

  /** Number of items. */
  get length(): number {
    return this.#length
  }

  /** Appends an item. The list keeps the object; it must not be changed afterwards. */
  append(item: Item): void {
    this.#trie.put(rlpOfIndex(this.#length), item)
    this.#length++
  }

  /** The 32-byte root hash; `EMPTY_TRIE_ROOT` for an empty list. */
  root(): Uint8Array {
    return this.#trie.root()
  }

  /** An independent list with the same items, in O(1). */
  branch(): OrderedTrie<Item> {
    const branch = new OrderedTrie(this.#encode)
    branch.#length = this.#length
    branch.#trie = this.#trie.branch()
    return branch
  }
}

/** A list of byte arrays, stored as they are. */
export function trieOfBytes(): OrderedTrie<Uint8Array> {
  return new OrderedTrie((bytes) => bytes)
}

/** RLP of an integer below 2^32. */
function rlpOfIndex(index: number): ByteText {
  if (index === 0) return '\x80'
  const low = index & 0xff
  if (index < 0x80) return String.fromCharCode(low)
  if (index < 0x100) return String.fromCharCode(0x81, low)
  const second = (index >>> 8) & 0xff
  if (index < 0x1_0000) return String.fromCharCode(0x82, second, low)
  const third = (index >>> 16) & 0xff
  if (index < 0x100_0000) return String.fromCharCode(0x83, third, second, low)
  return String.fromCharCode(0x84, index >>> 24, third, second, low)
}
