import { type NestedUint8Array, RLP } from '@ethereumjs/rlp'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { type ByteText, byteText } from '../state/byte-text.ts'
import { firstDifference, nibbleAt } from '../state/nibbles.ts'
import {
  branch,
  type Cell,
  type CellSource,
  childOf,
  Extension,
  Leaf,
  NOBODY,
  type NodeRef,
  setChild,
  type TrieNode,
  Unknown,
} from '../state/trie-node.ts'

/** A proof does not lead from the root to what it is about. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
}

type Item = Uint8Array | NestedUint8Array

/** Finds a node that is next on the way to a key, by its hash. */
export type FindNode = (hash: NodeRef) => Uint8Array | undefined

/** The root of a trie of which only the hash is known. */
export function unknownRoot<V>(hash: Hash, source: CellSource): Unknown<V> {
  return new Unknown(byteText(hexToBytes(hash)), hashedCell('', 0, source))
}

/**
 * Checks a Merkle proof and puts its nodes into the trie, for every trie that shares the root.
 *
 * @param proof - RLP of the nodes from the root on, as `eth_getProof` answers them, or what finds them; it may prove that
 * there is nothing.
 * @param leafOf - Makes the value out of the encoded one; may throw a {@link ProofError}.
 * @param onNew - Called with each node that was not known.
 * @returns The value under the key; `undefined` if it is proven that there is none.
 * @throws {ProofError} If a node has another hash than its parent says, is no node, or is missing. What was checked
 * before that stays.
 */
export function reveal<V>(
  root: Unknown<V>,
  key: ByteText,
  proof: readonly Uint8Array[] | FindNode,
  leafOf: (value: Uint8Array) => V,
  onNew?: (rlp: Uint8Array) => void,
): V | undefined {
  let node: TrieNode<V> | undefined = root
  let depth = 0
  let used = 0
  while (node !== undefined) {
    switch (node.kind) {
      case 'unknown': {
        const { cell, ref }: Unknown<V> = node
        if (ref?.length === 32) {
          const at = used++
          if (!cell.node && !cell.value) {
            const rlp = typeof proof === 'function' ? proof(ref) : proof[at]
            if (!rlp) throw new ProofError(`it ends above node ${depth} of the path`)
            fill(cell, ref, rlp, key, depth)
            onNew?.(rlp)
          }
        }
        if (cell.value && !cell.node) {
          if (cell.key !== key) return undefined
          cell.node = new Leaf(ref, key, leafOf(cell.value))
        }
        node = cell.node
        break
      }
      case 'leaf':
        return node.key === key ? node.value : undefined
      case 'extension':
        if (firstDifference(node.key, key, depth, node.end) < node.end) return undefined
        depth = node.end
        node = node.child
        break
      case 'branch':
        node = childOf(node, nibbleAt(key, depth++))
        break
      default:
        return node satisfies never
    }
  }
  return undefined
}

function hashedCell<V>(key: ByteText, depth: number, source: CellSource): Cell<V> {
  return { key, depth, node: undefined, value: undefined, source }
}

/** Puts a node's content into its cell. */
function fill<V>(cell: Cell<V>, ref: NodeRef, rlp: Uint8Array, key: ByteText, depth: number): void {
  if (byteText(keccak256(rlp)) !== ref) throw new ProofError(`the node at ${depth} of the path has another hash`)
  fillWith(cell, ref, decode(rlp), pathOf(key, depth), depth)
}

function decode(rlp: Uint8Array): Item {
  try {
    return RLP.decode(rlp)
  } catch (error) {
    throw new ProofError('a node is not RLP', { cause: error })
  }
}

/** @param path - Nibbles of the way to the node. */
function fillWith<V>(cell: Cell<V>, ref: NodeRef, item: Item, path: Path, depth: number): void {
  const { source } = cell
  if (!Array.isArray(item)) throw noNode()
  if (item.length === 17) {
    const made = branch<V>(NOBODY, 0, [])
    for (let nibble = 0; nibble < 16; nibble++) {
      const child = item[nibble] as Item
      if (child.length > 0) setChild(made, nibble, childNode(child, path.with(depth, [nibble]), depth + 1, source))
    }
    if (made.children.length < 2 || (item[16] as Item).length > 0 || depth >= path.nibbles) throw noNode()
    made.ref = ref
    cell.node = made
    return
  }
  const [encoded, content] = item
  if (item.length !== 2 || !(encoded instanceof Uint8Array) || content === undefined) throw noNode()
  const { nibbles, isLeaf } = decodePath(encoded)
  const end = depth + nibbles.length
  const below = path.with(depth, nibbles)
  if (isLeaf) {
    if (end !== path.nibbles || !(content instanceof Uint8Array) || content.length === 0) throw noNode()
    cell.key = below.key
    cell.depth = end
    cell.value = content
    return
  }
  const child = childNode<V>(content, below, end, source)
  const isBranch = child.kind === 'branch' || (child.kind === 'unknown' && !child.cell.value)
  if (nibbles.length === 0 || end >= path.nibbles || !isBranch) throw noNode()
  cell.node = new Extension(NOBODY, ref, below.key, end, child)
}

function childNode<V>(item: Item, path: Path, depth: number, source: CellSource): TrieNode<V> {
  if (item instanceof Uint8Array) {
    if (item.length !== 32) throw noNode()
    return new Unknown(byteText(item), hashedCell(path.key, depth, source))
  }
  // A node below 32 bytes is in its parent.
  const ref = byteText(RLP.encode(item))
  if (ref.length >= 32) throw noNode()
  const cell = hashedCell<V>(path.key, depth, source)
  fillWith(cell, ref, item, path, depth)
  return cell.node ?? new Unknown(ref, cell)
}

/** Undoes the hex-prefix encoding. */
function decodePath(encoded: Uint8Array): { readonly nibbles: readonly number[]; readonly isLeaf: boolean } {
  const first = encoded[0] ?? 0xff
  const isOdd = (first & 0x10) !== 0
  if (first > 0x3f || (!isOdd && (first & 0xf) !== 0)) throw noNode()
  const nibbles = Array.from(encoded).flatMap((byte) => [byte >> 4, byte & 15])
  return { nibbles: nibbles.slice(isOdd ? 1 : 2), isLeaf: (first & 0x20) !== 0 }
}

/** Nibbles of a way through the trie, as a key that ends in zeros. */
interface Path {
  readonly key: ByteText
  /** Nibbles of a whole key. */
  readonly nibbles: number
  /** The path with these nibbles from `at` on, as far as there is room. */
  with(at: number, nibbles: readonly number[]): Path
}

function pathOf(key: ByteText, depth: number): Path {
  const bytes = new Uint8Array(key.length)
  for (let at = 0; at < depth; at++) write(bytes, at, nibbleAt(key, at))
  return pathIn(bytes)
}

function pathIn(bytes: Uint8Array): Path {
  return {
    key: byteText(bytes),
    nibbles: 2 * bytes.length,
    with(at, nibbles) {
      const copy = bytes.slice()
      for (const [i, nibble] of nibbles.entries()) if (at + i < 2 * bytes.length) write(copy, at + i, nibble)
      return pathIn(copy)
    },
  }
}

function write(bytes: Uint8Array, at: number, nibble: number): void {
  bytes[at >> 1] = (bytes[at >> 1] as number) | ((at & 1) === 0 ? nibble << 4 : nibble)
}

function noNode(): ProofError {
  return new ProofError('a node is malformed')
}
