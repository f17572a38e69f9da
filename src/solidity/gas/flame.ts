/** Kinds of nodes in the flame graph. */
export type FlameKind =
  /** The whole transaction. */
  | 'transaction'
  /** Intrinsic gas, paid before the first step. */
  | 'intrinsic'
  /** Added if the floor price of the input (EIP-7623) is above what the execution used. */
  | 'floor'
  /** Gas that is refunded; negative. */
  | 'refund'
  /** A frame: a call or a creation. */
  | 'frame'
  /** An internal function. */
  | 'function'
  /** The sum of nodes beyond the limit. */
  | 'others'

/** A node of the flame graph: all calls of one function along the same path. Amounts are in gas. */
export interface FlameNode {
  readonly kind: FlameKind
  /** `Token.transfer`, `Token._update`; an address for unknown code. */
  readonly name: string
  /** How often it ran. */
  readonly runs: number
  /** Gas without its children. */
  readonly self: number
  /** Exactly `self` plus the `total` of all children. */
  readonly total: number
  /** Largest first. */
  readonly children: readonly FlameNode[]
}

/** Most nodes of one flame graph. */
export const FLAME_NODE_LIMIT = 20_000
/** Deepest node. */
export const FLAME_DEPTH_LIMIT = 512

/** A node while steps are being counted. */
export class GrowingNode {
  readonly kind: FlameKind
  readonly name: string
  readonly depth: number
  runs = 0
  self = 0
  readonly #tree: { nodes: number }
  readonly #children = new Map<string, GrowingNode>()

  constructor(kind: FlameKind, name: string, depth = 0, tree = { nodes: 0 }) {
    this.kind = kind
    this.name = name
    this.depth = depth
    this.#tree = tree
    tree.nodes++
  }

  /** The child of this kind and name. Beyond the limits: a child for all others, or the node itself. */
  child(kind: FlameKind, name: string): GrowingNode {
    const key = `${kind} ${name}`
    const known = this.#children.get(key)
    if (known) return known
    if (this.depth >= FLAME_DEPTH_LIMIT) return this
    const isFull = this.#tree.nodes >= FLAME_NODE_LIMIT
    if (isFull && this.kind === 'others') return this
    if (isFull && kind !== 'others') return this.child('others', 'others')
    const made = new GrowingNode(kind, name, this.depth + 1, this.#tree)
    this.#children.set(key, made)
    return made
  }

  finish(): FlameNode {
    const children = [...this.#children.values()].map((child) => child.finish()).toSorted((a, b) => b.total - a.total)
    const { kind, name, runs, self } = this
    return { kind, name, runs, self, total: children.reduce((sum, { total }) => sum + total, self), children }
  }
}
