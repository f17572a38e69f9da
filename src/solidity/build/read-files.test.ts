import { expect, test } from 'vitest'
import { compileStandard, SOLC_VERSION } from '#testing/solidity/solc.ts'
import type { Build } from './build.ts'
import { readFiles } from './read-files.ts'
import { CONTENT_LIMIT, readStandardJson } from './read-standard-json.ts'

const A = 'import "./B.sol";\ncontract A is B { function a() external view { require(x > 1, "one"); } }'
const B = 'contract B { uint256 internal x; }'
const json = compileStandard({ 'src/A.sol': A, 'src/B.sol': B }, { optimizer: { enabled: true, runs: 99 } })

function namesOf({ contracts }: Build): string[] {
  return contracts.map(({ path, name }) => `${path}:${name}`)
}

const file = (path: string, value: unknown) => ({ path, text: JSON.stringify(value) })

test('Hardhat’s build-info gives a build with sources, settings and compiler version', () => {
  const info = {
    _format: 'hh-sol-build-info-1',
    id: 'abc',
    solcVersion: '0.8.37',
    solcLongVersion: SOLC_VERSION,
    ...json,
  }
  const { builds, refused } = readFiles([
    file('artifacts/build-info/abc.json', info),
    file('artifacts/src/A.sol/A.json', { _format: 'hh-sol-artifact-1', contractName: 'A', abi: [], bytecode: '0x' }),
    file('artifacts/src/A.sol/A.dbg.json', { _format: 'hh-sol-dbg-1', buildInfo: '../../build-info/abc.json' }),
  ])
  expect(refused).toEqual([])
  expect(builds).toHaveLength(1)
  expect(builds[0]).toMatchObject({
    id: 'abc',
    compiler: SOLC_VERSION,
    language: 'Solidity',
    settings: { optimizer: true, runs: 99, viaIR: false },
    sources: [
      { id: 0, path: 'src/A.sol', content: A },
      { id: 1, path: 'src/B.sol', content: B },
    ],
  })
  expect(namesOf(builds[0] as Build)).toEqual(['src/A.sol:A', 'src/B.sol:B'])
  expect(builds[0]?.contracts[0]?.deployed?.functions.some(({ name }) => name.startsWith('@a_'))).toBe(true)
})

test('Hardhat 3 keeps input and output in two files, read in either order', () => {
  const info = { _format: 'hh3-sol-build-info-1', id: 'solc-x', solcLongVersion: SOLC_VERSION, input: json.input }
  const output = { _format: 'hh3-sol-build-info-output-1', id: 'solc-x', output: json.output }
  const files = [file('build-info/solc-x.json', info), file('build-info/solc-x.output.json', output)]
  for (const order of [files, files.toReversed()]) {
    const { builds } = readFiles(order)
    expect(builds).toMatchObject([{ id: 'solc-x', compiler: SOLC_VERSION, sources: [{ content: A }, { content: B }] }])
  }
})

test('paths that Hardhat 3 gave to the compiler become those of the project', () => {
  const userSourceNameMap = { 'contracts/A.sol': 'src/A.sol' }
  const info = { id: 'solc-x', userSourceNameMap, input: json.input }
  const { builds } = readFiles([file('a.json', info), file('b.json', { id: 'solc-x', output: json.output })])
  expect(builds[0]?.sources.map(({ path }) => path)).toEqual(['contracts/A.sol', 'src/B.sol'])
  expect(namesOf(builds[0] as Build)).toEqual(['contracts/A.sol:A', 'src/B.sol:B'])
})

/** An artifact as Foundry writes it. */
function artifact(path: string, name: string, withAst: boolean) {
  const contract = json.output.contracts[path]?.[name] as unknown as {
    abi: unknown
    metadata: string
    storageLayout: unknown
    evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
  }
  const { bytecode, deployedBytecode } = contract.evm
  return {
    abi: contract.abi,
    bytecode: { ...bytecode, object: `0x${bytecode.object}` },
    deployedBytecode: { ...deployedBytecode, object: `0x${deployedBytecode.object}` },
    rawMetadata: contract.metadata,
    metadata: JSON.parse(contract.metadata) as unknown,
    storageLayout: contract.storageLayout,
    ...(withAst ? { ast: json.output.sources[path]?.ast } : {}),
    id: json.output.sources[path]?.id,
  }
}

test.each([true, false])(
  'Foundry’s artifacts become one build with the project’s sources (with AST: %s)',
  (withAst) => {
    const { builds, refused } = readFiles([
      file('out/B.sol/B.json', artifact('src/B.sol', 'B', withAst)),
      { path: 'project/src/A.sol', text: A },
      file('out/A.sol/A.json', artifact('src/A.sol', 'A', withAst)),
      { path: 'project/src/B.sol', text: B },
      file('cache/solidity-files-cache.json', { _format: '', files: {} }),
    ])
    expect(refused).toEqual([])
    expect(builds).toHaveLength(1)
    const [build] = builds as [Build]
    expect(namesOf(build)).toEqual(['src/B.sol:B', 'src/A.sol:A'])
    expect(build.settings).toMatchObject({ optimizer: true, runs: 99 })
    expect(build.compiler).toBe(SOLC_VERSION.replace('.Emscripten.clang', ''))
    expect(build.sources.map(({ id, path, content }) => ({ id, path, content }))).toEqual([
      { id: 1, path: 'src/B.sol', content: B },
      { id: 0, path: 'src/A.sol', content: A },
    ])
  },
)

test('a source that has changed since it was compiled is left out', () => {
  const { builds } = readFiles([
    file('out/A.sol/A.json', artifact('src/A.sol', 'A', true)),
    { path: 'src/A.sol', text: `// new\n${A}` },
  ])
  expect(builds[0]?.sources).toMatchObject([{ path: 'src/A.sol', content: undefined }])
})

test('a Foundry build-info without output names the sources that have no artifact', () => {
  const info = { id: 'x', source_id_to_path: { 0: 'src/A.sol', 1: 'src/B.sol' }, language: 'Solidity' }
  const other = { id: 'y', source_id_to_path: { 0: 'src/Else.sol', 1: 'src/Free.sol' }, language: 'Solidity' }
  const { builds } = readFiles([
    file('out/build-info/x.json', info),
    file('out/build-info/y.json', other),
    file('out/A.sol/A.json', artifact('src/A.sol', 'A', false)),
    { path: 'src/B.sol', text: B },
  ])
  expect(builds.map(({ sources }) => sources)).toMatchObject([
    [
      { id: 0, path: 'src/A.sol', content: undefined },
      { id: 1, path: 'src/B.sol', content: B },
    ],
  ])
})

test('an artifact that does not say how it was compiled counts as optimised', () => {
  const { rawMetadata: _, metadata: __, ...bare } = artifact('src/A.sol', 'A', false)
  expect(readFiles([file('out/A.sol/A.json', bare)]).builds).toMatchObject([{ settings: { optimizer: true } }])
})

test('sources that claim the same index were not compiled together', () => {
  const other = { ...artifact('src/B.sol', 'B', false), id: 0 }
  const { builds } = readFiles([
    file('out/A.sol/A.json', artifact('src/A.sol', 'A', false)),
    file('out/B.sol/B.json', other),
  ])
  expect(builds.map(namesOf)).toEqual([['src/A.sol:A'], ['src/B.sol:B']])
})

test('broken files are refused with the reason, and the others are still read', () => {
  const { builds, refused } = readFiles([
    { path: 'a.json', text: '{' },
    file('b.json', { input: {}, output: { contracts: { 'x.sol': { X: { evm: { bytecode: { object: 'zz' } } } } } } }),
    file('c.json', { input: {}, output: { sources: { 'x.sol': { id: -1 } } } }),
    file('d.json', { input: {}, output: { contracts: [] } }),
    file('e.json', { nothing: true }),
    file('good.json', json),
  ])
  expect(refused.map(({ path }) => path)).toEqual(['a.json', 'b.json', 'c.json', 'd.json'])
  expect(refused[1]?.reason).toBe('x.sol:X.bytecode.object is not hex')
  expect(builds).toHaveLength(1)
})

test('a source that is too long is refused, and its artifact is still read', () => {
  const contract = json.output.contracts['src/B.sol']?.['B']
  const written = {
    ...{ abi: [], bytecode: contract?.evm.bytecode, deployedBytecode: contract?.evm.deployedBytecode },
    ast: json.output.sources['src/B.sol']?.ast,
  }
  const { builds, refused } = readFiles([
    { path: 'src/B.sol', text: ' '.repeat(CONTENT_LIMIT + 1) },
    file('out/B.sol/B.json', written),
  ])
  expect(refused).toEqual([{ path: 'src/B.sol', reason: `src/B.sol has more than ${CONTENT_LIMIT} characters` }])
  expect(builds.flatMap(({ sources }) => sources)).toMatchObject([{ path: 'src/B.sol', content: undefined }])
})

test('a reference outside the code, and endlessly nested structs, are refused', () => {
  const code = { object: '00', immutableReferences: { 1: [{ start: 0, length: 32 }] } }
  const read = (contract: unknown) => readStandardJson({ output: { contracts: { a: { A: contract } } } })
  expect(() => read({ evm: { deployedBytecode: code } })).toThrow('outside the code')
  let parameter: unknown = { name: '', type: 'tuple' }
  for (let i = 0; i < 100; i++) parameter = { name: '', type: 'tuple', components: [parameter] }
  expect(() => read({ abi: [{ type: 'function', name: 'f', inputs: [parameter] }] })).toThrow('levels deep')
})
