import { strToU8, zipSync } from 'fflate'
import { keccak256, stringToBytes } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { claim, claimOf, type GivenContract, inputFile, isCompilable } from './sourcify.ts'
import { chosenSources } from './verify-sources.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const OTHER = `0x${'cd'.repeat(20)}` as const
const FILES = {
  'src/Coin.sol': `import {Rates} from "lib/rates/Rates.sol"; contract Coin { function rate() external pure returns (uint256) { return Rates.rate(); } }`,
  'lib/rates/Rates.sol': 'library Rates { function rate() internal pure returns (uint256) { return 42; } }',
}
const { output } = compileStandard(FILES)
const compiled = output.contracts['src/Coin.sol']?.['Coin'] as unknown as {
  readonly metadata: string
  readonly evm: { readonly deployedBytecode: { readonly object: string } }
}
const METADATA = compiled.metadata
const CODE: Hex = `0x${compiled.evm.deployedBytecode.object}`

/** As Sourcify keeps it: the compiler's paths below `sources`. */
const folderOf = (address: string, metadata = METADATA) => ({
  [`full_match/1/${address}/metadata.json`]: metadata,
  ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`full_match/1/${address}/sources/${path}`, text])),
})
const chosen = (files: Readonly<Record<string, string>>) =>
  chosenSources(
    Object.entries(files).map(([path, text]) => {
      const file = new File([text], path.slice(path.lastIndexOf('/') + 1))
      return Object.defineProperty(file, 'webkitRelativePath', { value: path })
    }),
    ADDRESS,
  ) as Promise<GivenContract>
interface Metadata {
  readonly output: { readonly abi: { name: string; inputs: object[] }[] }
  readonly settings: { readonly compilationTarget: Record<string, string> }
  readonly sources: Record<string, object>
}

/** The metadata with a change. */
const changed = (change: (metadata: Metadata) => void): string => {
  const metadata = JSON.parse(METADATA) as Metadata
  change(metadata)
  return JSON.stringify(metadata)
}

test('a folder of Sourcify gives the contract with its sources, whatever folders tools generate are called', async () => {
  const contract = await chosen(folderOf(ADDRESS))
  expect(contract.metadata).toMatchObject({ name: 'Coin', path: 'src/Coin.sol', abi: [{ name: 'rate' }] })
  expect(Object.fromEntries(contract.sources)).toEqual(FILES)
  expect(isCompilable(contract)).toBe(true)
  // The hash that the compiler put into the code.
  expect(claimOf(contract, CODE)).toBe('by hash')
  const generated = await chosen({
    'x/metadata.json': changed(({ sources }) =>
      Object.assign(sources, { 'node_modules/out/A.sol': { keccak256: keccak256(stringToBytes('contract A {}')) } }),
    ),
    'x/sources/node_modules/out/A.sol': 'contract A {}',
  })
  expect([...generated.sources.keys()]).toEqual(['node_modules/out/A.sol'])
  expect(claimOf(generated, CODE)).toBe('by word')
})

test('so does a zip file of it, and the contract’s standard JSON input compiles to the code', async () => {
  const zipped = zipSync(
    Object.fromEntries(Object.entries(folderOf(ADDRESS)).map(([path, text]) => [path, strToU8(text)])),
  )
  const contract = (await chosenSources([new File([zipped], 'coin.zip')], ADDRESS)) as GivenContract
  const input = JSON.parse(await inputFile(contract).text()) as { sources: object; settings: object }
  expect(input.sources).toEqual({
    'src/Coin.sol': { content: FILES['src/Coin.sol'] },
    'lib/rates/Rates.sol': { content: FILES['lib/rates/Rates.sol'] },
  })
  expect(input.settings).not.toHaveProperty('compilationTarget')
  expect(input.settings).toHaveProperty('optimizer')
})

test('of several contracts that of the address is taken; those of others alone are refused by their address', async () => {
  const contract = await chosen({ ...folderOf(OTHER, '{}'), ...folderOf(ADDRESS.toUpperCase().replace('0X', '0x')) })
  expect(contract.metadata.name).toBe('Coin')
  await expect(chosen(folderOf(OTHER))).rejects.toThrow(`no metadata of ${ADDRESS}, but of ${OTHER}`)
  await expect(chosen({ 'a/metadata.json': METADATA, 'b/metadata.json': METADATA })).rejects.toThrow('2 files')
})

test('a source that is not what the metadata names by its hash counts as missing', async () => {
  const contract = await chosen({
    ...folderOf(ADDRESS),
    [`full_match/1/${ADDRESS}/sources/src/Coin.sol`]: 'contract Coin {}',
  })
  expect([...contract.sources.keys()]).toEqual(['lib/rates/Rates.sol'])
  expect(isCompilable(contract)).toBe(false)
})

test('an answer of Sourcify’s API gives the contract, also of other compilers', async () => {
  const answer = {
    abi: [
      { type: 'function', name: 'rate', inputs: [], outputs: [{ type: 'uint256', name: '' }], stateMutability: 'view' },
    ],
    compilation: {
      compilerVersion: 'v0.8.19+commit.7dd6d404',
      language: 'Solidity',
      fullyQualifiedName: 'src/Coin.sol:Coin',
    },
    stdJsonInput: {
      sources: { 'src/Coin.sol': { content: 'contract Coin {}' } },
      settings: { optimizer: { enabled: true, runs: 9 } },
    },
  }
  const file = new File([JSON.stringify(answer)], 'contract.json')
  const contract = (await chosenSources([file], ADDRESS)) as GivenContract
  expect(contract.metadata).toMatchObject({ name: 'Coin', path: 'src/Coin.sol', compiler: '0.8.19+commit.7dd6d404' })
  expect(isCompilable(contract)).toBe(false)
  expect(claimOf(contract, CODE)).toBe('by word')
})

test('what the page cannot compile becomes a build of the chain’s code, a different one for each code', async () => {
  const contract = await chosen(folderOf(ADDRESS))
  const [build, other] = [await claim(contract, CODE), await claim(contract, '0x6001')]
  expect(build.id).not.toBe(other.id)
  const stream = new Blob([build.texts]).stream().pipeThrough(new DecompressionStream('gzip'))
  const [compiler, input, written, claimed] = JSON.parse(await new Response(stream).text()) as string[]
  invariant(input && written, 'a build has these texts')
  expect(claimed).toBe('by hash')
  expect(compiler).toMatch(/^0\.8\./)
  expect(JSON.parse(input)).toMatchObject({ sources: { 'src/Coin.sol': { content: FILES['src/Coin.sol'] } } })
  expect(JSON.parse(written)).toMatchObject({
    contracts: { 'src/Coin.sol': { Coin: { evm: { deployedBytecode: { object: CODE.slice(2) } } } } },
  })
})

test('what ties sources to code is told by the page alone: a file or a server cannot say it', () => {
  expect(readStandardJson({ output: { ...output, claimed: 'by hash' } })).not.toHaveProperty('claimed')
  expect(readStandardJson({ output, claimed: 'by word' })).toMatchObject({ claimed: 'by word' })
})

/** A struct in structs, a hundred deep. */
function nested(): object {
  let type: object = { type: 'tuple', name: 'a', components: [] }
  for (let i = 0; i < 100; i++) type = { type: 'tuple', name: 'a', components: [type] }
  return type
}

test.each([
  [
    'an ABI with a name that hides something',
    changed(({ output: { abi } }) => Object.assign(abi[0] ?? {}, { name: 'a\u202eb' })),
  ],
  ['two targets', changed(({ settings }) => Object.assign(settings.compilationTarget, { 'x.sol': 'X' }))],
  ['sources without hashes', changed(({ sources }) => Object.assign(sources, { 'src/Coin.sol': {} }))],
  ['structs without end', changed(({ output: { abi } }) => abi[0]?.inputs.push(nested()))],
])('metadata with %s is refused', async (_what, metadata) => {
  await expect(chosen({ 'metadata.json': metadata })).rejects.toThrow(
    /^This cannot be compiled: its (metadata|ABI) cannot be read/,
  )
})

test('files metadata.json of something else are no reason to refuse a project', async () => {
  const art = { 'p/art/1/metadata.json': '{"name":"art"}', 'p/art/2/metadata.json': '['.repeat(1_000_000) }
  expect(await chosen({ ...art, 'p/src/A.sol': 'contract A {}' })).toMatchObject({ kind: 'project' })
  expect(await chosen({ ...art, 'p/metadata.json': METADATA })).toMatchObject({ kind: 'metadata' })
})

test('a folder of Sourcify for a contract in Vyper gives its sources, too', async () => {
  const source = '@external\ndef rate() -> uint256: return 42'
  const metadata = changed((all) =>
    Object.assign(all, { language: 'Vyper', sources: { 'rate.vy': { keccak256: keccak256(stringToBytes(source)) } } }),
  )
  const contract = await chosen({ 'x/metadata.json': metadata, 'x/sources/rate.vy': source })
  expect([...contract.sources.keys()]).toEqual(['rate.vy'])
  expect(isCompilable(contract)).toBe(false)
})

test('metadata that has its sources gives those with the hash that it names', async () => {
  const full = changed(({ sources }) => {
    for (const [path, content] of Object.entries(FILES)) Object.assign(sources[path] ?? {}, { content })
  })
  expect(Object.fromEntries((await chosen({ 'x.json': full })).sources)).toEqual(FILES)
  const other = changed(({ sources }) => Object.assign(sources['src/Coin.sol'] ?? {}, { content: 'contract Coin {}' }))
  expect((await chosen({ 'x.json': other })).sources.size).toBe(0)
})

test('settings that are nested without end are not taken as metadata', async () => {
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
  const metadata = METADATA.replace('"settings":{', `"settings":{"deep":${deep},`)
  expect(await chosen({ 'x.json': metadata })).toMatchObject({ kind: 'standard JSON' })
})
