import { useMemo } from 'react'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FilmBar.module.css'

const css = classNames(styles)

/** The most moments and blocks that are drawn one by one; more look alike. */
const MOST_MOMENTS = 4_000
const MOST_BLOCKS = 80
/** Height of the drawing, and of the lowest column; its width is one for each moment. */
const HEIGHT = 24
const LOWEST = 5

/** The transactions of each moment as columns, with a line before each block. The slider lies on it. */
export function FilmTrack({ moments: { runs, count }, at }: { moments: FilmMoments; at: number }) {
  const { columns, taken, lines } = useMemo(() => draw(runs), [runs])
  return (
    <svg className={css('track')} viewBox={`0 0 ${count} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className={css('past')} x={0} y={0} width={at + 1} height={HEIGHT} />
      <path className={css('lines')} d={lines} vectorEffect="non-scaling-stroke" />
      <path className={css('columns')} d={columns} />
      <path className={css('taken')} d={taken} />
    </svg>
  )
}

interface Drawing {
  readonly columns: string
  /** Moments that were taken back later. */
  readonly taken: string
  readonly lines: string
}

function draw(runs: FilmMoments['runs']): Drawing {
  const columns: string[] = []
  const taken: string[] = []
  const lines: string[] = []
  const most = runs.reduce((max, { transactions }) => transactions.reduce((a, b) => Math.max(a, b), max), 1)
  let x = 0
  for (const [i, { number, first, transactions, takenFrom }] of runs.entries()) {
    if (x > 0 && runs.length <= MOST_BLOCKS && runs[i - 1]?.number !== number) lines.push(`M${x} 0V${HEIGHT}`)
    for (const [after, added] of transactions.entries()) {
      if (added > 0 && columns.length + taken.length < MOST_MOMENTS) {
        const height = Math.round(LOWEST + (HEIGHT - LOWEST) * Math.sqrt(added / most))
        const isTaken = takenFrom !== undefined && first + after >= takenFrom
        ;(isTaken ? taken : columns).push(`M${x + 0.12} ${HEIGHT}v${-height}h.76v${height}z`)
      }
      x++
    }
  }
  return { columns: columns.join(''), taken: taken.join(''), lines: lines.join('') }
}
