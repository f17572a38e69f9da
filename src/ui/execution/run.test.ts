import { expect, test } from 'vitest'
import { type Hash, type Hex, toWord } from '#primitives/hex.ts'
import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import { callSite, callStack, frameAt, MOST_STEPS, RunError, readRun } from './run.ts'
import { findMarks, nextMark } from './run-marks.ts'
import { hasPlaceBeyond, instructionTrack, moveFrom, type Track, trackEnds } from './run-moves.ts'

const CODE: Hash = toWord(1)
const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67'
/** SSTORE, CALL, STATICCALL, LOG0, STOP, REVERT. */
const BYTES: Hex = '0x55f1faa000fd'
const [SSTORE, CALL, STATICCALL, LOG0, STOP, REVERT] = [0, 1, 2, 3, 4, 5] as const

const words = (values: readonly number[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(8, '0')).join('')}`

function frame(
  parent: number | null,
  firstStep: number,
  endStep: number,
  more: Partial<RpcExecutionFrame> = {},
): RpcExecutionFrame {
  return {
    type: 'CALL',
    parent,
    depth: parent === null ? 0 : 1,
    from: '0x01',
    to: '0x02',
    codeAddress: '0x02',
    code: CODE,
    value: '0x0',
    gas: '0x0',
    gasUsed: '0x0',
    input: '0x',
    output: '0x',
    error: null,
    firstStep,
    endStep,
    ...more,
  }
}

function trace(
  pcs: readonly number[],
  frames: readonly RpcExecutionFrame[],
  more: Partial<RpcExecutionTrace> = {},
): RpcExecutionTrace {
  return {
    steps: pcs.length,
    pcs: words(pcs),
    gas: words(pcs.map((_, i) => 1_000 - i)),
    frames,
    codes: { [CODE]: BYTES },
    gasLimit: '0x0',
    intrinsicGas: '0x0',
    refund: '0x0',
    floorGas: '0x0',
    gasUsed: '0x0',
    ...more,
  }
}

/** Nested frames, the innermost at a given depth. */
function deep(depth: number): RpcExecutionTrace {
  const frames = Array.from({ length: depth + 1 }, (_, i) => frame(i === 0 ? null : i - 1, 0, 1, { depth: i }))
  return trace([0], frames)
}

/** The outer frame writes, calls one that logs and calls the console, then one that reverts, and stops. */
const NESTED = trace(
  [SSTORE, CALL, LOG0, STATICCALL, STOP, CALL, REVERT, STOP],
  [
    frame(null, 0, 8),
    frame(0, 2, 5),
    frame(1, 4, 4, { depth: 2, to: CONSOLE, code: null }),
    frame(0, 6, 7, { error: 'execution reverted' }),
  ],
)

test('each step has its frame, its depth and its opcode', () => {
  const run = readRun(NESTED)
  expect([...run.frameOf]).toEqual([0, 0, 1, 1, 1, 0, 3, 0])
  expect([...run.depths]).toEqual([0, 0, 1, 1, 1, 0, 1, 0])
  expect([...run.ops]).toEqual([0x55, 0xf1, 0xa0, 0xfa, 0x00, 0xf1, 0xfd, 0x00])
  expect([...run.gas].slice(0, 2)).toEqual([1_000, 999])
  expect(run.frames[0]?.children).toEqual([1, 3])
  expect(callStack(run, 3).map(({ index }) => index)).toEqual([1, 0])
  expect(callSite(frameAt(run, 6))).toBe(5)
  expect(callSite(frameAt(run, 0))).toBeUndefined()
})

test('frames nested as deep as the EVM allows are read', () => {
  expect(readRun(deep(1_025)).depths[0]).toBe(1_025)
})

test('an opcode past the end of the code is a STOP', () => {
  expect([...readRun(trace([SSTORE, 99], [frame(null, 0, 2)])).ops]).toEqual([0x55, 0])
})

test.each([
  ['more steps than the page opens', trace([], [], { steps: MOST_STEPS + 1 })],
  ['a number of steps that is none', trace([], [], { steps: -1 })],
  ['too few offsets', trace([0], [frame(null, 0, 1)], { pcs: '0x' })],
  ['steps outside every frame', trace([0], [])],
  ['a frame that is longer than the one around it', trace([0, 0], [frame(null, 0, 2), frame(0, 1, 3)])],
  ['a frame inside itself', trace([0, 0], [frame(null, 0, 2), frame(1, 1, 2)])],
  ['frames out of order', trace([0, 0, 0], [frame(null, 0, 3), frame(0, 2, 3), frame(0, 1, 2)])],
  ['frames that overlap', trace([0, 0, 0, 0], [frame(null, 0, 4), frame(0, 1, 3), frame(0, 2, 4)])],
  ['a code that is missing', trace([0], [frame(null, 0, 1)], { codes: {} })],
  ['frames deeper than the EVM goes', deep(1_026)],
  ['a first frame without all steps', trace([0, 0], [frame(null, 0, 1)])],
])('an answer with %s is refused in words', (_what, answer) => {
  expect(() => readRun(answer)).toThrow(RunError)
})

test('marks are in order; a call of the console counts as a log, and the end of a failed frame as a revert', () => {
  const marks = findMarks(readRun(NESTED))
  expect([...marks.write]).toEqual([0])
  expect([...marks.call]).toEqual([1, 3, 5])
  expect([...marks.log]).toEqual([2, 3])
  expect([...marks.revert]).toEqual([6])
})

test('the next mark is after or before the step, never the step itself', () => {
  const marks = Uint32Array.from([2, 3, 9])
  expect([0, 2, 3, 8, 9].map((from) => nextMark(marks, from, 1))).toEqual([2, 3, 9, 9, undefined])
  expect([0, 2, 3, 8, 10].map((from) => nextMark(marks, from, -1))).toEqual([undefined, undefined, 2, 3, 9])
})

test('stepping over skips what was called, into does not, and out leaves the frame, in both directions', () => {
  const track = instructionTrack(readRun(NESTED))
  expect(moveFrom(track, 1, 'over', 1)).toBe(5)
  expect(moveFrom(track, 1, 'into', 1)).toBe(2)
  expect(moveFrom(track, 2, 'out', 1)).toBe(5)
  expect(moveFrom(track, 5, 'over', -1)).toBe(1)
  expect(moveFrom(track, 5, 'into', -1)).toBe(4)
  expect(moveFrom(track, 4, 'out', -1)).toBe(1)
  expect(moveFrom(track, 7, 'into', 1)).toBeUndefined()
  expect(moveFrom(track, 0, 'over', -1)).toBeUndefined()
})

test('with statements as places, the steps of a statement count as one, even around a call', () => {
  // Statement 7 calls 8 and 9, goes on, and 5 follows; 0 is code that the compiler added.
  const places = [7, 7, 8, 8, 9, 7, 0, 5, 5]
  const depths = [1, 1, 2, 2, 2, 1, 1, 1, 1]
  const track: Track = { steps: 9, placeOf: (step) => places[step] ?? 0, depths: Uint16Array.from(depths) }
  expect(moveFrom(track, 0, 'over', 1)).toBe(7)
  expect(moveFrom(track, 0, 'into', 1)).toBe(2)
  expect(moveFrom(track, 2, 'over', 1)).toBe(4)
  expect(moveFrom(track, 3, 'out', 1)).toBe(5)
  // Stepping back over goes to where the statement began.
  expect(moveFrom(track, 7, 'over', -1)).toBe(0)
  expect(moveFrom(track, 5, 'into', -1)).toBe(4)
  expect(moveFrom(track, 4, 'over', -1)).toBe(2)
})

test.each([
  ['every step is a place', [1, 2, 3, 4], [0, 0, 0, 0]],
  ['the ends have no place', [0, 0, 7, 7, 0, 7, 8, 8, 0], [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ['a statement calls itself', [7, 7, 7, 7, 7], [1, 1, 2, 2, 1]],
  ['there is one place only', [0, 5, 5, 5, 0], [1, 1, 1, 1, 1]],
  ['there is no place', [0, 0, 0], [0, 1, 0]],
])('the ends of a track are found if %s', (_what, places, depths) => {
  const track: Track = {
    steps: places.length,
    placeOf: (step) => places[step] ?? 0,
    depths: Uint16Array.from(depths),
  }
  const ends = trackEnds(track)
  for (const step of places.keys()) {
    for (const direction of [1, -1] as const) {
      const found = moveFrom(track, step, 'into', direction) !== undefined
      expect([step, direction, hasPlaceBeyond(ends, step, direction)]).toEqual([step, direction, found])
    }
  }
})
