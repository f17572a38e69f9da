import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'

export interface SweepVisitor {
  /** A frame begins. @param callStep - The step that began it; `undefined` for the first. */
  readonly enter: (frame: number, callStep: number | undefined) => void
  /** A step of a frame. @param pc - Offset in the frame's code. */
  readonly step: (frame: number, step: number, pc: number) => void
}

/** Visits all frames and steps in order. */
export function sweepSteps({ trace: { frames, steps }, pcs }: ParsedTrace, visitor: SweepVisitor): void {
  /** Frames that have not ended, outermost first. */
  const open: { readonly frame: number; readonly end: number }[] = []
  let next = 0
  for (let step = 0; step <= steps; step++) {
    for (let frame = frames[next]; frame && frame.firstStep === step; frame = frames[next]) {
      visitor.enter(next, frame.parent === null || step === 0 ? undefined : step - 1)
      while (open.length > 0 && open.at(-1)?.frame !== frame.parent) open.pop()
      if (frame.endStep > step) open.push({ frame: next, end: frame.endStep })
      next++
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= step) open.pop()
    const top = open.at(-1)
    if (top && step < steps) visitor.step(top.frame, step, pcs[step] as number)
  }
}
