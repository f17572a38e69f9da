import type { Hex } from '#primitives/hex.ts'
import type { ByteText } from './byte-text.ts'
import { firstDifference } from './nibbles.ts'

/** Identifies the editor that may change a node in place: the one that created it since its last branch. */
export type Owner = number

/** The owner of nodes that every editor must copy. */
export const NOBODY: Owner = 0

let owners: Owner = NOBODY

/** Creates a unique owner. */
export function newOwner(): Owner {
  return ++owners
}

/**
 * A node of a trie whose branches carry no value. A node does not store its depth (in nibbles); its parent implies it.
 * Leaves and extensions keep a whole key (a leaf its own, an extension that of any leaf below it) instead of a slice of
 * nibbles, so a node can move up or down without a new path.
 */
export type TrieNode<V> = Leaf<V> | Extension<V> | Branch<V> | Unknown<V>

/** A node's hash (32 bytes), or its RLP if that is shorter. */
export type NodeRef = ByteText

// A state has hundreds of thousands of nodes. As classes they have their kinds in their prototypes.

/** The end of a key: its path is all nibbles from the node's depth on. Never changed: its parent gets another. */
export class Leaf<V> {
  /** Computed on demand. */
  ref: NodeRef | undefined
  readonly key: ByteText
  readonly value: V

  constructor(ref: NodeRef | undefined, key: ByteText, value: V) {
    this.ref = ref
    this.key = key
    this.value = value
  }

  get kind(): 'leaf' {
    return 'leaf'
  }
}

/** The nibbles shared by all keys below: those of `key` from the node's depth up to `end`. */
export class Extension<V> {
  readonly owner: Owner
  /** Computed on demand; `undefined` after each change below. */
  ref: NodeRef | undefined
  readonly key: ByteText
  readonly end: number
  child: Branch<V> | Unknown<V>

  constructor(owner: Owner, ref: NodeRef | undefined, key: ByteText, end: number, child: Branch<V> | Unknown<V>) {
    this.owner = owner
    this.ref = ref
    this.key = key
    this.end = end
    this.child = child
  }

  get kind(): 'extension' {
    return 'extension'
  }
}

/** A branch with at least two children, at most one per nibble. */
export interface Branch<V> {
  readonly kind: 'branch'
  readonly owner: Owner
  /** Computed on demand; `undefined` after each change below. */
  ref: NodeRef | undefined
  /** One bit per nibble, set if it has a child. */
  mask: number
  /** The existing children, in nibble order; changed only by {@link setChild}. */
  children: readonly TrieNode<V>[]
}

class OpenBranch<V> implements Branch<V> {
  readonly owner: Owner
  ref: NodeRef | undefined = undefined
  mask: number
  children: readonly TrieNode<V>[]

  constructor(owner: Owner, mask: number, children: readonly TrieNode<V>[]) {
    this.owner = owner
    this.mask = mask
    this.children = children
  }

  get kind(): 'branch' {
    return 'branch'
  }
}

/**
 * A node of which only the hash is known, as in the state of a forked chain. All tries that share it share its `cell`
 * and see the content once that is revealed.
 */
export class Unknown<V> {
  /** Computed on demand for a leaf that has moved to another depth; any other has that which its parent says. */
  ref: NodeRef | undefined
  readonly cell: Cell<V>

  constructor(ref: NodeRef | undefined, cell: Cell<V>) {
    this.ref = ref
    this.cell = cell
  }

  get kind(): 'unknown' {
    return 'unknown'
  }
}

/** The place of an unknown node's content. */
export interface Cell<V> {
  /** A key whose first `depth` nibbles are the path to the node; for a leaf without a known preimage its whole key. */
  key: ByteText
  depth: number
  /** The content, once it is known; not itself unknown. */
  node: TrieNode<V> | undefined
  /** The encoded value of a leaf, where the preimage of its key is not known. */
  value: Uint8Array | undefined
  readonly source: CellSource
}

/** Where the contents of a trie's unknown nodes come from. */
export interface CellSource {
  /** Throws an error that says what is missing. @param preimage - That of the key; left out to list a trie. */
  readonly missing: (preimage: Hex | undefined) => never
  /** Reports a missing node that has to move up in the trie: any key with its path tells of it. */
  readonly missingNode: (key: ByteText, depth: number) => never
}

/** A branch of which the bytes are kept. Its children are decoded on first access. It is never edited in place. */
export class StoredBranch<V> implements Branch<V> {
  readonly kind = 'branch'
  readonly owner = NOBODY
  readonly ref: NodeRef
  /** The encoded entries below it, or the node itself as it is stored, whose children are stored branches or entries. */
  readonly record: Uint8Array
  readonly holds: 'entries' | 'nodes'
  readonly #read: () => Branch<V>
  #branch: Branch<V> | undefined
  /** Whether somebody has asked for its children since it was last {@link rest}ed. */
  #isUsed = false

  constructor(ref: NodeRef, record: Uint8Array, holds: 'entries' | 'nodes', read: () => Branch<V>) {
    this.ref = ref
    this.record = record
    this.holds = holds
    this.#read = read
  }

  get mask(): number {
    return this.#loaded().mask
  }

  get children(): readonly TrieNode<V>[] {
    return this.#loaded().children
  }

  /** The children if they have been decoded, for one who does not use them. */
  get decoded(): readonly TrieNode<V>[] | undefined {
    return this.#branch?.children
  }

  /** Lets go of its children if nobody has asked for them since the last time. */
  rest(): void {
    if (!this.#isUsed) this.#branch = undefined
    this.#isUsed = false
    for (const child of this.#branch?.children ?? []) if (child instanceof StoredBranch) child.rest()
  }

  #loaded(): Branch<V> {
    this.#isUsed = true
    this.#branch ??= this.#read()
    return this.#branch
  }
}

/** @param children - As `mask` says, in the order of their nibbles. */
export function branch<V>(owner: Owner, mask: number, children: readonly TrieNode<V>[]): Branch<V> {
  return new OpenBranch(owner, mask, children)
}

/**
 * The content of an unknown node; `undefined` where no key below it can be `key`.
 *
 * @throws What the source throws if the content is missing.
 */
export function contentOf<V>({ cell }: Unknown<V>, key: ByteText, preimage?: Hex): TrieNode<V> | undefined {
  const { node, depth, source } = cell
  if (node) return node
  return firstDifference(cell.key, key, 0, depth) < depth ? undefined : source.missing(preimage)
}

/** The child at a nibble. */
export function childOf<V>({ mask, children }: Branch<V>, nibble: number): TrieNode<V> | undefined {
  const bit = 1 << nibble
  return (mask & bit) === 0 ? undefined : children[countBits(mask & (bit - 1))]
}

/** Puts the same child in another form; earlier states may share the branch, for its content stays. */
export function replaceChild<V>(node: Branch<V>, at: number, child: TrieNode<V>): void {
  const children = node.children as TrieNode<V>[]
  children[at] = child
}

/** Sets or removes the child at a nibble of a branch that may be changed in place. */
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
  // A new array, since one that grows reserves space for sixteen more. Most branches have two or three children.
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

/**
 * A node that `owner` may change, with its reference cleared: the node itself if `owner` owns it, else a copy. The
 * original is then only of earlier states. So it loses its reference as well, a sixth of its memory: few ask for their
 * proofs, and then it is computed again.
 */
export function editable<V>(node: Extension<V>, owner: Owner): Extension<V>
export function editable<V>(node: Branch<V>, owner: Owner): Branch<V>
export function editable<V>(node: Extension<V> | Branch<V>, owner: Owner): Extension<V> | Branch<V>
export function editable<V>(node: Extension<V> | Branch<V>, owner: Owner): Extension<V> | Branch<V> {
  // What others have made may have a reference that is all that is known of it.
  if (node.owner !== NOBODY) node.ref = undefined
  if (node.owner === owner) return node
  if (node.kind === 'extension') return new Extension(owner, undefined, node.key, node.end, node.child)
  return branch(owner, node.mask, node.children.slice())
}

/** The node at another depth of a trie of that owner. */
export function moved<V>(node: TrieNode<V>, owner: Owner): TrieNode<V> {
  if (node.kind === 'leaf') return new Leaf(undefined, node.key, node.value)
  if (node.kind === 'unknown') return new Unknown(undefined, node.cell)
  return editable(node, owner)
}

/** A key below the node; all such keys share its path. */
export function keyBeneath<V>(node: TrieNode<V>): ByteText {
  let at: TrieNode<V> | undefined = node
  while (at?.kind === 'branch') at = at.children[0]
  if (at === undefined) throw new TypeError('a branch without children')
  return at.kind === 'unknown' ? at.cell.key : at.key
}
