/** A history in the tree: it leaves its parent at a moment. */
export interface BranchNode {
  readonly id: string
  /** `undefined` for the trunk. */
  readonly parent: string | undefined
  /** The tick at which it leaves. */
  readonly tick: number
  readonly side: 'above' | 'below'
}

/** Where a history is drawn: from its parent's lane by a bend to its own, then straight on. */
export interface DrawnBranch {
  readonly id: string
  /** 0 for the trunk, 1 for its branches. */
  readonly depth: number
  /** 0 is the trunk's; lanes above it are negative. */
  readonly lane: number
  readonly parentLane: number
  /** In pixels: where the bend begins and ends. For the trunk both are where time begins. */
  readonly bendFrom: number
  readonly bendTo: number
}

export interface TreeShape {
  /** By id. */
  readonly branches: ReadonlyMap<string, DrawnBranch>
  /** How many lanes there are above the trunk and below it. */
  readonly above: number
  readonly below: number
}

export interface TreeScale {
  /** The pixel of a tick. */
  readonly x: (tick: number) => number
  /** How wide a bend is, in pixels. */
  readonly bend: number
}

/**
 * Gives each history a lane of its own. What leaves later is nearer to what it leaves, so that no branch crosses another.
 *
 * @param nodes - The trunk, and histories whose parents are among them.
 */
export function layoutTree(nodes: readonly BranchNode[], { x, bend }: TreeScale): TreeShape {
  const branches = new Map<string, DrawnBranch>()
  const trunk = nodes.find(({ parent }) => parent === undefined)
  if (!trunk) return { branches, above: 0, below: 0 }
  const start = x(0)
  branches.set(trunk.id, { id: trunk.id, depth: 0, lane: 0, parentLane: 0, bendFrom: start, bendTo: start })

  /** Places what leaves a branch beyond the lanes that are taken. @returns How many are taken then. */
  function place(parent: DrawnBranch, side: 'above' | 'below', taken: number): number {
    let count = taken
    const children = nodes
      .filter((node) => node.parent === parent.id && (parent.depth > 0 || node.side === side))
      .sort((one, other) => other.tick - one.tick)
    for (const { id, tick } of children) {
      count++
      const bendFrom = Math.max(x(tick), parent.bendTo)
      const branch: DrawnBranch = {
        id,
        depth: parent.depth + 1,
        lane: side === 'above' ? -count : count,
        parentLane: parent.lane,
        bendFrom,
        bendTo: bendFrom + bend,
      }
      branches.set(id, branch)
      count = place(branch, side, count)
    }
    return count
  }

  const root = branches.get(trunk.id) as DrawnBranch
  return { branches, above: place(root, 'above', 0), below: place(root, 'below', 0) }
}

/** How high a branch is at a pixel, in lanes. */
export function laneAt({ lane, parentLane, bendFrom, bendTo }: DrawnBranch, x: number): number {
  if (x >= bendTo) return lane
  const share = Math.max(0, (x - bendFrom) / (bendTo - bendFrom))
  // Leaves straight ahead, and arrives so.
  return parentLane + (lane - parentLane) * share * share * (3 - 2 * share)
}

/** Points that a bend is drawn with. */
const BEND_POINTS = 14

/** The line of a branch between two pixels, as a path. @param y - The pixel of a height in lanes. */
export function pathOf(branch: DrawnBranch, from: number, to: number, y: (lane: number) => number): string {
  const { bendFrom, bendTo } = branch
  const bends = Array.from({ length: BEND_POINTS + 1 }, (_, i) => bendFrom + ((bendTo - bendFrom) * i) / BEND_POINTS)
  const points = [from, ...bends.filter((x) => x > from && x < to), to]
  return points.map((x, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y(laneAt(branch, x)).toFixed(1)}`).join('')
}
