import { beforeAll, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { compile, PACKAGES, readInstalled, SETTINGS, SOLC } from '#testing/compiler/solc.ts'
import { MAX_INPUT_BYTES, matchCode } from './match-code.ts'
import type { Files, MatchRequest, ProjectSources } from './messages.ts'
import { readConfig, rootsOf } from './project/project-config.ts'
import { versionOf } from './soljson.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'
const FILES: Files = {
  'src/Coin.sol': `${HEAD}import {ERC20} from "@oz/token/ERC20/ERC20.sol";\nimport {Rates} from "./rates/Rates.sol";
contract Coin is ERC20("Coin", "C") { function rate() external pure returns (uint256) { return Rates.rate(); } }`,
  'src/rates/Rates.sol': `${HEAD}library Rates { function rate() internal pure returns (uint256) { return 42; } }`,
  'src/Other.sol': `${HEAD}contract Other {}`,
}
const REMAPPINGS = '@oz/=@openzeppelin/contracts/'
/** Milliseconds for the compiler's first run on a busy machine. */
const COMPILE_MS = 60_000

/** Code of `Coin`. */
let code: Hex
let input: string

const blobs = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new Blob([text])]))
const project = (changed: Partial<ProjectSources> = {}): ProjectSources => ({
  ...{ kind: 'project', files: blobs(FILES), remappings: REMAPPINGS, settings: SETTINGS },
  roots: rootsOf(Object.keys(changed.files ?? FILES), readConfig({})),
  ...changed,
})
const standard = (text: string) => ({ kind: 'standard JSON', file: new Blob([text]) }) as const
const match = (sources: MatchRequest['sources'], of: Hex = code) =>
  matchCode(SOLC, { sources, code: of }, { packages: PACKAGES, readPackage: readInstalled })

beforeAll(async () => {
  const { build } = await compile({ ...FILES, 'remappings.txt': REMAPPINGS })
  if (!build) throw new Error('the project does not compile')
  input = build.input
  const { contracts } = JSON.parse(build.output) as {
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  }
  code = `0x${contracts['src/Coin.sol']?.['Coin']?.evm.deployedBytecode.object}`
}, COMPILE_MS)

test('a project with folders and a remapping to OpenZeppelin is compiled, and the contract with the code is found', async () => {
  const found = await match(project())
  expect(found).toMatchObject({
    ...{ outcome: 'found', path: 'src/Coin.sol', name: 'Coin', verification: { outcome: 'same' } },
    build: { compiler: versionOf(SOLC), input },
    abi: expect.arrayContaining([expect.objectContaining({ name: 'rate' })]) as unknown,
  })
})

test('other settings give no match, but the closest contract and the compilers', async () => {
  expect(await match(project({ settings: { ...SETTINGS, runs: 1 } }))).toEqual({
    outcome: 'none',
    compiledBy: versionOf(SOLC).split('+')[0],
    here: versionOf(SOLC),
    closest: { path: 'src/Coin.sol', name: 'Coin', bytes: expect.any(Number) as number, hasSameFunctions: true },
  })
  expect(await match(project(), '0x6001')).toMatchObject({ outcome: 'none', compiledBy: undefined })
})

test('standard JSON input is compiled with its own settings, also as Etherscan and Hardhat write it', async () => {
  for (const text of [input, `{${input}}`, JSON.stringify({ id: 'x', input: JSON.parse(input) as unknown })]) {
    expect(await match(standard(text))).toMatchObject({ outcome: 'found', verification: { outcome: 'same' } })
  }
  const { settings, ...rest } = JSON.parse(input) as { readonly settings: object }
  const changed = { ...settings, metadata: { bytecodeHash: 'none' }, stopAfter: 'parsing' }
  const found = await match(standard(JSON.stringify({ ...rest, settings: changed })))
  expect(found).toMatchObject({ outcome: 'found', verification: { outcome: 'same but metadata' } })
  const [build] = 'build' in found ? [found.build] : []
  expect(JSON.parse(build?.input ?? '')).toMatchObject({
    settings: { metadata: { bytecodeHash: 'none' }, remappings: [REMAPPINGS] },
  })
})

test('the libraries in the project’s own lib count, by the remappings that Foundry infers', async () => {
  const lib = 'lib/openzeppelin-contracts/contracts/token/ERC20/ERC20.sol'
  const own = `${HEAD}contract ERC20 { constructor(string memory, string memory) {} }`
  const files = blobs({ ...FILES, [lib]: own })
  expect(await match(project({ files, remappings: '@oz/=lib/openzeppelin-contracts/contracts/' }))).toMatchObject({
    outcome: 'none',
  })
})

test('a contract of the tests is found if none of the others has the code', async () => {
  const files = { ...FILES, 'test/Mock.sol': `${HEAD}contract Mock { function mock() external {} }` }
  const { build } = await compile({ ...files, 'remappings.txt': REMAPPINGS }, { ...SETTINGS, withTests: true })
  const { contracts } = JSON.parse(build?.output ?? '') as {
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  }
  const mock: Hex = `0x${contracts['test/Mock.sol']?.['Mock']?.evm.deployedBytecode.object}`
  expect(await match(project({ files: blobs(files) }), mock)).toMatchObject({ outcome: 'found', name: 'Mock' })
})

test('the closest contract is the one with the code’s functions, whatever their length', async () => {
  const like = `${HEAD}contract Like { uint256 public rate; }`
  const long = `${HEAD}contract Long { function other() external pure returns (string memory) { return "${'x'.repeat(500)}"; } }`
  const found = await match(project({ files: blobs({ 'src/Like.sol': like, 'src/Long.sol': long }) }))
  expect(found).toMatchObject({ outcome: 'none', closest: { name: 'Like' } })
})

test('errors name their place, and what to do about it', async () => {
  expect(await match(project({ remappings: '' }))).toMatchObject({
    outcome: 'errors',
    diagnostics: [
      {
        message: expect.stringContaining('Source "@oz/token/ERC20/ERC20.sol" not found') as string,
        place: { file: 'src/Coin.sol', line: 3 },
        advice: expect.stringContaining('The project has no such file.') as string,
      },
    ],
  })
})

test.each([
  ['a file that is not JSON', '{', /JSON/],
  ['JSON without sources', '{"a":1}', /standard JSON input/],
  ['another language', '{"language":"Yul","sources":{}}', /its language is Yul/],
  [
    'a source by its address',
    '{"language":"Solidity","sources":{"A.sol":{"urls":["ipfs://x"]}}}',
    /A\.sol has no content/,
  ],
  ['a source that is not a string', '{"language":"Solidity","sources":{"A.sol":{"content":7}}}', /not a string/],
])('%s is refused with the reason', async (_what, text, reason) => {
  expect(await match(standard(text))).toEqual({
    outcome: 'unreadable',
    reason: expect.stringMatching(reason) as string,
  })
})

test('files that are too large or not needed are not read, and one that has gone is the reason', async () => {
  const unread = (size: number) => ({ size, text: () => Promise.reject(new Error('it was read')) }) as unknown as Blob
  expect(await match({ kind: 'standard JSON', file: unread(MAX_INPUT_BYTES + 1) })).toMatchObject({
    outcome: 'unreadable',
  })
  const gone = { slice: () => ({ text: () => Promise.reject(new DOMException('it is gone', 'NotFoundError')) }) }
  const files = { 'src/A.sol': gone as unknown as Blob, 'lib/x/src/B.sol': unread(1) }
  expect(await match(project({ files }))).toEqual({
    outcome: 'unreadable',
    reason: expect.stringMatching(/changed or deleted/) as string,
  })
  expect(await match(project({ files: { 'lib/x/src/B.sol': unread(1) } }))).toMatchObject({ outcome: 'unreadable' })
})
