import { memo, useMemo } from 'react'
import { Slider } from '#ui/components/Slider.tsx'
import type { Run } from '#ui/execution/run.ts'
import type { Marks } from '#ui/execution/run-marks.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { drawRun } from './draw-run.ts'
import styles from './Timeline.module.css'

const css = classNames(styles)

/** Height of the drawing in its own units; its width is one for each step. */
const HEIGHT = 40

/** A slider over the whole run, on a drawing of how deep its calls go. */
export const Timeline = memo(function Timeline({
  run,
  marks,
  at,
  go,
  where,
}: {
  run: Run
  marks: Marks
  at: number
  go: (step: number) => void
  /** The step in words. */
  where: string
}) {
  const { depths, failed, writes, logs } = useMemo(() => drawRun(run, marks, HEIGHT), [run, marks])
  return (
    <div className={css('timeline')}>
      <svg
        className={css('track')}
        viewBox={`0 0 ${run.steps} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className={css('depths')} d={depths} />
        <path className={css('failed')} d={failed} />
        <rect className={css('past')} x={0} y={0} width={at} height={HEIGHT} />
        <path className={css('writes')} d={writes} vectorEffect="non-scaling-stroke" />
        <path className={css('logs')} d={logs} vectorEffect="non-scaling-stroke" />
      </svg>
      <Slider
        label="Step"
        words={`step ${formatInteger(at + 1)} of ${formatInteger(run.steps)}: ${where}`}
        max={run.steps - 1}
        value={at}
        isDrawn
        onChange={go}
      />
    </div>
  )
})

/** What the colours of the drawing mean. */
export function TimelineKey() {
  return (
    <p className={css('key')} aria-hidden="true">
      <span className={css('sample', 'ofDepths')}>depth of calls</span>
      <span className={css('sample', 'ofFailed')}>failed calls</span>
      <span className={css('sample', 'ofWrites')}>storage writes</span>
      <span className={css('sample', 'ofLogs')}>logs</span>
    </p>
  )
}
