import { expect, test } from 'vitest'
import type { Build } from '#solidity/build/build.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { contractSources } from './contract-sources.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'
const FILES = {
  'A.sol': `${HEAD}import "./b/B.sol";\ncontract A is B {}`,
  'b/B.sol': `${HEAD}import {C} from "../C.sol"; import "../A.sol";\ncontract B is C {}`,
  'C.sol': `${HEAD}contract C {}`,
  'Z.sol': `${HEAD}contract Z {}`,
}
const build: Build = readStandardJson(compileStandard(FILES))
const pathsOf = (of: Build, path: string) => contractSources(of, { path }).map((file) => file.path)

test('a contract’s own source comes first, then those that it imports, each once', () => {
  expect(pathsOf(build, 'A.sol')).toEqual(['A.sol', 'b/B.sol', 'C.sol'])
  expect(pathsOf(build, 'Z.sol')).toEqual(['Z.sol'])
  expect(contractSources(build, { path: 'C.sol' })).toEqual([{ path: 'C.sol', content: FILES['C.sol'] }])
})

test('without an AST every source counts, its own first; those without text are left out', () => {
  const sources = build.sources.map((source) => ({ ...source, ast: undefined }))
  expect(pathsOf({ ...build, sources }, 'C.sol')[0]).toBe('C.sol')
  expect(pathsOf({ ...build, sources }, 'C.sol')).toHaveLength(4)
  const untold = build.sources.map((source) => ({ ...source, content: undefined }))
  expect(pathsOf({ ...build, sources: untold }, 'A.sol')).toEqual([])
})

test('a malformed AST adds nothing', () => {
  const ast = {
    nodes: [null, 7, { nodeType: 'ImportDirective', absolutePath: { a: 1 } }, { nodeType: 'ImportDirective' }],
  }
  const sources = build.sources.map((source) => ({ ...source, ast }))
  expect(pathsOf({ ...build, sources }, 'A.sol')).toEqual(['A.sol'])
})
