import { expect, test } from 'vitest'
import { compile, SETTINGS } from '#testing/compiler/solc.ts'
import { allowCompiler } from './allow-compiler.ts'

const VERSION = '0.8.37'

test('pragmas of the same minor version allow the compiler, and the project compiles then', async () => {
  const files = {
    'A.sol':
      '// SPDX-License-Identifier: MIT\n// Ünicode\npragma solidity 0.8.26;\nimport "./B.sol";\ncontract A is B {}',
    'B.sol': '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract B {}',
  }
  const { diagnostics } = await compile(files, SETTINGS)
  expect(diagnostics[0]).toMatchObject({ code: '5333', advice: expect.stringContaining('Add artifacts') as string })
  const changed = allowCompiler(files, diagnostics, VERSION)
  expect(Object.keys(changed)).toEqual(['A.sol'])
  expect(changed['A.sol']).toContain('pragma solidity 0.8.26 || 0.8.37;\nimport')
  expect((await compile({ ...files, ...changed }, SETTINGS)).diagnostics).toEqual([])
})

test('sources for older compilers are left as they are', async () => {
  const files = { 'A.sol': '// SPDX-License-Identifier: MIT\npragma solidity =0.5.16;\ncontract A {}' }
  const { diagnostics } = await compile(files, SETTINGS)
  expect(allowCompiler(files, diagnostics, VERSION)).toEqual({})
  expect(allowCompiler({}, diagnostics, VERSION)).toEqual({})
})
