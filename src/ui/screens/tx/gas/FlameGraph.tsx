import { type CSSProperties, useMemo } from 'react'
import { type GasNode, gasBoxes, isFailed } from '#ui/execution/gas-tree.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FlameGraph.module.css'

const css = classNames(styles)

/** Height of a row, in rem. */
const ROW = 1.5
/** Share of the whole below which a box is not drawn: less than a pixel. */
const SMALLEST = 1 / 1_500
/** Share of the whole from which on a box is named. */
const HAS_ROOM = 0.04
/** Levels that are drawn. */
const DEEPEST = 40

/** Boxes that have a look of their own; others are as warm as the gas that they used. */
const LOOKS: Readonly<Partial<Record<GasNode['kind'], string>>> = {
  transaction: 'transaction',
  intrinsic: 'paid',
  floor: 'paid',
}

/**
 * Gas as boxes, each as wide as what it used, with what it called below it. Keyboards and screen readers have the
 * tables, which say the same.
 */
export function FlameGraph({
  top,
  nameOf,
  onChoose,
}: {
  top: GasNode
  nameOf: (node: GasNode) => string
  onChoose: (node: GasNode) => void
}) {
  const boxes = useMemo(() => gasBoxes(top, top.gas * SMALLEST).filter(({ depth }) => depth < DEEPEST), [top])
  const rows = boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 1)
  const percent = (gas: number) => `${(gas / Math.max(1, top.gas)) * 100}%`
  return (
    <div className={css('flames')} style={{ height: `${rows * ROW}rem` }} aria-hidden="true">
      {boxes.map(({ node, left, depth }, i) => (
        <button
          key={i}
          type="button"
          tabIndex={-1}
          className={css('box', LOOKS[node.kind], isFailed(node) && 'failed')}
          style={
            {
              left: percent(left),
              width: percent(node.gas),
              top: `${depth * ROW}rem`,
              // The more gas it used itself, the warmer.
              '--heat': `${Math.round(8 + 42 * (node.own / Math.max(1, top.gas)))}%`,
            } as CSSProperties
          }
          title={`${nameOf(node)}: ${formatInteger(node.gas)} gas, ${formatInteger(node.own)} of it without what it called`}
          onClick={() => onChoose(node)}
        >
          {node.gas / top.gas > HAS_ROOM && nameOf(node)}
        </button>
      ))}
    </div>
  )
}
