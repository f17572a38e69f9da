import type { Hash } from '#primitives/hex.ts'
import type { Run } from '#ui/execution/run.ts'

/** Offsets of instructions at which to stop, by the hash of their code. */
export type Breakpoints = ReadonlyMap<Hash, ReadonlySet<number>>

/** The steps that stand at a breakpoint, in order. */
export function breakpointSteps({ steps, pcs, frames, frameOf }: Run, breakpoints: Breakpoints): Uint32Array {
  if (breakpoints.size === 0) return new Uint32Array()
  const stops = frames.map(({ code }) => (code === null ? undefined : breakpoints.get(code)))
  const found: number[] = []
  for (let step = 0; step < steps; step++) {
    if (stops[frameOf[step] as number]?.has(pcs[step] as number)) found.push(step)
  }
  return Uint32Array.from(found)
}
