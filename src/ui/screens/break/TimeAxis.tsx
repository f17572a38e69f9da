import { classNames } from '#ui/styles/class-names.ts'
import { TICK_MS } from './scenario/judge-run.ts'
import { CHAIN_OPTIONS } from './scenario/scenario.ts'
import styles from './TimeAxis.module.css'

const css = classNames(styles)

/** Pixels of a block from which on there is room to say what it is. */
const LEAST_FOR_WORDS = 100
const PER_BLOCK = CHAIN_OPTIONS.partialsPerBlock

/** The line of time: a short mark for each partial block, a line through all for each seal. */
export function TimeAxis({
  x,
  end,
  top,
  bottom,
}: {
  x: (tick: number) => number
  end: number
  top: number
  bottom: number
}) {
  const isWide = x(PER_BLOCK) - x(0) > LEAST_FOR_WORDS
  const ticks = Array.from({ length: Math.floor(end) + 1 }, (_, tick) => tick)
  return (
    <g>
      {ticks.map((tick) => {
        const isSeal = tick % PER_BLOCK === 0 && tick > 0
        return (
          <line
            key={tick}
            className={css(isSeal ? 'seal' : 'partial')}
            x1={x(tick)}
            x2={x(tick)}
            y1={top - (isSeal ? 4 : 0)}
            y2={isSeal ? bottom : top + 3}
          />
        )
      })}
      {ticks
        .filter((tick) => tick % PER_BLOCK === 0)
        .map((tick) => (
          <text key={tick} className={css('word')} x={x(tick)} y={top - 8} textAnchor={tick === 0 ? 'start' : 'middle'}>
            {tick === 0 ? 'sent' : `${(tick * TICK_MS) / 1_000} s`}
            {tick === PER_BLOCK && isWide && ' · block sealed'}
          </text>
        ))}
    </g>
  )
}
