import { type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'

/** Consecutive steps of a frame itself, not of a frame inside it. */
export interface Segment {
  readonly start: number
  readonly end: number
}

/** A trace with its steps as numbers. */
export interface ParsedTrace {
  readonly trace: RpcExecutionTrace
  readonly pcs: Uint32Array
  readonly gas: Uint32Array
  /** Frames that each frame entered, in order. */
  readonly children: readonly (readonly number[])[]
  /** A frame's own steps, in order. */
  readonly segmentsOf: (frame: number) => readonly Segment[]
  /** Code by its hash; `undefined` if the trace does not include it. */
  readonly codeOf: (hash: Hash) => Uint8Array | undefined
}

/** Most steps of a trace: 500 million gas at 10 gas each. */
export const STEP_LIMIT = 50_000_000
/** Most frames of a trace. */
const FRAME_LIMIT = 2_000_000
/** Deepest frame: the EVM goes no deeper. */
const DEPTH_LIMIT = 1_025

/** A trace is inconsistent or too large. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
}

/** @throws {TraceError} If the trace is inconsistent. @throws {RangeError} If a field is not hex. */
export function parseTrace(trace: RpcExecutionTrace): ParsedTrace {
  const { steps, frames } = trace
  if (!Number.isSafeInteger(steps) || steps < 0 || steps > STEP_LIMIT) {
    throw new TraceError(`a trace has ${steps} steps, not at most ${STEP_LIMIT}`)
  }
  if (frames.length > FRAME_LIMIT) throw new TraceError(`a trace has ${frames.length} frames, more than ${FRAME_LIMIT}`)
  const pcs = readNumbers(trace.pcs, steps, 'pcs')
  const gas = readNumbers(trace.gas, steps, 'gas')
  const children: number[][] = frames.map(() => [])
  const depths = new Uint16Array(frames.length)
  if (frames.length === 0) throw new TraceError('a trace has at least one frame')
  frames.forEach(({ parent, firstStep, endStep }, index) => {
    const outer = parent === null ? undefined : frames[parent]
    if ((index === 0) !== (parent === null) || (parent ?? -1) >= index)
      throw new TraceError(`frame ${index} has no parent before it`)
    const [least, most] = outer ? [outer.firstStep, outer.endStep] : [0, steps]
    if (!(firstStep >= least && firstStep <= endStep && endStep <= most)) {
      throw new TraceError(`the steps of frame ${index} are not within its parent's`)
    }
    if (parent === null) return
    const depth = (depths[parent] ?? 0) + 1
    if (depth > DEPTH_LIMIT) throw new TraceError(`a trace has frames more than ${DEPTH_LIMIT} deep`)
    depths[index] = depth
    const before = frames[children[parent]?.at(-1) ?? -1]
    if (before && before.endStep > firstStep) throw new TraceError(`the steps of frame ${index} are another's, too`)
    children[parent]?.push(index)
  })
  const codes = new Map<Hash, Uint8Array>()
  return {
    trace,
    pcs,
    gas,
    children,
    segmentsOf: (frame) => segments(frames, frame, children[frame] ?? []),
    codeOf(hash) {
      const known = codes.get(hash)
      if (known) return known
      const hex = Object.hasOwn(trace.codes, hash) ? trace.codes[hash] : undefined
      if (hex === undefined) return undefined
      const bytes = hexToBytes(hex)
      codes.set(hash, bytes)
      return bytes
    },
  }
}

function readNumbers(hex: Hex, count: number, name: string): Uint32Array {
  const bytes = hexToBytes(hex)
  if (bytes.length !== 4 * count) throw new TraceError(`${name} has ${bytes.length} bytes for ${count} steps`)
  const view = new DataView(bytes.buffer)
  const numbers = new Uint32Array(count)
  for (let i = 0; i < count; i++) numbers[i] = view.getUint32(4 * i)
  return numbers
}

function segments(frames: readonly RpcExecutionFrame[], frame: number, children: readonly number[]): Segment[] {
  const found: Segment[] = []
  const { firstStep = 0, endStep = 0 } = frames[frame] ?? {}
  let start = firstStep
  for (const child of children) {
    const inner = frames[child]
    if (!inner) continue
    if (inner.firstStep > start) found.push({ start, end: inner.firstStep })
    start = inner.endStep
  }
  if (endStep > start) found.push({ start, end: endStep })
  return found
}
