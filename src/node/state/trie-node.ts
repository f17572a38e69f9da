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

/** A branch: at least two children, at most one for each nibble. */
export interface Branch<V> extends NodeBase {
  readonly kind: 'branch'
  /** A bit for each nibble that has a child. */
  mask: number
  /** Those that there are, in the order of their nibbles; changed by {@link setChild} only. */
  children: readonly TrieNode<V>[]
}

/** A branch of a trie that was stored: what is beneath it is read when somebody asks for it. Nobody edits it in place. */
export class StoredBranch<V> implements Branch<V> {
  readonly kind = 'branch'
  readonly owner = NOBODY
  readonly ref: NodeRef
  /** The nodes below it, as bytes. */
  readonly record: Uint8Array
  readonly #read: () => Branch<V>
  #branch: Branch<V> | undefined

  constructor(ref: NodeRef, record: Uint8Array, read: () => Branch<V>) {
    this.ref = ref
    this.record = record
    this.#read = read
  }

  get mask(): number {
    return this.#loaded().mask
  }

  get children(): readonly TrieNode<V>[] {
    return this.#loaded().children
  }

  /** Whether somebody has asked for what is beneath. */
  get isLoaded(): boolean {
    return this.#branch !== undefined
  }

  #loaded(): Branch<V> {
    this.#branch ??= this.#read()
    return this.#branch
  }
}

export function leaf<V>(owner: Owner, key: ByteText, value: V): Leaf<V> {
  return { kind: 'leaf', owner, ref: undefined, key, value }
}

export function extension<V>(owner: Owner, key: ByteText, end: number, child: Branch<V>): Extension<V> {
  return { kind: 'extension', owner, ref: undefined, key, end, child }
}

/** @param children - As `mask` says, in the order of their nibbles. */
export function branch<V>(owner: Owner, mask: number, children: readonly TrieNode<V>[]): Branch<V> {
  return { kind: 'branch', owner, ref: undefined, mask, children }
}

/** The child at a nibble. */
export function childOf<V>({ mask, children }: Branch<V>, nibble: number): TrieNode<V> | undefined {
  const bit = 1 << nibble
  return (mask & bit) === 0 ? undefined : children[countBits(mask & (bit - 1))]
}

/** Puts a child at a nibble of a branch that may be changed, or takes the one that is there away. */
export function setChild<V>(node: Branch<V>, nibble: number, child: TrieNode<V> | undefined): void {
  const { mask } = node
  const children = node.children as TrieNode<V>[]
  const bit = 1 << nibble
  const at = countBits(mask & (bit - 1))
  const isThere = (mask & bit) !== 0
  if (isThere && child !== undefined) {
    children[at] = child
    return
  }
  // A new array, since one that grows takes room for sixteen more. Most branches have two or three children.
  if (child !== undefined) {
    node.mask = mask | bit
    node.children = children.toSpliced(at, 0, child)
  } else if (isThere) {
    node.mask = mask & ~bit
    node.children = children.toSpliced(at, 1)
  }
}

/** Number of bits set, of 16. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x5555)
  const nibbles = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
  const bytes = (nibbles + (nibbles >> 4)) & 0x0f0f
  return (bytes + (bytes >> 8)) & 0x1f
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
  return branch(owner, node.mask, node.children.slice())
}

/** A key beneath the node; any of them has its path. */
export function keyBeneath<V>(node: TrieNode<V>): ByteText {
  let at: TrieNode<V> | undefined = node
  while (at?.kind === 'branch') at = at.children[0]
  if (at === undefined) throw new TypeError('a branch without children')
  return at.key
}
