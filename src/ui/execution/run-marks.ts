import { partitionPoint } from '#primitives/partition-point.ts'
import { CONSOLE_ADDRESS } from '#rpc-types/console.ts'
import { callSite, type Run, type RunFrame } from './run.ts'

/** Kinds of steps to jump to. */
export type MarkKind = 'log' | 'write' | 'call' | 'revert'

/** The steps of each kind, in order. */
export type Marks = Readonly<Record<MarkKind, Uint32Array>>

const LOG0 = 0xa0
const LOG4 = 0xa4
const SSTORE = 0x55
const TSTORE = 0x5d
const CREATE = 0xf0
const CALL = 0xf1
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4
const CREATE2 = 0xf5
const STATICCALL = 0xfa

const KIND_OF = new Map<number, MarkKind>([
  [SSTORE, 'write'],
  [TSTORE, 'write'],
  ...[CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL].map((op) => [op, 'call'] as const),
])
for (let op = LOG0; op <= LOG4; op++) KIND_OF.set(op, 'log')

/** A frame's last step. A frame without steps, such as a precompile's, has the call that entered it. */
function endOf(frame: RunFrame): number | undefined {
  return frame.endStep > frame.firstStep ? frame.endStep - 1 : callSite(frame)
}

/** Finds the marks of a run. A call of the console counts as a log, and a failed frame as a revert at its last step. */
export function findMarks(run: Run): Marks {
  const found: Record<MarkKind, number[]> = { log: [], write: [], call: [], revert: [] }
  for (let step = 0; step < run.steps; step++) {
    const kind = KIND_OF.get(run.ops[step] as number)
    if (kind) found[kind].push(step)
  }
  for (const frame of run.frames) {
    const call = callSite(frame)
    if (frame.to === CONSOLE_ADDRESS && call !== undefined) found.log.push(call)
    const end = frame.error === null ? undefined : endOf(frame)
    if (end !== undefined) found.revert.push(end)
  }
  return {
    log: sorted(found.log),
    write: sorted(found.write),
    call: sorted(found.call),
    revert: sorted(found.revert),
  }
}

function sorted(steps: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(steps)).sort()
}

/** The next of some sorted steps, after or before a step; `undefined` if there is none. */
export function nextMark(marks: Uint32Array, from: number, direction: 1 | -1): number | undefined {
  return direction === 1
    ? marks[partitionPoint(marks, (step) => step <= from)]
    : marks[partitionPoint(marks, (step) => step < from) - 1]
}
