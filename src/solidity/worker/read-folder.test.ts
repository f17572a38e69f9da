import { expect, test } from 'vitest'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import type { PackedBuild } from './pack-build.ts'
import { type FolderFile, MAX_FILE_BYTES, MAX_FOLDER_BYTES, readFolder } from './read-folder.ts'

const SOURCE =
  'pragma solidity ^0.8.0; contract Sum { function add(uint256 a) external pure returns (uint256) { return a + 1; } }'
const json = compileStandard({ 'src/Sum.sol': SOURCE })
const contract = json.output.contracts['src/Sum.sol']?.['Sum']
const info = { id: 'b1', solcLongVersion: '0.8.30', ...json }
const artifact = {
  abi: contract?.abi,
  bytecode: { ...contract?.evm.bytecode, object: `0x${contract?.evm.bytecode.object ?? ''}` },
  deployedBytecode: { ...contract?.evm.deployedBytecode, object: `0x${contract?.evm.deployedBytecode.object ?? ''}` },
  ast: json.output.sources['src/Sum.sol']?.ast,
  id: 0,
}

const file = (path: string, content: unknown): FolderFile => ({
  path,
  file: new Blob([typeof content === 'string' ? content : JSON.stringify(content)]),
})
/** A file of a given size that must not be read. */
const large = (path: string, size: number): FolderFile => ({
  path,
  file: { size, text: () => Promise.reject(new Error('it was read')) } as unknown as Blob,
})

async function unpacked({ texts }: PackedBuild) {
  const stream = new Blob([texts]).stream().pipeThrough(new DecompressionStream('gzip'))
  const [compiler, input, output] = JSON.parse(await new Response(stream).text()) as [string, string, string]
  return { compiler, input: JSON.parse(input) as object, output: JSON.parse(output) as object }
}

test('a build-info is kept unchanged', async () => {
  const found = await readFolder([file('build-info/b1.json', info), file('contracts/Sum.json', { bytecode: '0x' })])
  expect(found).toMatchObject({ refused: [], refusedCount: 0, others: 1, left: 0 })
  expect(found.builds).toMatchObject([{ contracts: 1, names: ['Sum'], sources: 1, missing: 0 }])
  const [build] = found.builds
  expect(build && (await unpacked(build.packed))).toEqual({
    compiler: '0.8.30',
    ...(JSON.parse(JSON.stringify(json)) as object),
  })
})

test('Foundry artifacts get the sources that they were compiled from; no other source is read', async () => {
  const told: number[][] = []
  const files = [file('out/Sum.sol/Sum.json', artifact), large('lib/other/Other.sol', 10), file('src/Sum.sol', SOURCE)]
  const { builds } = await readFolder(files, (...far) => told.push(far))
  expect(told).toEqual([
    [0, 1],
    [1, 2],
  ])
  const [build] = builds
  const { compiler, input, output } = await unpacked((build as NonNullable<typeof build>).packed)
  const read = readStandardJson({ compiler, input, output })
  expect(read.sources).toMatchObject([{ path: 'src/Sum.sol', content: SOURCE }])
  expect(read.contracts).toMatchObject([
    { name: 'Sum', deployed: { sourceMap: expect.stringMatching(/^\d+:/) as string } },
  ])
})

test('missing sources are listed', async () => {
  const { builds } = await readFolder([file('Sum.json', artifact)])
  expect(builds).toMatchObject([{ sources: 1, missing: 1, missingPaths: ['src/Sum.sol'] }])
})

test('broken, large and deeply nested files are refused, and the others are still read', async () => {
  const deep = `{"input":{},"output":{"contracts":{"a":{"A":{"evm":{"bytecode":{"object":"00"}}}}},"sources":{"a":{"id":0,"ast":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}}`
  const { builds, refused, others } = await readFolder([
    file('broken.json', '{'),
    large('large.json', MAX_FILE_BYTES + 1),
    file('deep.json', deep),
    file('package.json', { name: 'x' }),
    file('keys.json', '{"__proto__":{"input":{}},"id":"constructor"}'),
    file('b1.json', info),
  ])
  expect(refused.map(({ path }) => path)).toEqual(['large.json', expect.any(String), 'broken.json'])
  expect(builds).toMatchObject([{ names: ['Sum'] }])
  expect(others).toBe(2)
})

test('files beyond the limit of a folder are left out, which is reported once', async () => {
  const sized = (path: string) => ({ path, file: { size: 0.4 * MAX_FOLDER_BYTES, text: async () => '{}' } as Blob })
  const { refused, others } = await readFolder(['a.json', 'b.json', 'c.json', 'd.json'].map(sized))
  expect(refused).toEqual([{ path: 'c.json', reason: expect.stringContaining('left out') as string }])
  expect(others).toBe(2)
})
