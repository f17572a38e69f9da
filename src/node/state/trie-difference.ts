import type { ByteText } from './byte-text.ts'
import { nibbleAt } from './nibbles.ts'
import { childOf, type TrieNode } from './trie-node.ts'

/** A key whose value differs between two tries; `undefined` where the trie lacks it. */
export interface TrieChange<V> {
  readonly key: ByteText
  readonly before: V | undefined
  readonly after: V | undefined
}

type Node<V> = TrieNode<V> | undefined

/**
 * The differences between two tries, in key order. Skips shared subtrees, so comparing a trie with its edited branch
 * costs in proportion to the edits.
 *
 * @param before - Root of the earlier trie; `undefined` if empty.
 * @param after - Root of the later trie; `undefined` if empty.
 */
export function* differenceOf<V>(before: Node<V>, after: Node<V>): Generator<TrieChange<V>, void> {
  yield* compare(before, after, 0)
}

/** @param depth - Nibbles of the path that leads to both. */
function* compare<V>(early: Node<V>, late: Node<V>, depth: number): Generator<TrieChange<V>, void> {
  if (early === late || (early?.ref !== undefined && early.ref === late?.ref)) return
  const [before, after] = [contentIn(early), contentIn(late)]
  if (before?.kind === 'branch' || before?.kind === 'extension') return yield* compareChildren(before, after, depth)
  if (after?.kind === 'branch' || after?.kind === 'extension') return yield* compareChildren(before, after, depth)
  // Nobody has changed a leaf that is unknown still, so both tries have it.
  if (before?.kind === 'unknown' || after?.kind === 'unknown') return
  if (before && after && before.key === after.key) {
    if (before.value !== after.value) yield { key: after.key, before: before.value, after: after.value }
    return
  }
  const changes: TrieChange<V>[] = []
  if (before) changes.push({ key: before.key, before: before.value, after: undefined })
  if (after) changes.push({ key: after.key, before: undefined, after: after.value })
  yield* changes.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

/** The content of a node as far as it is known. What is not known is the same in both tries. */
function contentIn<V>(node: Node<V>): Node<V> {
  return node?.kind === 'unknown' ? (node.cell.node ?? node) : node
}

function* compareChildren<V>(before: Node<V>, after: Node<V>, depth: number): Generator<TrieChange<V>, void> {
  for (let nibble = 0; nibble < 16; nibble++) {
    yield* compare(childAt(before, depth, nibble), childAt(after, depth, nibble), depth + 1)
  }
}

/** The child of `node` for `nibble` at `depth`, or the node itself if its path is longer. */
function childAt<V>(node: Node<V>, depth: number, nibble: number): Node<V> {
  if (node === undefined) return undefined
  if (node.kind === 'branch') return childOf(node, nibble)
  if (node.kind === 'unknown') return nibbleAt(node.cell.key, depth) === nibble ? node : undefined
  if (nibbleAt(node.key, depth) !== nibble) return undefined
  return node.kind === 'extension' && node.end === depth + 1 ? node.child : node
}
