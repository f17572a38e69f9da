import { expect, test } from 'vitest'
import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import { parseTrace, STEP_LIMIT } from './parsed-trace.ts'

const ADDRESS = '0x0000000000000000000000000000000000000001'

function frame(parent: number | null, firstStep: number, endStep: number): RpcExecutionFrame {
  return {
    type: 'CALL',
    parent,
    depth: 0,
    from: ADDRESS,
    to: ADDRESS,
    codeAddress: ADDRESS,
    code: null,
    value: null,
    gas: '0x0',
    gasUsed: '0x0',
    input: '0x',
    output: '0x',
    error: null,
    firstStep,
    endStep,
  }
}

function trace(steps: number, frames: readonly RpcExecutionFrame[]): RpcExecutionTrace {
  const numbers =
    `0x${Array.from({ length: Math.min(steps, 100) }, (_, i) => i.toString(16).padStart(8, '0')).join('')}` as const
  const none = '0x0'
  const sums = { gasLimit: none, intrinsicGas: none, refund: none, floorGas: none, gasUsed: none } as const
  return { steps, pcs: numbers, gas: numbers, frames, codes: {}, ...sums }
}

test('a frame’s own steps are those outside the frames that it entered', () => {
  const parsed = parseTrace(
    trace(10, [frame(null, 0, 10), frame(0, 2, 4), frame(0, 4, 4), frame(0, 6, 9), frame(3, 7, 9)]),
  )
  expect(parsed.segmentsOf(0)).toEqual([
    { start: 0, end: 2 },
    { start: 4, end: 6 },
    { start: 9, end: 10 },
  ])
  expect(parsed.segmentsOf(3)).toEqual([{ start: 6, end: 7 }])
  expect(parsed.children).toEqual([[1, 2, 3], [], [], [4], []])
  expect([...parsed.pcs]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test.each([
  ['no frame', trace(0, []), 'at least one frame'],
  ['a parent that comes later', trace(2, [frame(null, 0, 2), frame(1, 0, 1)]), 'no parent before it'],
  ['a second outermost frame', trace(2, [frame(null, 0, 2), frame(null, 0, 1)]), 'no parent before it'],
  ['steps outside of the parent', trace(2, [frame(null, 0, 1), frame(0, 0, 2)]), 'not within its parent'],
  ['steps backwards', trace(2, [frame(null, 2, 1)]), 'not within its parent'],
  ['steps of two frames', trace(4, [frame(null, 0, 4), frame(0, 0, 3), frame(0, 2, 4)]), 'another’s'.replace('’', "'")],
  ['fewer offsets than steps', trace(200, [frame(null, 0, 200)]), '400 bytes for 200 steps'],
  ['too many steps', trace(STEP_LIMIT + 1, [frame(null, 0, 1)]), 'not at most'],
  ['half a step', trace(1.5, [frame(null, 0, 1)]), 'not at most'],
  [
    'endless nesting',
    trace(
      1,
      Array.from({ length: 2_000 }, (_, i) => frame(i === 0 ? null : i - 1, 0, 1)),
    ),
    'deep',
  ],
])('%s is refused', (_, broken, words) => {
  expect(() => parseTrace(broken)).toThrow(words)
})
