import type { Run } from '#ui/execution/run.ts'
import type { Marks } from '#ui/execution/run-marks.ts'

/** Columns of the drawing: a slider has hardly more pixels. */
const MOST_COLUMNS = 800
/** Height of a frame at depth 0, as a share of the whole. */
const LOWEST = 0.25

/** A run as SVG paths; one unit of their width is a step. */
export interface RunDrawing {
  /** How deep the calls go. */
  readonly depths: string
  /** Where a frame runs that failed. */
  readonly failed: string
  readonly writes: string
  readonly logs: string
}

export function drawRun({ steps, depths, frames, frameOf }: Run, marks: Marks, height: number): RunDrawing {
  const columns = Math.min(MOST_COLUMNS, steps)
  const width = steps / columns
  const deepest = frames.reduce((most, frame) => Math.max(most, frame.depth), 1)
  const top = (depth: number) => round(height * (1 - LOWEST - (depth / deepest) * (1 - LOWEST) * 0.9))
  const depthPath: string[] = []
  const failedPath: string[] = []
  let runStart = 0
  let runDepth = -1
  let runFailed = false
  function end(to: number): void {
    if (runDepth < 0 || to === runStart) return
    const box = `M${round(runStart)} ${height}V${top(runDepth)}H${round(to)}V${height}z`
    ;(runFailed ? failedPath : depthPath).push(box)
  }
  for (let column = 0; column < columns; column++) {
    const from = Math.floor(column * width)
    const to = Math.max(from + 1, Math.floor((column + 1) * width))
    let deepestHere = 0
    let failed = false
    for (let step = from; step < to; step++) {
      const depth = depths[step] as number
      if (depth < deepestHere) continue
      deepestHere = depth
      failed = frames[frameOf[step] as number]?.error !== null
    }
    if (deepestHere === runDepth && failed === runFailed) continue
    end(column * width)
    runStart = column * width
    runDepth = deepestHere
    runFailed = failed
  }
  end(steps)
  return {
    depths: depthPath.join(''),
    failed: failedPath.join(''),
    writes: ticks(marks.write, steps, height * 0.82, height),
    logs: ticks(marks.log, steps, 0, height * 0.18),
  }
}

/** Short lines at some steps, at most one a column. */
function ticks(at: Uint32Array, steps: number, from: number, to: number): string {
  const width = Math.max(1, steps / MOST_COLUMNS)
  const drawn = new Set<number>()
  const lines: string[] = []
  for (const step of at) {
    const column = Math.floor(step / width)
    if (drawn.has(column)) continue
    drawn.add(column)
    lines.push(`M${step + 0.5} ${round(from)}V${round(to)}`)
  }
  return lines.join('')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
