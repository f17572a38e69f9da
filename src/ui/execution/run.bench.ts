import { bench, describe } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import { readRun } from './run.ts'
import { findMarks } from './run-marks.ts'
import { instructionTrack, moveFrom } from './run-moves.ts'

const STEPS = 1_000_000
const CODE = toWord(1)

/** A million steps, half of them in a call, in a code of 24 kB. */
function longTrace(): RpcExecutionTrace {
  const pcs = Array.from({ length: STEPS }, (_, i) => (i % 24_000).toString(16).padStart(8, '0')).join('')
  const frame = { type: 'CALL', from: '0x01', to: '0x02', codeAddress: '0x02', code: CODE, value: '0x0' } as const
  const rest = { gas: '0x0', gasUsed: '0x0', input: '0x', output: '0x', error: null } as const
  return {
    steps: STEPS,
    pcs: `0x${pcs}`,
    gas: `0x${pcs}`,
    frames: [
      { ...frame, ...rest, parent: null, depth: 0, firstStep: 0, endStep: STEPS },
      { ...frame, ...rest, parent: 0, depth: 1, firstStep: 1_000, endStep: STEPS / 2 },
    ],
    codes: { [CODE]: `0x${'5b'.repeat(24_000)}` },
    ...{ gasLimit: '0x0', intrinsicGas: '0x0', refund: '0x0', floorGas: '0x0', gasUsed: '0x0' },
  }
}

const trace = longTrace()
const run = readRun(trace)
const track = instructionTrack(run)

describe('a run of a million steps', () => {
  bench('is read into typed arrays', () => {
    readRun(trace)
  })
  bench('has its logs, writes, calls and reverts found', () => {
    findMarks(run)
  })
  // The longest move there is: over half of the steps.
  bench('steps over a call of half a million steps', () => {
    moveFrom(track, 999, 'over', 1)
  })
})
