import type { Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { ByteText } from '../state/byte-text.ts'
import { Trie } from '../state/trie.ts'
import type { TrieChange } from '../state/trie-difference.ts'
import type { EncodeValue } from '../state/trie-encoding.ts'
import { ForkError, unlistable } from './fork-error.ts'

/** The entries that a trie has before it is changed. */
export interface TrieBase<V> {
  readonly encode: EncodeValue<V>
  /**
   * The value under a key; `undefined` if it is known that there is none.
   *
   * @throws {MissingStateError} If it is not known.
   */
  get(key: ByteText, preimage?: Hex): V | undefined
  preimageOf(value: V): Hex
  isSame(one: V, other: V): boolean
}

/** What there is under a key now; `undefined` where the base has an entry that was removed. */
interface Change<V> {
  readonly value: V | undefined
}

/** RLP of nothing, in the place of a removed entry. */
const REMOVED = Uint8Array.of(0x80)

/**
 * Takes the place of a trie of which only some entries are known, and no nodes. Its root is that of a trie of the entries
 * that differ from the base: it depends on the present entries, but neither on what was fetched of the others nor on how
 * they came about.
 */
export class DifferenceTrie<V> extends Trie<V> {
  readonly #base: TrieBase<V>
  readonly #changes: Trie<Change<V>>

  constructor(base: TrieBase<V>, changes?: Trie<Change<V>>) {
    super(base.encode)
    this.#base = base
    this.#changes = changes ?? new Trie(({ value }) => (value === undefined ? REMOVED : base.encode(value)))
  }

  /** Nobody knows whether it has entries. */
  override get isEmpty(): boolean {
    return false
  }

  /** Whether all entries are those of the base. */
  get isUnchanged(): boolean {
    return this.#changes.isEmpty
  }

  override branch(): DifferenceTrie<V> {
    return new DifferenceTrie(this.#base, this.#changes.branch())
  }

  override get(key: ByteText, preimage?: Hex): V | undefined {
    const change = this.#changes.get(key)
    return change ? change.value : this.#base.get(key, preimage)
  }

  override put(key: ByteText, value: V): void {
    const before = this.#base.get(key, this.#base.preimageOf(value))
    if (before !== undefined && this.#base.isSame(before, value)) this.#changes.delete(key)
    else this.#changes.put(key, { value })
  }

  override delete(key: ByteText): boolean {
    if (this.get(key) === undefined) return false
    if (this.#base.get(key) === undefined) this.#changes.delete(key)
    else this.#changes.put(key, { value: undefined })
    return true
  }

  override root(): Uint8Array {
    return this.#changes.root()
  }

  override prove(): never {
    throw new ForkError(
      'there is no proof: this fork takes its endpoint at its word, and does not know the state’s trie',
    )
  }

  override entries(): never {
    throw unlistable()
  }

  override entriesAfter(): never {
    throw unlistable()
  }

  /** @param earlier - Has the same base. */
  override *changesSince(earlier: Trie<V>): Generator<TrieChange<V>, void> {
    invariant(earlier instanceof DifferenceTrie && earlier.#base === this.#base, 'the two tries have different bases')
    for (const { key, before, after } of this.#changes.changesSince(earlier.#changes as Trie<Change<V>>)) {
      const base = this.#base.get(key)
      const change = { key, before: before ? before.value : base, after: after ? after.value : base }
      if (change.before !== change.after) yield change
    }
  }

  override write(): never {
    throw unlistable()
  }
}
