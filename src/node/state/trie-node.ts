import type { ByteText } from './byte-text.ts'

/** Marks the nodes that one editor may change in place: those it made since its last fork. */
export type Owner = number

/** The owner of nodes that everybody has to copy. */
export const NOBODY: Owner = 0

let owners: Owner = NOBODY

/** An owner that there was not before. */
export function newOwner(): Owner {
  return ++owners
}

/**
 * A node of a trie whose branches carry no value. No node stores its depth in nibbles, its parent implies it. Leaves and
 * extensions keep a whole key (a leaf its own, an extension one of those beneath it) instead of a slice of its nibbles,
 * so a node can move up or down without a new path.
 */
export type TrieNode<V> = Leaf<V> | Extension<V> | Branch<V>

/** Hash (32 bytes) of a node, or its RLP itself where that is shorter. */
export type NodeRef = ByteText

interface NodeBase {
  readonly owner: Owner
  /** `undefined` until asked for and after each change beneath. */
  ref: NodeRef | undefined
}

/** The end of a key: the path is all of its nibbles from the node's depth on. */
export interface Leaf<V> extends NodeBase {
  readonly kind: 'leaf'
  readonly key: ByteText
  value: V
}

/** The nibbles that all keys beneath share: those of `key` from the node's depth up to `end`. */
export interface Extension<V> extends NodeBase {
  readonly kind: 'extension'
  readonly key: ByteText
  readonly end: number
  child: Branch<V>
}

/** Where keys part: one child a nibble, at least two of them present. */
export interface Branch<V> extends NodeBase {
  readonly kind: 'branch'
  readonly children: (TrieNode<V> | undefined)[]
}

/** A branch of a trie that was stored: what is beneath it is read when somebody asks for it. Nobody edits it in place. */
export class StoredBranch<V> implements Branch<V> {
  readonly kind = 'branch'
  readonly owner = NOBODY
  readonly ref: NodeRef
  /** What is beneath it, as bytes. */
  readonly record: Uint8Array
  readonly #read: () => (TrieNode<V> | undefined)[]
  #children: (TrieNode<V> | undefined)[] | undefined

  constructor(ref: NodeRef, record: Uint8Array, read: () => (TrieNode<V> | undefined)[]) {
    this.ref = ref
    this.record = record
    this.#read = read
  }

  get children(): (TrieNode<V> | undefined)[] {
    this.#children ??= this.#read()
    return this.#children
  }

  /** Whether somebody has asked for what is beneath. */
  get isLoaded(): boolean {
    return this.#children !== undefined
  }
}

export function leaf<V>(owner: Owner, key: ByteText, value: V): Leaf<V> {
  return { kind: 'leaf', owner, ref: undefined, key, value }
}

export function extension<V>(owner: Owner, key: ByteText, end: number, child: Branch<V>): Extension<V> {
  return { kind: 'extension', owner, ref: undefined, key, end, child }
}

export function branch<V>(owner: Owner, children: (TrieNode<V> | undefined)[]): Branch<V> {
  return { kind: 'branch', owner, ref: undefined, children }
}

/** The node to change in the name of `owner`, without a reference: itself where it is the owner's, else a copy. */
export function editable<V>(node: Leaf<V>, owner: Owner): Leaf<V>
export function editable<V>(node: Extension<V>, owner: Owner): Extension<V>
export function editable<V>(node: Branch<V>, owner: Owner): Branch<V>
export function editable<V>(node: TrieNode<V>, owner: Owner): TrieNode<V>
export function editable<V>(node: TrieNode<V>, owner: Owner): TrieNode<V> {
  if (node.owner === owner) {
    node.ref = undefined
    return node
  }
  if (node.kind === 'leaf') return leaf(owner, node.key, node.value)
  if (node.kind === 'extension') return extension(owner, node.key, node.end, node.child)
  return branch(owner, node.children.slice())
}

/** A key beneath the node; any of them has its path. */
export function keyBeneath<V>(node: TrieNode<V>): ByteText {
  let at: TrieNode<V> | undefined = node
  while (at?.kind === 'branch') at = at.children.find((child) => child !== undefined)
  if (at === undefined) throw new TypeError('a branch without children')
  return at.key
}
