import { expect, test } from 'vitest'
import { readConfig, remappingsOf, rootsOf } from './project-config.ts'
import { remappingText } from './resolve-import.ts'

const foundry = (toml: string) => readConfig({ 'foundry.toml': toml })
const hardhat = (script: string, packageJson = '{}') =>
  readConfig({ 'hardhat.config.ts': script, 'package.json': packageJson })

test.each([
  ['', { optimizer: false, runs: undefined, evmVersion: undefined, viaIR: false }],
  ['[profile.default]\noptimizer_runs = 10_000', { optimizer: true, runs: 10_000 }],
  ['[profile.default]\noptimizer_runs = 0', { optimizer: false, runs: 0 }],
  ['[profile.default]\noptimizer = false\noptimizer_runs = 5', { optimizer: false, runs: 5 }],
  ['[profile.default]\noptimizer = true # on', { optimizer: true, runs: undefined }],
  ['[profile.default]\nvia-ir = true\nevm-version = "Paris"', { viaIR: true, evmVersion: 'paris' }],
  ['[default]\noptimizer_runs=7', { optimizer: true, runs: 7 }],
  ['[profile.ci]\noptimizer = true', { optimizer: false }],
  [
    '[profile.default]\nbytecode_hash = "none"\ncbor_metadata = false',
    { metadata: { bytecodeHash: 'none', appendCBOR: false } },
  ],
  ['[profile.default.optimizer_details]\noptimizer = true', { optimizer: false }],
])('Foundry’s settings and defaults are those of forge 1.7: %j', (toml, settings) => {
  expect(foundry(toml)).toMatchObject({ tool: 'Foundry', settings })
})

test('a profile of Foundry has what the default profile says, but for its own', () => {
  const toml = '[profile.default]\noptimizer_runs = 7\nsrc = "a"\n[profile.ci]\nvia_ir = true\n'
  expect(readConfig({ 'foundry.toml': toml }, 'ci')).toMatchObject({
    sources: 'a',
    settings: { optimizer: true, runs: 7, viaIR: true },
  })
})

test('lists of Foundry’s settings may go over lines and have comments', () => {
  const config = foundry(`[profile.default]
solc = "0.8.15"
libs = ['dependencies'] # of soldeer
remappings = [
  "@oz/=dependencies/oz/", # ] no end
  'x/=y/',
]
skip = ["*/*7702*", "test"]
`)
  expect(config).toMatchObject({ compiler: '0.8.15', remappings: ['@oz/=dependencies/oz/', 'x/=y/'] })
  expect(config.libs).toContain('dependencies')
  expect(config.skip).toEqual(['*/*7702*', 'test'])
})

test.each([
  ['module.exports = { solidity: "0.8.6", settings: { optimizer: { enabled: true } } }', { optimizer: false }, '0.8.6'],
  [
    "const x: HardhatUserConfig = { solidity: { version: '0.8.28', settings: { optimizer: { enabled: true, runs: 1_000 }, viaIR: true, evmVersion: `cancun` } } }",
    { optimizer: true, runs: 1_000, viaIR: true, evmVersion: 'cancun' },
    '0.8.28',
  ],
  [
    'export default { solidity: { compilers: [ { version: "0.8.20", settings: { /* , */ optimizer: { enabled: true, runs: 200 } } }, { version: "0.7.6" } ] } }',
    { optimizer: true, runs: 200, evmVersion: 'paris' },
    '0.8.20',
  ],
  [
    'export default defineConfig({ solidity: { profiles: { default: { version: "0.8.34" }, production: { version: "0.8.34", settings: { optimizer: { enabled: true } } } } } })',
    { optimizer: false, evmVersion: undefined },
    '0.8.34',
  ],
  [
    'const soliditySettings = S ? JSON.parse(S) : undefined; export default { solidity: { compilers: [{ version: V ?? D, settings: soliditySettings }, { version: D }] } }',
    { optimizer: false, viaIR: false },
    undefined,
  ],
])('Hardhat’s settings are read where they are literals: %s', (script, settings, compiler) => {
  const config = hardhat(script)
  expect(config).toMatchObject({ tool: 'Hardhat', sources: 'contracts', settings })
  expect(config.compiler).toBe(compiler)
})

test('the package tells Hardhat 3, which leaves the EVM version to the compiler', () => {
  const script = 'export default { solidity: "0.8.28" }'
  expect(hardhat(script, '{"devDependencies":{"hardhat":"^2.22.0"}}').settings?.evmVersion).toBe('paris')
  expect(hardhat(script, '{"devDependencies":{"hardhat":"^3.1.0"}}').settings?.evmVersion).toBeUndefined()
  expect(hardhat('paths: {}, x = { paths: { sources: "./src" }, solidity: "0.8.28" }').sources).toBe('src')
})

const PATHS = [
  'src/A.sol',
  'src/test/Base.sol',
  'src/A.t.sol',
  'test/utils/Assertions.sol',
  'script/Deploy.s.sol',
  'certora/Harness.sol',
  'lib/x/src/X.sol',
  'README.md',
]

test('the folder of sources has the contracts, and tests are apart, also those within it', () => {
  expect(rootsOf(PATHS, foundry(''))).toEqual({
    sources: ['src/A.sol'],
    tests: [
      'src/test/Base.sol',
      'src/A.t.sol',
      'test/utils/Assertions.sol',
      'script/Deploy.s.sol',
      'certora/Harness.sol',
    ],
  })
  expect(rootsOf(['contracts/A.sol', 'certora/B.sol', 'src/tasks/x.sol'], hardhat(''))).toMatchObject({
    sources: ['contracts/A.sol'],
  })
  // forge takes contracts if there is no src.
  expect(rootsOf(['contracts/A.sol', 'other/B.sol'], foundry('')).sources).toEqual(['contracts/A.sol'])
  expect(rootsOf(['pkg/A.sol', 'src/B.sol'], foundry('[profile.default]\nsrc = "./pkg/"')).sources).toEqual([
    'pkg/A.sol',
  ])
})

test('without settings of a tool all but tests and libraries are contracts, and tests if there is nothing else', () => {
  expect(rootsOf(['Token.sol', 'src/A.sol', 'my/B.sol', 'test/C.sol', 'lib/x/D.sol'], readConfig({}))).toEqual({
    sources: ['Token.sol', 'src/A.sol', 'my/B.sol'],
    tests: ['test/C.sol'],
  })
  expect(rootsOf(['test/C.sol'], readConfig({}))).toEqual({ sources: ['test/C.sol'], tests: [] })
})

test('what Foundry skips is compiled only if it is imported', () => {
  const config = foundry('[profile.default]\nskip = ["*/*7702*", "*/ext/zk/*", "script", "Old.sol"]')
  const paths = ['src/A.sol', 'src/accounts/EIP7702Proxy.sol', 'src/ext/zk/B.sol', 'src/Old.sol', 'script/D.s.sol']
  expect(rootsOf(paths, config)).toEqual({ sources: ['src/A.sol'], tests: [] })
})

test('the remappings are inferred, a library’s own, those of the settings and of remappings.txt; the last counts', async () => {
  const files: Readonly<Record<string, string>> = {
    'foundry.toml': '[profile.default]\nremappings = ["aa/=bb/", "x/=y/"]',
    'remappings.txt': 'aa/=cc/\n',
    'lib/solmate/src/A.sol': '',
    'lib/openzeppelin-contracts/contracts/A.sol': '',
    'lib/oz/remappings.txt': '@oz/=contracts/',
    'lib/oz/contracts/B.sol': '',
  }
  const all = async (changed: Readonly<Record<string, string>>) => {
    const given = { ...files, ...changed }
    const found = await remappingsOf(Object.keys(given), readConfig(given), (path) => given[path])
    return found.map(remappingText).toSorted()
  }
  expect(await all({})).toEqual([
    '@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/',
    '@oz/=lib/oz/contracts/',
    'aa/=cc/',
    'openzeppelin-contracts/=lib/openzeppelin-contracts/contracts/',
    'oz/=lib/oz/contracts/',
    'solmate/=lib/solmate/src/',
    'x/=y/',
  ])
  expect(await all({ 'foundry.toml': '[profile.default]\nauto_detect_remappings = false' })).toEqual(['aa/=cc/'])
})

test('hostile settings do not take long to read', () => {
  const lines = '\n'.repeat(500_000)
  expect(foundry(`[profile.default]${lines}x`).remappings).toEqual([])
  expect(foundry(`[profile.default]\nremappings = ${'['.repeat(500_000)}`).remappings).toEqual([])
  expect(foundry(`[profile.default]\n${'a'.repeat(500_000)}\n${'"'.repeat(500_000)}`).remappings).toEqual([])
  expect(hardhat(`solidity: ${'{ solidity: '.repeat(40_000)}`).compiler).toBeUndefined()
  const skip = `[profile.default]\nskip = ["${'*a'.repeat(50_000)}"]`
  expect(rootsOf([`src/${'a'.repeat(50_000)}.sol`], foundry(skip)).sources).toHaveLength(1)
})
