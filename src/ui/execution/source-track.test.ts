import { expect, test } from 'vitest'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import type { Run } from './run.ts'
import { moveFrom } from './run-moves.ts'
import {
  activeCalls,
  type LineBreakpoints,
  lineStops,
  placedStep,
  sourceTrack,
  toggleBreakpoint,
} from './source-track.ts'

const place = (line: number, isInside = true) => ({
  ...{ source: line === 0 ? -1 : 0, line, column: 1, endLine: line, endColumn: 9, callable: -1, isInside },
})

/** Line 5 calls a function with the lines 8 and 9, and line 6 follows. Place 1 is the whole of the function. */
const FOUND = {
  sources: [{ path: 'a.sol', content: '' }],
  places: [place(0, false), place(7, false), place(5), place(8), place(9), place(6)],
  placeOf: Uint32Array.from([0, 2, 2, 1, 3, 0, 4, 2, 5, 5]),
  depths: Uint16Array.from([0, 0, 0, 1, 1, 2, 1, 0, 0, 0]),
} as unknown as StepSources
const RUN = { steps: 10, frameOf: new Uint32Array(10) } as unknown as Run

test('stepping goes from line to line, over calls or into them', () => {
  const track = sourceTrack(FOUND, RUN)
  expect(moveFrom(track, 0, 'into', 1)).toBe(1)
  expect(moveFrom(track, 1, 'over', 1)).toBe(8)
  expect(moveFrom(track, 1, 'into', 1)).toBe(4)
  expect(moveFrom(track, 4, 'into', 1)).toBe(6)
  expect(moveFrom(track, 6, 'out', 1)).toBe(7)
  expect(moveFrom(track, 8, 'over', -1)).toBe(1)
  expect(moveFrom(track, 6, 'out', -1)).toBe(1)
})

test('from the code that finds the called function, over leads into its first and its last line', () => {
  // The function is called by code without lines; its line 5 calls line 8.
  const found = {
    ...FOUND,
    placeOf: Uint32Array.from([0, 1, 1, 2, 3, 2, 5, 0, 0, 0]),
    depths: Uint16Array.from([0, 0, 1, 1, 2, 1, 1, 0, 0, 0]),
  }
  const track = sourceTrack(found, RUN)
  expect([0, 1, 2].map((from) => moveFrom(track, from, 'over', 1))).toEqual([3, 3, 3])
  expect(moveFrom(track, 3, 'over', 1)).toBe(6)
  expect(moveFrom(track, 6, 'over', 1)).toBeUndefined()
  expect([9, 7].map((from) => moveFrom(track, from, 'over', -1))).toEqual([6, 6])
  expect(moveFrom(track, 6, 'over', -1)).toBe(3)
})

test('a breakpoint stops when its line is reached, not when a call returns to it', () => {
  const at = (...lines: readonly number[]) =>
    lineStops(
      FOUND,
      lines.reduce<LineBreakpoints>((set, line) => toggleBreakpoint(set, 'a.sol', line), new Map()),
    )
  expect(at(5)).toEqual([1])
  expect(at(9, 6)).toEqual([6, 8])
  expect(at(7)).toEqual([])
  expect(at(5, 5)).toEqual([])
})

test('a step without a place has the last known place in its frame, or the next one', () => {
  expect(placedStep(FOUND, RUN, 5)).toBe(4)
  expect(placedStep(FOUND, RUN, 6)).toBe(6)
  expect(placedStep(FOUND, RUN, 0)).toBe(1)
  expect(placedStep({ ...FOUND, placeOf: new Uint32Array(10) }, RUN, 4)).toBeUndefined()
})

test('the calls around a step are found from the inside out', () => {
  expect(activeCalls(FOUND, RUN, 5, 9).map(({ step }) => step)).toEqual([5, 4, 2])
  expect(activeCalls(FOUND, RUN, 5, 1)).toHaveLength(1)
  expect(activeCalls(FOUND, RUN, 0, 9)).toEqual([{ step: 0, isOutermost: true }])
})

test('the code that jumps to the called function is not a call of its own', () => {
  const placeOf = Uint32Array.from([0, 1, 2, 4])
  const found = { ...FOUND, placeOf, depths: Uint16Array.from([0, 0, 1, 2]) }
  expect(activeCalls(found, RUN, 3, 9)).toEqual([
    { step: 3, isOutermost: false },
    { step: 2, isOutermost: true },
  ])
})
