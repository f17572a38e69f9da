import { expect, test } from 'vitest'
import { compile } from '#testing/compiler/solc.ts'
import { EXAMPLES } from './examples.ts'

test.each(EXAMPLES)('the example $title compiles without errors or warnings', ({ source }) => {
  const { diagnostics, contracts } = compile(source)
  expect(diagnostics).toEqual([])
  expect(contracts.map(({ obstacle }) => obstacle)).toEqual([undefined])
})
