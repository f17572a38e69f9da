import { useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Strip.module.css'
import type { ScenarioHistory } from './scenario/scenario.ts'
import { TimeAxis } from './TimeAxis.tsx'
import { partsOf } from './time-parts.ts'
import { tickOf } from './words.ts'

const css = classNames(styles)

/** Heights in pixels: of a lane, of what is between two, of the axis. */
const SIZES = {
  usual: { lane: 20, gap: 6, top: 26 },
  low: { lane: 14, gap: 4, top: 27 },
} as const
const LANES = ['Chain', 'Careless', 'Careful'] as const
/** What the lanes' names take on the left, in pixels. */
const NAMES_WIDTH = 66

/** Where the payment is and what both dapps show, one above the other on one line of time, for the eye. */
export function Strip({
  history,
  end,
  at,
  size = 'usual',
}: {
  history: ScenarioHistory
  end: number
  at: number
  size?: keyof typeof SIZES
}) {
  const { lane: laneHeight, gap, top } = SIZES[size]
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(480)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const right = Math.max(NAMES_WIDTH + 1, width - 8)
  const x = (tick: number) => NAMES_WIDTH + ((right - NAMES_WIDTH) * tick) / end
  const y = (lane: number) => top + lane * (laneHeight + gap)
  const height = y(LANES.length)
  const lanes = [
    partsOf(history.careless.truths, end).map((part) => ({ ...part, look: part.value.place })),
    partsOf(history.careless.shown, end).map((part) => ({ ...part, look: part.value.claim })),
    partsOf(history.careful.shown, end).map((part) => ({ ...part, look: part.value.claim })),
  ]
  return (
    <div ref={box} className={css('box')} style={{ height }} aria-hidden="true">
      <svg width={width} height={height}>
        <TimeAxis x={x} end={end} top={top - 8} bottom={height} />
        {lanes.map((parts, lane) => (
          <g key={LANES[lane]}>
            <text className={css('name')} x={0} y={y(lane) + laneHeight / 2 + 4}>
              {LANES[lane]}
            </text>
            {parts.map(({ from, to, look }) =>
              to > from ? (
                <rect
                  key={`${from} ${look}`}
                  className={css('part', look)}
                  x={x(from) + 0.5}
                  y={y(lane)}
                  width={Math.max(2, x(to) - x(from) - 1)}
                  height={laneHeight}
                  rx={3}
                />
              ) : null,
            )}
          </g>
        ))}
        {history.schedule.map((fault, i) => (
          <path
            // A schedule never changes its order.
            key={i}
            className={css('strike')}
            d={`M${x(tickOf(fault))} ${top - 9}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`}
          />
        ))}
        <line className={css('now')} x1={x(at)} x2={x(at)} y1={top - 10} y2={height} />
      </svg>
    </div>
  )
}
