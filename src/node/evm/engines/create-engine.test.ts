import { expect, test } from 'vitest'
import { FORKS } from '../../spec/rules.ts'
import { createEngine } from './create-engine.ts'

test.each(FORKS)('the engines have the same precompiles under %s', async (fork) => {
  const [wasm, reference] = await Promise.all([
    createEngine(31337, 'wasm', fork),
    createEngine(31337, 'reference', fork),
  ])
  expect(wasm.precompiles).toEqual(reference.precompiles)
  expect([wasm.fork, reference.fork]).toEqual([fork, fork])
})
