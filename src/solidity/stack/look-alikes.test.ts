import { describe, expect, test } from 'vitest'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { profileGas } from '#solidity/gas/profile-gas.ts'
import { stepSources } from '#solidity/steps/step-sources.ts'
import { byHand } from '#testing/solidity/look-alikes/by-hand.ts'
import { playLookAlikes, Tally } from '#testing/solidity/look-alikes/tally.ts'
import { explainFailure } from './explain-failure.ts'

const SOURCES = byHand()

function sourceOf(file: string) {
  const found = SOURCES.find((source) => source.file === file)
  if (!found) throw new Error(`no ${file}`)
  return found
}

describe.each(SOURCES.map((source) => [source.file, source] as const))('%s', (file, source) => {
  test('plain code has the lines that are marked', async () => {
    const { build, traces } = await playLookAlikes(source, 'plain')
    const index = createCodeIndex([build])
    const lines = traces.map((trace) => explainFailure(trace, index)?.frames.map(({ line }) => line))
    expect(lines).toEqual(source.right)
  })

  test('no pipeline and no form of a build has another line or another function', async () => {
    const tally = new Tally()
    await tally.add(file, source)
    expect(tally.wrong).toEqual([])
    expect(tally.failed).toBe(source.calls.length)
  })
})

describe('of two functions with the same code the debugger and the flame graph name the one that was called', () => {
  test.each(['deposit', 'withdraw'])('%s', async (called) => {
    const source = sourceOf('merged-functions.sol')
    const { build, traces } = await playLookAlikes(source, 'optimized')
    const index = createCodeIndex([build])
    const trace = traces[source.calls.findIndex(({ call }) => call === called)]
    if (!trace) throw new Error(`no call of ${called}`)
    const other = `NoAst3.${called === 'deposit' ? 'withdraw' : 'deposit'}`
    const { names } = stepSources(trace, index)
    expect(names).toContain(`NoAst3.${called}`)
    expect(names).not.toContain(other)
    const functions = profileGas(trace, index).functions.map(({ name }) => name)
    expect(functions).toContain(`NoAst3.${called}`)
    expect(functions).not.toContain(other)
  })
})

test('a loop at the beginning of a function is no recursion', async () => {
  const source = sourceOf('loops.sol')
  const { build, traces } = await playLookAlikes(source, 'optimized')
  const index = createCodeIndex([build])
  for (const [i, { call }] of source.calls.entries()) {
    const trace = traces[i]
    if (!trace) throw new Error(`no trace of ${call}`)
    const frames = explainFailure(trace, index)?.frames.map((frame) => frame.function)
    expect(frames).toEqual(call === 'inner' ? ['_drain', 'inner'] : [call])
    const runs = profileGas(trace, index).functions.map((each) => each.runs)
    expect(Math.max(...runs), call).toBe(1)
  }
})
