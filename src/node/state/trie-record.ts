import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { invariant } from '#primitives/invariant.ts'
import { type ByteText, bytesOfText, byteText } from './byte-text.ts'
import { type EncodeValue, nodeRef } from './trie-encoding.ts'
import {
  type Branch,
  branch,
  NOBODY,
  type NodeRef,
  replaceChild,
  StoredBranch,
  setChild,
  type TrieNode,
} from './trie-node.ts'

/** Largest number of entries below a branch that are decoded together, when one of them is accessed. */
const TOGETHER = 64
/** Bytes up to which a record is kept. A longer one has the storage of contracts, whose own records are kept. */
const LONGEST_KEPT = 8_192
/** Nibbles of the longest allowed key, 54 bytes. */
const MAX_DEPTH = 108
/** The byte before a node. */
const MARKS = { none: 0, entries: 1, stored: 2, open: 3 } as const

/** Encoding of a trie's entries. */
export interface EntryFormat<V> {
  /** Returns what is left to do of a value that takes long. */
  write(writer: ByteWriter, value: V): Generator<void, void> | undefined
  read(reader: ByteReader): readonly [key: ByteText, value: V]
}

/** Settings that the nodes of one trie share. */
export interface RecordContext<V> {
  readonly format: EntryFormat<V>
  readonly encode: EncodeValue<V>
  /** The node at `depth` that holds the entries. */
  readonly build: (entries: readonly (readonly [key: ByteText, value: V])[], depth: number) => TrieNode<V> | undefined
}

/** The encoded entries below a branch. */
interface KeptRecord {
  readonly ref: NodeRef
  readonly record: Uint8Array
}

/** Valid while the branch keeps its reference. */
const records = new WeakMap<object, KeptRecord>()

/**
 * Writes a node and everything below it. Yields between steps; the nodes must not be edited meanwhile.
 *
 * @param depth - Nibbles above the node.
 * @param packs - Whether what has not changed since it was last written stays in memory as its bytes only, some 80 for an
 *   account instead of 300, and what was read of them since is let go of unless it was read since the last time, too.
 */
export function* writeNode<V>(
  writer: ByteWriter,
  node: TrieNode<V> | undefined,
  depth: number,
  context: RecordContext<V>,
  packs: boolean,
): Generator<void, void> {
  if (node === undefined) {
    writer.uint(MARKS.none)
    return
  }
  const ref = nodeRef(node, depth, context.encode)
  if (node.kind !== 'branch' || ref.length < 32) {
    writer.uint(MARKS.entries).fixed(yield* entriesOf(node, context.format))
  } else if (node instanceof StoredBranch && node.holds === 'nodes') {
    writer.fixed(node.record)
    yield
  } else if (isSmall(node)) {
    const record = yield* recordOf(node, ref, context.format)
    writer.uint(MARKS.stored).fixed(bytesOfText(ref)).bytes(record)
    yield
  } else {
    writer.uint(MARKS.open).uint(node.mask)
    for (const [at, child] of node.children.entries()) {
      const packed = packs ? packedOf(child, depth + 1, context) : undefined
      yield* writeNode(writer, child, depth + 1, context, packs)
      if (packed) replaceChild(node, at, packed)
    }
  }
}

/** The node as a stored branch, if it has not changed since it was last written. */
function packedOf<V>(node: TrieNode<V>, depth: number, context: RecordContext<V>): StoredBranch<V> | undefined {
  if (node instanceof StoredBranch) {
    node.rest()
    return undefined
  }
  const known = records.get(node)
  return known && known.ref === node.ref ? packedBranch(known, depth, context) : undefined
}

/** In a function of its own, so that the branch does not hold what it replaces. */
function packedBranch<V>({ ref, record }: KeptRecord, depth: number, context: RecordContext<V>): StoredBranch<V> {
  return new StoredBranch(ref, record, 'entries', () => storedBranch(record, ref, depth, context))
}

/**
 * Reads what {@link writeNode} wrote. Entries stored together are decoded when one of them is accessed, and so are the
 * lowest branches above them: a large state has tens of thousands of places where entries are stored together.
 */
export function readNode<V>(reader: ByteReader, depth: number, context: RecordContext<V>): TrieNode<V> | undefined {
  if (depth > MAX_DEPTH) throw new ByteReaderError(`a trie is deeper than the ${MAX_DEPTH} nibbles of its keys`)
  const mark = reader.uint()
  switch (mark) {
    case MARKS.none:
      return undefined
    case MARKS.entries:
      return context.build(readEntries(reader, context.format), depth)
    case MARKS.stored: {
      const ref = byteText(reader.fixed(32))
      const record = reader.bytes()
      return packedBranch({ ref, record }, depth, context)
    }
    case MARKS.open:
      return readOpen(reader, depth, context)
    default:
      throw new ByteReaderError(`no node of a trie begins with ${mark}`)
  }
}

/** Reads an open branch, after its mark. What is below it was read once when this returns, even if it is not kept. */
function readOpen<V>(reader: ByteReader, depth: number, context: RecordContext<V>): Branch<V> {
  const start = reader.position - 1
  const read = readChildren(reader, depth, context)
  if (!read.children.every(isLow)) return read
  const ref = nodeRef(read, depth, context.encode)
  if (ref.length < 32) return read
  const record = reader.since(start)
  return new StoredBranch(ref, record, 'nodes', () => readChildren(new ByteReader(record, 1), depth, context))
}

function isLow<V>(node: TrieNode<V>): boolean {
  return node.kind !== 'branch' || (node instanceof StoredBranch && node.holds === 'entries')
}

function readChildren<V>(reader: ByteReader, depth: number, context: RecordContext<V>): Branch<V> {
  const mask = reader.uint()
  if (mask > 0xffff) throw new ByteReaderError('a branch has more than 16 children')
  const read = branch<V>(NOBODY, 0, [])
  for (let nibble = 0; nibble < 16; nibble++) {
    if (mask & (1 << nibble)) setChild(read, nibble, readNode(reader, depth + 1, context))
  }
  return read
}

/** @throws {InvariantError} If the entries are not those that the branch had. */
function storedBranch<V>(record: Uint8Array, ref: NodeRef, depth: number, context: RecordContext<V>): Branch<V> {
  const node = context.build(readEntries(new ByteReader(record), context.format), depth)
  invariant(
    node?.kind === 'branch' && nodeRef(node, depth, context.encode) === ref,
    'what is stored of the state is not what its hash says',
  )
  return node
}

function isSmall<V>(node: TrieNode<V>): boolean {
  return node instanceof StoredBranch || count(node, TOGETHER + 1) <= TOGETHER
}

/** The number of entries below a node, capped at `most`. */
function count<V>(node: TrieNode<V>, most: number): number {
  if (node.kind === 'leaf' || node.kind === 'unknown') return 1
  if (node.kind === 'extension') return count(node.child, most)
  // A branch that is not decoded counts as `most`, so that counting does not decode it.
  const children = node instanceof StoredBranch ? node.decoded : node.children
  if (children === undefined) return most
  let found = 0
  for (const child of children) {
    found += count(child, most - found)
    if (found >= most) return most
  }
  return found
}

function* recordOf<V>(node: TrieNode<V>, ref: NodeRef, format: EntryFormat<V>): Generator<void, Uint8Array> {
  if (node instanceof StoredBranch) return node.record
  const known = records.get(node)
  if (known?.ref === ref) return known.record
  const record = yield* entriesOf(node, format)
  if (record.length <= LONGEST_KEPT) records.set(node, { ref, record })
  return record
}

function* entriesOf<V>(node: TrieNode<V>, format: EntryFormat<V>): Generator<void, Uint8Array> {
  const values = [...valuesOf(node)]
  const writer = new ByteWriter().uint(values.length)
  for (const value of values) {
    const rest = format.write(writer, value)
    if (rest) yield* rest
  }
  return writer.finish()
}

function* valuesOf<V>(node: TrieNode<V>): Generator<V, void> {
  if (node.kind === 'leaf') yield node.value
  else if (node.kind === 'unknown') yield* valuesOf(node.cell.node ?? node.cell.source.missing(undefined))
  else if (node.kind === 'extension') yield* valuesOf(node.child)
  else for (const child of node.children) yield* valuesOf(child)
}

function readEntries<V>(reader: ByteReader, format: EntryFormat<V>) {
  return reader.list(() => format.read(reader))
}
