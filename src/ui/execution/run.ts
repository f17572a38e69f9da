import { type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'

/** Most steps of a run that the page opens, at 15 bytes of memory each. */
export const MOST_STEPS = 20_000_000

/** Deepest frame: the EVM goes no deeper. */
const DEEPEST_FRAME = 1_025
/** Most frames of a run that the page opens. */
const MOST_FRAMES = 2_000_000

/** A frame of a run: a call, a creation or the transaction itself. */
export interface RunFrame extends RpcExecutionFrame {
  /** Index in {@link Run.frames}. */
  readonly index: number
  /** Indices of the frames that it entered, in order. */
  readonly children: readonly number[]
}

/** An execution, step by step. Steps are counted from 0; amounts are gas. */
export interface Run {
  readonly steps: number
  /** Offset of each step's opcode in its frame's code. */
  readonly pcs: Uint32Array
  /** Gas left in its frame before each step. */
  readonly gas: Uint32Array
  /** The opcode of each step. */
  readonly ops: Uint8Array
  /** Index in `frames` of each step's frame. */
  readonly frameOf: Uint32Array
  /** Number of frames around each step's frame. */
  readonly depths: Uint16Array
  /** In the order of entry; the first is the transaction's own. */
  readonly frames: readonly RunFrame[]
  readonly codes: ReadonlyMap<Hash, Uint8Array>
  readonly trace: RpcExecutionTrace
}

/** An execution that the page cannot open. `message` is for people. */
export class RunError extends Error {
  override readonly name = 'RunError'
}

/**
 * Decodes an execution.
 *
 * @throws {RunError} If it is inconsistent, or has more than {@link MOST_STEPS} or {@link MOST_FRAMES}.
 */
export function readRun(trace: RpcExecutionTrace): Run {
  const { steps } = trace
  if (!Number.isSafeInteger(steps) || steps < 0)
    throw new RunError('The node’s answer does not say how many steps there are.')
  if (steps > MOST_STEPS) {
    throw new RunError(`It has ${steps} steps, and the page opens runs of at most ${MOST_STEPS}.`)
  }
  if (trace.frames.length > MOST_FRAMES) {
    throw new RunError(`It has ${trace.frames.length} calls, and the page opens runs of at most ${MOST_FRAMES}.`)
  }
  const pcs = readWords(trace.pcs, steps)
  const gas = readWords(trace.gas, steps)
  const codes = new Map(Object.entries(trace.codes).map(([hash, code]) => [hash as Hash, hexToBytes(code)]))
  const frames = linkFrames(trace.frames, steps)
  const frameOf = new Uint32Array(steps)
  const ops = new Uint8Array(steps)
  const depths = new Uint16Array(steps)
  eachStretch(frames, steps, (frame, from, to) => {
    frameOf.fill(frame.index, from, to)
    depths.fill(frame.depth, from, to)
    const code = frame.code === null ? undefined : codes.get(frame.code)
    if (!code) throw new RunError('The node’s answer lacks code that was executed.')
    // Past the end of the code every byte is a STOP.
    for (let step = from; step < to; step++) ops[step] = code[pcs[step] as number] ?? 0
  })
  return { steps, pcs, gas, ops, frameOf, depths, frames, codes, trace }
}

/** Big-endian words of four bytes. */
function readWords(hex: Hex, count: number): Uint32Array {
  const bytes = hexToBytes(hex)
  if (bytes.length !== 4 * count) throw new RunError('The node’s answer does not have as many steps as it says.')
  const words = new Uint32Array(count)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) words[i] = view.getUint32(4 * i)
  return words
}

function linkFrames(frames: readonly RpcExecutionFrame[], steps: number): RunFrame[] {
  const children: number[][] = frames.map(() => [])
  // The earliest step at which the next frame inside each frame may begin.
  const free = frames.map(({ firstStep }) => firstStep)
  let entered = 0
  for (const [i, { parent, firstStep, endStep, depth }] of frames.entries()) {
    const outer = parent === null ? { firstStep: 0, endStep: steps, depth: -1 } : frames[parent]
    const isAfterOthers = parent === null ? i === 0 : parent < i && (free[parent] ?? 0) <= firstStep
    const isInside =
      outer !== undefined && endStep <= outer.endStep && depth === outer.depth + 1 && depth <= DEEPEST_FRAME
    const isInOrder = entered <= firstStep && firstStep <= endStep
    if (parent !== null) free[parent] = endStep
    if (!isInside || !isInOrder || !isAfterOthers)
      throw new RunError('The frames in the node’s answer are not nested properly.')
    entered = firstStep
    if (parent !== null) children[parent]?.push(i)
  }
  const top = frames[0]
  if (top && (top.firstStep !== 0 || top.endStep !== steps)) {
    throw new RunError('The first frame in the node’s answer does not cover every step.')
  }
  if (!top && steps > 0) throw new RunError('The node’s answer has steps outside every frame.')
  return frames.map((frame, index) => ({ ...frame, index, children: children[index] ?? [] }))
}

/** Visits every run of consecutive steps of one frame, in order. */
function eachStretch(
  frames: readonly RunFrame[],
  steps: number,
  visit: (frame: RunFrame, from: number, to: number) => void,
): void {
  const open: RunFrame[] = []
  let at = 0
  function advance(to: number): void {
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      const end = Math.min(inner.endStep, to)
      if (end > at) visit(inner, at, end)
      at = Math.max(at, end)
      if (inner.endStep > to) return
      open.pop()
    }
  }
  for (const frame of frames) {
    if (frame.firstStep === frame.endStep) continue
    advance(frame.firstStep)
    open.push(frame)
  }
  advance(steps)
}

/** The frame of a step. */
export function frameAt(run: Run, step: number): RunFrame {
  const frame = run.frames[run.frameOf[step] ?? -1]
  invariant(frame, 'every step is in a frame')
  return frame
}

/** The frames that a step is in, innermost first. */
export function callStack(run: Run, step: number): readonly RunFrame[] {
  const stack: RunFrame[] = []
  let frame: RunFrame | undefined = frameAt(run, step)
  while (frame) {
    stack.push(frame)
    frame = frame.parent === null ? undefined : run.frames[frame.parent]
  }
  return stack
}

/** The step that entered a frame, which is a call in the frame around it; `undefined` for the first frame. */
export function callSite({ parent, firstStep }: RunFrame): number | undefined {
  return parent === null || firstStep === 0 ? undefined : firstStep - 1
}
