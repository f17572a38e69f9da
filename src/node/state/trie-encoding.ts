import { invariant } from '#primitives/invariant.ts'
import { keccak256View } from '../crypto/keccak.ts'
import { type ByteText, byteText, writeText } from './byte-text.ts'
import { nibbleAt } from './nibbles.ts'
import type { NodeRef, TrieNode } from './trie-node.ts'

/** Encodes a leaf's value; the bytes become an RLP string. The result is copied before the next call. */
export type EncodeValue<V> = (value: V) => Uint8Array

/** Space for the list header before a payload: one byte and a length of up to four bytes. */
const HEADER = 5
/** Payload of the largest branch: 16 hashes and the empty value. */
const BRANCH = 16 * 33 + 1
/** Longest key, in bytes, whose hex-prefix path still has a one-byte RLP header. */
const MAX_KEY = 54

/** Nodes are encoded here one at a time. No node is half-written while a child or a value is encoded. */
let scratch = new Uint8Array(HEADER + BRANCH)

/**
 * The reference to a node in its parent: the hash of its RLP, or the RLP itself if shorter than 32 bytes.
 *
 * @param depth - Nibbles above the node.
 * @see Yellow Paper, appendix D
 */
export function nodeRef<V>(node: TrieNode<V>, depth: number, encode: EncodeValue<V>): NodeRef {
  if (node.ref !== undefined) return node.ref
  const rlp = write(node, depth, encode)
  const ref = byteText(rlp.length < 32 ? rlp : keccak256View(rlp))
  node.ref = ref
  return ref
}

/** The RLP of a node; parameters as in {@link nodeRef}. */
export function nodeRlp<V>(node: TrieNode<V>, depth: number, encode: EncodeValue<V>): Uint8Array {
  return write(node, depth, encode).slice()
}

/** The RLP of a node as a view of the scratch space, valid until the next call. */
function write<V>(node: TrieNode<V>, depth: number, encode: EncodeValue<V>): Uint8Array {
  let offset = HEADER
  if (node.kind === 'branch') {
    const { mask, children } = node
    for (const child of children) nodeRef(child, depth + 1, encode)
    let at = 0
    for (let nibble = 0; nibble < 16; nibble++) {
      const ref = (mask & (1 << nibble)) === 0 ? undefined : children[at++]?.ref
      if (ref === undefined) scratch[offset++] = 0x80
      else offset = writeRef(ref, offset)
    }
    scratch[offset++] = 0x80
  } else if (node.kind === 'extension') {
    const ref = nodeRef(node.child, node.end, encode)
    offset = writePath(node.key, depth, node.end, false, offset)
    offset = writeRef(ref, offset)
  } else {
    const value = node.kind === 'leaf' ? encode(node.value) : node.cell.value
    invariant(value, 'an unknown node was changed')
    const { key } = node.kind === 'leaf' ? node : node.cell
    reserve(HEADER + 1 + MAX_KEY + 1 + HEADER + value.length)
    offset = writePath(key, depth, 2 * key.length, true, offset)
    offset = writeString(value, offset)
  }
  const start = writeHeaderBefore(HEADER, offset - HEADER)
  return scratch.subarray(start, offset)
}

function reserve(size: number): void {
  if (scratch.length < size) scratch = new Uint8Array(2 * size)
}

function writeRef(ref: NodeRef, offset: number): number {
  let at = offset
  if (ref.length === 32) scratch[at++] = 0xa0
  return writeText(ref, scratch, at)
}

/** Hex-prefix encoding of the key's nibbles `from … to − 1`. */
function writePath(key: ByteText, from: number, to: number, isLeaf: boolean, offset: number): number {
  invariant(key.length <= MAX_KEY, 'a trie key longer than 54 bytes')
  let at = offset
  const odd = (to - from) & 1
  const length = 1 + ((to - from) >> 1)
  if (length > 1) scratch[at++] = 0x80 + length
  const flag = isLeaf ? 0x20 : 0
  scratch[at++] = odd === 1 ? flag | 0x10 | nibbleAt(key, from) : flag
  let position = from + odd
  if ((position & 1) === 0) {
    for (; position < to; position += 2) scratch[at++] = key.charCodeAt(position >> 1)
  } else {
    for (; position < to; position += 2) scratch[at++] = (nibbleAt(key, position) << 4) | nibbleAt(key, position + 1)
  }
  return at
}

function writeString(bytes: Uint8Array, offset: number): number {
  let at = offset
  const length = bytes.length
  if (length === 1 && (bytes[0] as number) < 0x80) {
    scratch[at] = bytes[0] as number
    return at + 1
  }
  if (length < 56) {
    scratch[at++] = 0x80 + length
  } else {
    const size = byteLength(length)
    scratch[at++] = 0xb7 + size
    for (let shift = 8 * (size - 1); shift >= 0; shift -= 8) scratch[at++] = length >>> shift
  }
  scratch.set(bytes, at)
  return at + length
}

/**
 * Writes the header of a list of `length` payload bytes so that it ends at `offset`. @returns Where the header starts.
 */
function writeHeaderBefore(offset: number, length: number): number {
  let at = offset
  if (length < 56) {
    scratch[--at] = 0xc0 + length
    return at
  }
  for (let rest = length; rest > 0; rest >>>= 8) scratch[--at] = rest
  scratch[--at] = 0xf7 + byteLength(length)
  return at
}

function byteLength(value: number): number {
  return value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x100_0000 ? 3 : 4
}
