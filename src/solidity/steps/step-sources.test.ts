import { describe, expect, test } from 'vitest'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { TraceError } from '#solidity/trace/parsed-trace.ts'
import { contractText, marksOf, ScenarioChain, VARIANTS } from '#testing/solidity/scenarios.ts'
import { type StepSources, stepSources } from './step-sources.ts'

const MARKS = marksOf(contractText('steps.sol'))
const lineOf = (mark: string) => MARKS.get(mark) as number

async function run(settings: (typeof VARIANTS)[keyof typeof VARIANTS], builds: 'known' | 'unknown' = 'known') {
  const stage = await ScenarioChain.open('steps.sol', settings)
  await stage.deploy('Steps')
  const trace = await stage.trace({ contract: 'Steps', call: 'run', args: [3n] })
  return { trace, found: stepSources(trace, createCodeIndex(builds === 'known' ? [stage.build] : [])) }
}

/** The lines at which the debugger can stop, in order, without repetitions. */
function linesOf({ placeOf, places, depths }: StepSources): readonly (readonly [line: number, depth: number])[] {
  const lines: [number, number][] = []
  for (const [step, index] of placeOf.entries()) {
    const place = places[index]
    const depth = depths[step] as number
    const last = lines.at(-1)
    if (!place?.isInside || (last?.[0] === place.line && last[1] === depth)) continue
    lines.push([place.line, depth])
  }
  return lines
}

describe.each(Object.entries(VARIANTS))('compiled %s', (_name, settings) => {
  test('the lines of the called contract and of its caller are visited in order', async () => {
    const { found } = await run(settings)
    const lines = linesOf(found).map(([line]) => line)
    // The optimizer may leave some lines without an instruction.
    const order = ['require', 'square', 'outside', 'bump'].map((mark) => lines.indexOf(lineOf(mark)))
    const visited = order.filter((at) => at >= 0)
    expect(visited).toEqual(visited.toSorted((a, b) => a - b))
    expect(visited.length).toBeGreaterThanOrEqual(2)
    expect(Object.values(found.codes).map(({ contract }) => contract)).toEqual(['Steps', 'Counter'])
  })
})

test('without the optimizer each function is one call deeper, and the called contract is deeper than its caller', async () => {
  const { found } = await run(VARIANTS.plain)
  const depthAt = (mark: string) => linesOf(found).find(([line]) => line === lineOf(mark))?.[1] ?? -1
  const outer = depthAt('call')
  expect(depthAt('add')).toBe(outer + 1)
  expect(depthAt('square')).toBe(outer + 2)
  expect(depthAt('outside')).toBe(outer)
  expect(depthAt('bump')).toBeGreaterThan(outer)
  const squares = linesOf(found).filter(([line]) => line === lineOf('square'))
  expect(squares.length).toBeGreaterThanOrEqual(3)
})

test('a place has the name of its function', async () => {
  const { found } = await run(VARIANTS.plain)
  const place = found.places.find(({ line, isInside }) => isInside && line === lineOf('square'))
  expect(found.names[place?.callable ?? -1]).toBe('Steps.square')
})

test('unknown code has no places, and is as deep as its frames', async () => {
  const { found } = await run(VARIANTS.plain, 'unknown')
  expect(found.places).toHaveLength(1)
  expect(found.sources).toEqual([])
  expect(found.codes).toEqual({})
  expect(new Set(found.depths)).toEqual(new Set([0, 1]))
})

test('an inconsistent trace is refused', async () => {
  const { trace } = await run(VARIANTS.plain)
  expect(() => stepSources({ ...trace, pcs: '0x00' }, createCodeIndex([]))).toThrow(TraceError)
})
