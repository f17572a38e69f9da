import type { ByteReader } from '#primitives/byte-reader.ts'
import type { ByteWriter } from '#primitives/byte-writer.ts'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { type ByteText, bytesOfText } from './byte-text.ts'
import { firstDifference, nibbleAt } from './nibbles.ts'
import { EMPTY_TRIE_ROOT } from './state-reader.ts'
import { differenceOf, type TrieChange } from './trie-difference.ts'
import { type EncodeValue, nodeRef, nodeRlp } from './trie-encoding.ts'
import {
  type Branch,
  branch,
  childOf,
  contentOf,
  Extension,
  editable,
  keyBeneath,
  Leaf,
  moved,
  newOwner,
  setChild,
  type TrieNode,
} from './trie-node.ts'
import { type EntryFormat, type RecordContext, readNode, writeNode } from './trie-record.ts'

const EMPTY_ROOT = hexToBytes(EMPTY_TRIE_ROOT)

/**
 * A Merkle Patricia trie that shares nodes with its branches and remembers the hash of every node that did not change.
 *
 * Keys are bytes of which none is the beginning of another (hashes are, and RLP is), at most 54 of them. The trie keeps
 * the values that it is given; nobody may change them.
 *
 * Nodes made since the last {@link branch} are changed in place, older ones are copied on the way down. So a branch costs
 * nothing, and a batch of updates copies each node at most once.
 *
 * @see Yellow Paper, appendix D
 */
export class Trie<V> {
  #root: TrieNode<V> | undefined
  #owner = newOwner()
  readonly #encode: EncodeValue<V>

  /** @param encode - The payload of a leaf; never empty, as an empty value means an absent key. */
  constructor(encode: EncodeValue<V>) {
    this.#encode = encode
  }

  /**
   * Reads what {@link write} wrote. Most entries are read when they are asked for, and are checked against their hash then.
   *
   * @throws {ByteReaderError} If the bytes are not a trie.
   */
  static read<V>(reader: ByteReader, encode: EncodeValue<V>, format: EntryFormat<V>): Trie<V> {
    const trie = new Trie(encode)
    trie.#root = readNode(reader, 0, trie.#context(format))
    return trie
  }

  /** A trie with that root. */
  static from<V>(root: TrieNode<V>, encode: EncodeValue<V>): Trie<V> {
    const trie = new Trie(encode)
    trie.#root = root
    return trie
  }

  /** Whether the trie has no entries. */
  get isEmpty(): boolean {
    return this.#root === undefined
  }

  /** An independent trie with the same entries, in O(1). */
  branch(): Trie<V> {
    const copy = new Trie(this.#encode)
    copy.#root = this.#root
    this.#owner = newOwner()
    return copy
  }

  /**
   * The value under a key.
   *
   * @param preimage - That of the key, for a trie with unknown nodes.
   * @throws {MissingStateError} If the way to the key is unknown.
   */
  get(key: ByteText, preimage?: Hex): V | undefined {
    let node = this.#root
    let depth = 0
    while (node !== undefined) {
      if (node.kind === 'branch') {
        node = childOf(node, nibbleAt(key, depth++))
      } else if (node.kind === 'extension') {
        // The leaf compares the whole key, so the extension's nibbles need no check.
        depth = node.end
        node = node.child
      } else if (node.kind === 'leaf') {
        return node.key === key ? node.value : undefined
      } else {
        node = contentOf(node, key, preimage)
      }
    }
    return undefined
  }

  /**
   * Sets the value under a key.
   *
   * @throws {InvariantError} If another key begins with this one, or this one with another.
   */
  put(key: ByteText, value: V): void {
    this.#root = this.#put(this.#root, key, 0, value)
  }

  /** Removes a key. @returns Whether it was present. */
  delete(key: ByteText): boolean {
    if (this.get(key) === undefined) return false
    this.#root = this.#delete(this.#root, key, 0)
    return true
  }

  /** The 32-byte root hash; takes time proportional to the changes since the last call. */
  root(): Uint8Array {
    if (this.#root === undefined) return EMPTY_ROOT
    const ref = bytesOfText(nodeRef(this.#root, 0, this.#encode))
    return ref.length === 32 ? ref : keccak256(ref)
  }

  /**
   * RLP of the nodes from the root towards a key: to its leaf, or to where the key's absence shows. Nodes below 32 bytes
   * are part of their parents and not listed; an empty trie has no nodes.
   *
   * @param preimage - As in {@link get}.
   * @throws {MissingStateError} As in {@link get}.
   * @see {@link https://eips.ethereum.org/EIPS/eip-1186 | EIP-1186}
   */
  prove(key: ByteText, preimage?: Hex): Uint8Array[] {
    const proof: Uint8Array[] = []
    let node = this.#root
    let depth = 0
    while (node !== undefined) {
      if (node.kind === 'unknown' && !node.cell.value) {
        node = contentOf(node, key, preimage)
        continue
      }
      if (depth === 0 || nodeRef(node, depth, this.#encode).length === 32)
        proof.push(nodeRlp(node, depth, this.#encode))
      if (node.kind === 'leaf' || node.kind === 'unknown') break
      if (node.kind === 'extension') {
        if (firstDifference(node.key, key, depth, node.end) !== node.end) break
        depth = node.end
        node = node.child
      } else {
        node = childOf(node, nibbleAt(key, depth++))
      }
    }
    return proof
  }

  /** All entries in key order. */
  *entries(): Generator<readonly [key: ByteText, value: V], void> {
    const stack: TrieNode<V>[] = this.#root === undefined ? [] : [this.#root]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.kind === 'leaf') {
        yield [node.key, node.value]
      } else if (node.kind === 'extension') {
        stack.push(node.child)
      } else if (node.kind === 'unknown') {
        stack.push(node.cell.node ?? node.cell.source.missing(undefined))
      } else {
        stack.push(...node.children.toReversed())
      }
    }
  }

  /** The entries whose keys come after `key`, in key order; skips what comes before without reading it. */
  *entriesAfter(key: ByteText): Generator<readonly [key: ByteText, value: V], void> {
    /** A node and its depth; `undefined` for one below which every key comes after. */
    const stack: (readonly [node: TrieNode<V>, depth: number | undefined])[] = []
    if (this.#root !== undefined) stack.push([this.#root, 0])
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const [node, depth] = top
      if (node.kind === 'leaf') {
        if (node.key > key) yield [node.key, node.value]
      } else if (node.kind === 'extension') {
        const differs = depth === undefined ? node.end : firstDifference(node.key, key, depth, node.end)
        if (differs === node.end) stack.push([node.child, depth === undefined ? undefined : node.end])
        else if (nibbleAt(node.key, differs) > nibbleAt(key, differs)) stack.push([node.child, undefined])
      } else if (node.kind === 'unknown') {
        stack.push([node.cell.node ?? node.cell.source.missing(undefined), depth])
      } else if (depth === undefined) {
        for (const child of node.children.toReversed()) stack.push([child, undefined])
      } else {
        const own = nibbleAt(key, depth)
        for (let nibble = 15; nibble >= own; nibble--) {
          const child = childOf(node, nibble)
          if (child) stack.push([child, nibble === own ? depth + 1 : undefined])
        }
      }
    }
  }

  /**
   * The differences from an earlier trie, in key order; values are compared by `===`. Takes time proportional to the
   * edits since the two were one.
   */
  changesSince(earlier: Trie<V>): Generator<TrieChange<V>, void> {
    return differenceOf(earlier.#root, this.#root)
  }

  /**
   * Writes the entries, and hashes so that they need not be recomputed. Yields between steps; the trie must not be
   * edited meanwhile.
   *
   * @param packs - As of {@link writeNode}.
   */
  write(writer: ByteWriter, format: EntryFormat<V>, packs = false): Generator<void, void> {
    return writeNode(writer, this.#root, 0, this.#context(format), packs)
  }

  #context(format: EntryFormat<V>): RecordContext<V> {
    const encode = this.#encode
    return {
      format,
      encode,
      build(entries, depth) {
        const trie = new Trie(encode)
        for (const [key, value] of entries) trie.put(key, value)
        const root = trie.#root
        return root?.kind === 'extension' && root.end === depth ? root.child : root
      },
    }
  }

  #put(node: TrieNode<V> | undefined, key: ByteText, depth: number, value: V): TrieNode<V> {
    const owner = this.#owner
    if (node === undefined) return new Leaf(undefined, key, value)
    if (node.kind === 'branch') {
      invariant(depth < 2 * key.length, 'a trie key is the beginning of another')
      const edited = editable(node, owner)
      const nibble = nibbleAt(key, depth)
      setChild(edited, nibble, this.#put(childOf(edited, nibble), key, depth + 1, value))
      return edited
    }
    // A leaf without a preimage is unknown, too, but another key can part from it.
    if (node.kind === 'unknown' && (!node.cell.value || node.cell.node || node.cell.key === key)) {
      return this.#put(contentOf(node, key), key, depth, value)
    }
    const nodeKey = keyBeneath(node)
    const end = node.kind === 'extension' ? node.end : 2 * Math.min(nodeKey.length, key.length)
    const parting = firstDifference(nodeKey, key, depth, end)
    if (parting === end && node.kind !== 'unknown') {
      if (node.kind === 'leaf') {
        invariant(node.key.length === key.length, 'a trie key is the beginning of another')
        return new Leaf(undefined, key, value)
      }
      const edited = editable(node, owner)
      const child = this.#put(edited.child, key, end, value)
      invariant(child.kind === 'branch', 'a put turned a branch into something else')
      edited.child = child
      return edited
    }
    invariant(parting < 2 * key.length, 'a trie key is the beginning of another')
    const old = node.kind === 'extension' && parting + 1 === node.end ? node.child : moved(node, owner)
    const one = nibbleAt(nodeKey, parting)
    const other = nibbleAt(key, parting)
    const added = new Leaf(undefined, key, value)
    const parted = branch(owner, (1 << one) | (1 << other), one < other ? [old, added] : [added, old])
    return parting === depth ? parted : new Extension(owner, undefined, key, parting, parted)
  }

  /** The node after removing a key below it. */
  #delete(node: TrieNode<V> | undefined, key: ByteText, depth: number): TrieNode<V> | undefined {
    const owner = this.#owner
    if (node === undefined || node.kind === 'leaf') return undefined
    if (node.kind === 'unknown') return this.#delete(contentOf(node, key), key, depth)
    if (node.kind === 'extension') {
      const child = this.#delete(node.child, key, node.end)
      invariant(child !== undefined, 'a branch with fewer than two children')
      if (child.kind !== 'branch') return child
      const edited = editable(node, owner)
      edited.child = child
      return edited
    }
    const nibble = nibbleAt(key, depth)
    const child = this.#delete(childOf(node, nibble), key, depth + 1)
    if (child === undefined) {
      const last = known(onlyOther(node, nibble))
      if (last?.kind === 'branch') return new Extension(owner, undefined, keyBeneath(last), depth + 1, last)
      if (last !== undefined) return moved(last, owner)
    }
    const edited = editable(node, owner)
    setChild(edited, nibble, child)
    return edited
  }
}

/** A node that is about to move up, for which its content has to be known. */
function known<V>(node: TrieNode<V> | undefined): TrieNode<V> | undefined {
  if (node?.kind !== 'unknown') return node
  const { cell } = node
  return cell.node ?? (cell.value ? node : cell.source.missingNode(cell.key, cell.depth))
}

/** The remaining child once the one at `nibble` is removed; `undefined` if there are several. */
function onlyOther<V>(node: Branch<V>, nibble: number): TrieNode<V> | undefined {
  if (node.children.length > 2) return undefined
  const going = childOf(node, nibble)
  return node.children.find((child) => child !== going)
}
