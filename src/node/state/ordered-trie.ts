import { byteText } from './byte-text.ts'
import { Trie } from './trie.ts'

const asIs = (item: Uint8Array): Uint8Array => item

/**
 * The trie of a list that only grows, keyed by RLP(index): its root is a header's transactions or receipts root. Asking
 * for the root after a few more items costs as much as those items.
 */
export class OrderedTrie {
  #length = 0
  #trie = new Trie(asIs)

  /** Number of items. */
  get length(): number {
    return this.#length
  }

  /** Adds an item (at least one byte) at the end. It is kept, so nobody may change it. */
  append(item: Uint8Array): void {
    this.#trie.put(byteText(rlpOfIndex(this.#length)), item)
    this.#length++
  }

  /** The 32-byte root hash; `EMPTY_TRIE_ROOT` for an empty list. */
  root(): Uint8Array {
    return this.#trie.root()
  }

  /** A list with the same items in O(1); from here on the two grow apart. */
  fork(): OrderedTrie {
    const fork = new OrderedTrie()
    fork.#length = this.#length
    fork.#trie = this.#trie.fork()
    return fork
  }
}

/** RLP of an integer below 2^32. */
function rlpOfIndex(index: number): Uint8Array {
  if (index === 0) return Uint8Array.of(0x80)
  if (index < 0x80) return Uint8Array.of(index)
  if (index < 0x100) return Uint8Array.of(0x81, index)
  if (index < 0x1_0000) return Uint8Array.of(0x82, index >>> 8, index)
  if (index < 0x100_0000) return Uint8Array.of(0x83, index >>> 16, index >>> 8, index)
  return Uint8Array.of(0x84, index >>> 24, index >>> 16, index >>> 8, index)
}
