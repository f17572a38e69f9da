import type { Run, RunFrame } from './run.ts'

/** Something that used gas: a call, a function in it, or a charge outside the execution. */
export interface GasNode {
  readonly kind: 'transaction' | 'intrinsic' | 'floor' | 'call' | 'function'
  /** Gas, including the nodes inside. */
  readonly gas: number
  /** Gas without the nodes inside. */
  readonly own: number
  /** Frame of the node; `undefined` for a function or a charge outside the execution. */
  readonly frame: RunFrame | undefined
  /** A function's name from the sources. */
  readonly name: string | undefined
  readonly children: readonly GasNode[]
}

/** A transaction's gas. `top.gas` − `refund` is exactly the receipt's. */
export interface GasTree {
  readonly top: GasNode
  /** Gas that was refunded. */
  readonly refund: number
  /** As in the receipt. */
  readonly used: number
}

const paid = (kind: 'intrinsic' | 'floor', quantity: string): readonly GasNode[] => {
  const gas = Number(quantity)
  return gas === 0 ? [] : [{ kind, gas, own: gas, frame: undefined, name: undefined, children: [] }]
}

/** The gas of a run, by call. */
export function gasTree({ frames, trace }: Run): GasTree {
  const [first] = frames
  const children = [
    ...paid('intrinsic', trace.intrinsicGas),
    ...(first ? [callNode(frames, first)] : []),
    ...paid('floor', trace.floorGas),
  ]
  const gas = children.reduce((sum, child) => sum + child.gas, 0)
  return {
    top: { kind: 'transaction', gas, own: 0, frame: undefined, name: undefined, children },
    refund: Number(trace.refund),
    used: Number(trace.gasUsed),
  }
}

/** Not recursive: calls nest as deep as the EVM allows. */
function callNode(frames: readonly RunFrame[], top: RunFrame): GasNode {
  const nodes = new Map<number, GasNode>()
  for (const frame of frames.toReversed()) {
    const children = frame.children.flatMap((index) => nodes.get(index) ?? [])
    const gas = Number(frame.gasUsed)
    const inside = children.reduce((sum, child) => sum + child.gas, 0)
    nodes.set(frame.index, { kind: 'call', gas, own: gas - inside, frame, name: undefined, children })
  }
  const node = nodes.get(top.index)
  if (!node) throw new RangeError('a run has a first frame')
  return node
}

/** A node's place in a drawing: its left edge, in gas, and its depth. */
export interface GasBox {
  readonly node: GasNode
  readonly left: number
  readonly depth: number
}

/**
 * Boxes of a flame graph, parents before children.
 *
 * @param least - Nodes with less gas are left out, with everything inside them.
 */
export function gasBoxes(top: GasNode, least: number): readonly GasBox[] {
  const boxes: GasBox[] = []
  const waiting: GasBox[] = [{ node: top, left: 0, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    boxes.push(next)
    let { left } = next
    for (const node of next.node.children) {
      if (node.gas >= least) waiting.push({ node, left, depth: next.depth + 1 })
      left += node.gas
    }
  }
  return boxes
}

/** Whether it is a call that failed. */
export function isFailed({ frame }: GasNode): boolean {
  return frame !== undefined && frame.error !== null
}
