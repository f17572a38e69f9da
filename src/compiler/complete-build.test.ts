import { expect, test } from 'vitest'
import { isIncomplete } from '#solidity/build/incomplete.ts'
import { joinFoundryArtifacts, readFoundryArtifact } from '#solidity/build/read-foundry.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { writeStandardJson } from '#solidity/build/write-standard-json.ts'
import { SOLC } from '#testing/compiler/solc.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { completeBuild } from './complete-build.ts'
import { versionOf } from './soljson.ts'

const SOURCES = {
  'src/Bank.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Math} from "lib/Math.sol";
contract Bank { uint256 public sum; function add(uint256 a) external { sum = Math.plus(sum, a); } }
contract Other { uint256 public n; function f(uint256 a) external { n = _g(a); } function _g(uint256 a) internal pure returns (uint256) { return a * a; } }`,
  'lib/Math.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Math { function plus(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; } }`,
}
const SETTINGS = { optimizer: { enabled: true, runs: 200 } }
const COMPILER = versionOf(SOLC)

const packed = (input: unknown, output: unknown, ...more: string[]) =>
  new TextEncoder().encode(JSON.stringify([COMPILER, JSON.stringify(input), JSON.stringify(output), ...more]))

/** What a folder of Foundry's gives: no ASTs, no layouts, no entries of functions. */
function foundryBuild(contentOf = (path: string): string | undefined => (SOURCES as Record<string, string>)[path]) {
  const { output } = compileStandard(SOURCES, SETTINGS)
  const artifacts = Object.entries(output.contracts).flatMap(([path, named]) =>
    Object.entries(named).map(([name, contract]) => {
      const { abi, evm, metadata } = contract
      const plain = (code: object) => ({ ...code, functionDebugData: undefined })
      const artifact = {
        abi,
        bytecode: plain(evm.bytecode),
        deployedBytecode: plain(evm.deployedBytecode),
        rawMetadata: metadata,
        id: output.sources[path]?.id,
      }
      return readFoundryArtifact(artifact, { path, name })
    }),
  )
  const [build] = joinFoundryArtifacts(artifacts, contentOf)
  if (!build) throw new Error('there are no artifacts')
  return build
}

function complete(input: unknown, output: unknown, ...more: string[]) {
  const made = completeBuild(SOLC, packed(input, output, ...more))
  return (
    made &&
    readStandardJson({ input: JSON.parse(made.input), output: JSON.parse(made.output), compiler: made.compiler })
  )
}

test('a build of Foundry gets its ASTs, layouts and entries of functions, and keeps its code', () => {
  const before = foundryBuild()
  const written = writeStandardJson(before)
  const after = complete(written.input, written.output)
  expect(after?.contracts.map(({ name }) => name).toSorted()).toEqual(['Bank', 'Math', 'Other'])
  for (const contract of after?.contracts ?? []) {
    const known = before.contracts.find(({ name }) => name === contract.name)
    expect(known && isIncomplete(before, known)).toBe(true)
    expect(after && isIncomplete(after, contract)).toBe(false)
    expect(contract.deployed?.bytes).toEqual(known?.deployed?.bytes)
    expect(contract.creation?.bytes).toEqual(known?.creation?.bytes)
  }
  expect(after?.sources.every(({ ast }) => ast !== undefined)).toBe(true)
})

test('contracts whose code the sources do not make are left out', () => {
  const written = writeStandardJson(foundryBuild())
  const output = structuredClone(written.output) as {
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  }
  const bank = output.contracts['src/Bank.sol']?.['Bank']?.evm.deployedBytecode
  if (!bank) throw new Error('there is no code')
  bank.object = bank.object.replace(/^../, 'fe')
  expect(complete(written.input, output)?.contracts.map(({ name }) => name)).toEqual(['Math', 'Other'])
})

test('nothing is made of a build that cannot be compiled once more', () => {
  const { input, output } = writeStandardJson(foundryBuild())
  const given = input as { sources: object; settings: object }
  expect(complete({ ...given, sources: { 'src/Bank.sol': { content: SOURCES['src/Bank.sol'] } } }, output)).toBe(
    undefined,
  )
  expect(complete({ ...given, sources: { ...given.sources, 'x.sol': { urls: ['x'] } } }, output)).toBe(undefined)
  expect(complete({ ...given, language: 'Yul' }, output)).toBe(undefined)
  expect(complete(given, output, 'by hash')).toBe(undefined)
  expect(complete(given, { contracts: {} })).toBe(undefined)
  const bytes = new TextEncoder().encode(JSON.stringify(['0.8.1+commit.df193b15', '{}', '{}']))
  expect(completeBuild(SOLC, bytes)).toBe(undefined)
  expect(completeBuild(SOLC, new Uint8Array())).toBe(undefined)
  // Sources that the artifacts do not have, or that have changed, are left out by the reader: then it has no text.
  const build = foundryBuild((path) => (path.startsWith('lib/') ? undefined : SOURCES['src/Bank.sol']))
  const [contract] = build.contracts
  expect(contract && isIncomplete(build, contract)).toBe(false)
})
