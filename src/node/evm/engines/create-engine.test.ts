import { expect, test } from 'vitest'
import { HARDFORKS } from '../../spec/rules.ts'
import { createEngine } from './create-engine.ts'

test.each(HARDFORKS)('the engines have the same precompiles under %s', async (hardfork) => {
  const [wasm, reference] = await Promise.all([
    createEngine(31337, 'wasm', hardfork),
    createEngine(31337, 'reference', hardfork),
  ])
  expect(wasm.precompiles).toEqual(reference.precompiles)
  expect([wasm.hardfork, reference.hardfork]).toEqual([hardfork, hardfork])
})
