import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { inPixels } from '#ui/styles/in-pixels.ts'
import styles from './HistoryTree.module.css'
import { type HistoryNode, openTree } from './history-tree.ts'
import { PlaceMark } from './PlaceMark.tsx'
import type { PaymentStanding } from './scenario/run-dapp.ts'
import { TimeAxis } from './TimeAxis.tsx'
import { partsOf } from './time-parts.ts'
import { type DrawnBranch, laneAt, layoutTree, pathOf } from './tree-layout.ts'
import { VerdictSign } from './VerdictSign.tsx'
import { describeNode, KEPT, momentOf, nameOf } from './words.ts'

const css = classNames(styles)

/**
 * Below this width the names stand above the branches; from the other one on there is room to spare. In pixels, with text of
 * the usual size.
 */
const NARROW = 560
const ROOMY = 860
/** Pixels from one branch to the next, and how wide a bend is, with text of the usual size. */
const SIZES = {
  narrow: { row: 44, bend: 20 },
  usual: { row: 28, bend: 44 },
  roomy: { row: 36, bend: 56 },
} as const
/** What names take on the right of a wide tree, in pixels, with text of the usual size. */
const NAMES_WIDTH = 206
/** Room for the axis at the top, in pixels, with text of the usual size. */
const AXIS_HEIGHT = 30
const EDGE = 10
/** Pixels. */
const USUAL_TEXT = 16

/**
 * All histories as a tree on the line of time: the kept promise is the trunk, each fault a branch. The rows are a tree of
 * items for keyboards and screen readers; the picture behind them is for the eye.
 *
 * @param end - The tick at which time ends.
 * @param now - A tick to mark.
 */
export function HistoryTree({
  nodes,
  end,
  chosen,
  now,
  onChoose,
}: {
  nodes: readonly HistoryNode[]
  end: number
  chosen: string
  now: number | undefined
  onChoose: (fate: string) => void
}) {
  const [box, width] = useWidth()
  const scale = inPixels(1) / USUAL_TEXT
  const narrow = width < NARROW * scale
  const size = SIZES[narrow ? 'narrow' : width < ROOMY * scale ? 'usual' : 'roomy']
  const [row, bend, top] = [size.row * scale, size.bend * scale, AXIS_HEIGHT * scale]
  const drawn = useMemo(() => openTree(nodes, chosen), [nodes, chosen])
  const right = Math.max(EDGE + 1, narrow ? width - EDGE : width - NAMES_WIDTH * scale)
  const x = (tick: number) => EDGE + ((right - EDGE) * tick) / end
  const { branches, above, below } = layoutTree(drawn, { x, bend })
  const y = (lane: number) => top + (lane + above + (narrow ? 0.72 : 0.5)) * row
  const height = top + (above + below + 1) * row + 6
  const inOrder = drawn
    .flatMap((node) => {
      const branch = branches.get(node.id)
      return branch ? [{ node, branch }] : []
    })
    .sort((one, other) => one.branch.lane - other.branch.lane)
  const current = inOrder.some(({ node }) => node.id === chosen) ? chosen : ''

  function move(event: KeyboardEvent<HTMLElement>, at: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const { node } = inOrder[at] ?? {}
    const next = neighbour(event.key, at, inOrder.length) ?? familyOf(event.key, node, nodes)
    const id = typeof next === 'number' ? inOrder[next]?.node.id : next
    if (id === undefined) return
    event.preventDefault()
    onChoose(id)
    // The row may only be drawn once its parent is open.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus())
  }

  return (
    <div ref={box} className={css('box', narrow && 'narrow')} style={{ height }}>
      <svg className={css('picture')} width={width} height={height} aria-hidden="true">
        <TimeAxis x={x} end={end} top={top - 8} bottom={height} />
        {inOrder
          .toSorted((one, other) => Number(one.node.id === current) - Number(other.node.id === current))
          .map(({ node, branch }) => (
            <BranchLine key={node.id} node={node} branch={branch} x={x} y={y} end={end} chosen={node.id === current} />
          ))}
        {now !== undefined && <line className={css('now')} x1={x(now)} x2={x(now)} y1={top - 8} y2={height} />}
      </svg>
      <ul role="tree" aria-label="Histories" className={css('rows')}>
        {inOrder.map(({ node, branch }, i) => (
          <li key={node.id} role="none">
            <button
              type="button"
              role="treeitem"
              aria-level={branch.depth + 1}
              aria-setsize={inOrder.length}
              aria-posinset={i + 1}
              aria-selected={node.id === current}
              aria-expanded={
                node.children > 0 && branch.depth > 0 ? drawn.some(({ parent }) => parent === node.id) : undefined
              }
              aria-label={describeNode(node.history)}
              tabIndex={node.id === current ? 0 : -1}
              className={css('row', branch.depth === 0 && 'trunk')}
              style={{
                top: top + (branch.lane + above) * row,
                height: row,
                ...(narrow ? { paddingLeft: branch.bendTo } : { paddingLeft: right + 12 }),
              }}
              onClick={() => onChoose(node.id)}
              onKeyDown={(event) => move(event, i)}
            >
              <Name node={node} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Name({ node: { history, faults, children, parent } }: { node: HistoryNode }) {
  const [first] = faults
  return (
    <>
      <VerdictSign kind={history.careless.verdict.kind} />
      <span className={css('name')}>
        {parent !== undefined && parent !== '' && <span className={css('and')}>and </span>}
        {first ? faults.map((fault) => nameOf(fault)).join(', then ') : KEPT}
      </span>
      <span className={css('moment')}>{first ? momentOf(first) : ''}</span>
      {children > 0 && first && <span className={css('count')}>+{children}</span>}
    </>
  )
}

/** One history: its line in the colours of what becomes of the payment, with a sign at each change. */
function BranchLine({
  node: { history, tick },
  branch,
  x,
  y,
  end,
  chosen,
}: {
  node: HistoryNode
  branch: DrawnBranch
  x: (tick: number) => number
  y: (lane: number) => number
  end: number
  chosen: boolean
}) {
  const parts = partsOf<PaymentStanding>(history.careless.truths, end)
  const isTrunk = branch.depth === 0
  const at = (from: number) => Math.max(branch.bendFrom, x(from))
  return (
    <g className={css('branch', isTrunk && 'trunk', chosen && 'chosen')}>
      {parts.map(({ from, to, value: { place, payments } }, i) => {
        const [left, right] = [at(from), x(to)]
        if (right <= left) return null
        const path = pathOf(branch, left, right, y)
        return (
          // The parts of a run never change their order.
          <g key={i}>
            <path className={css('line', place)} d={path} />
            {payments > 1 && <path className={css('twice')} d={path} />}
          </g>
        )
      })}
      {parts.map(({ from, value: { place } }, i) =>
        // What its parent shows is not shown again.
        place === 'unsent' || (!isTrunk && from <= tick) ? null : (
          <PlaceMark key={i} place={place} x={at(from)} y={y(laneAt(branch, at(from)))} r={isTrunk ? 7 : 5} />
        ),
      )}
      {!isTrunk && <Strike x={branch.bendFrom} y={y(branch.parentLane)} />}
    </g>
  )
}

/** Where a fault strikes. */
function Strike({ x, y }: { x: number; y: number }) {
  return <path className={css('strike')} d={`M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`} />
}

/** The row that a key leads to. */
function neighbour(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

/** The parent, or the first child. */
function familyOf(key: string, node: HistoryNode | undefined, nodes: readonly HistoryNode[]): string | undefined {
  if (key === 'ArrowLeft') return node?.parent
  if (key === 'ArrowRight') return nodes.find(({ parent }) => parent === node?.id)?.id
  return undefined
}

/** The width of an element, in pixels. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return undefined
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
