import { expect, test } from 'vitest'
import { compile, readNothing, SETTINGS } from '#testing/compiler/solc.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

test('files of a project import each other, and each message names its file, line and column', async () => {
  const { diagnostics, contracts } = await compile({
    'src/Shop.sol': `${HEAD}import {Prices} from "./lib/Prices.sol";\ncontract Shop is Prices {}`,
    'src/lib/Prices.sol': `${HEAD}contract Prices {\n  function f(uint256 unused) external pure returns (uint256) { return 1; }\n}`,
  })
  expect(diagnostics).toHaveLength(1)
  expect(diagnostics[0]).toMatchObject({
    severity: 'warning',
    place: { file: 'src/lib/Prices.sol', line: 4, column: 14 },
  })
  expect(contracts.map(({ file, name, isOwn }) => [file, name, isOwn])).toEqual([
    ['src/Shop.sol', 'Shop', true],
    ['src/lib/Prices.sol', 'Prices', true],
  ])
})

test('the build has the input with every source, and the output with AST, source maps and layouts', async () => {
  const { build } = await compile({
    'A.sol': `${HEAD}import "./B.sol";\ncontract A is B { uint256 immutable x = gasleft(); uint256 y; function f() external view returns (uint256) { return x + y; } }`,
    'B.sol': `${HEAD}contract B {}`,
  })
  expect(build?.compiler).toMatch(/^0\.8\.\d+\+commit\.[0-9a-f]{8}$/)
  const input = JSON.parse(build?.input ?? '') as { readonly sources: object }
  expect(Object.keys(input.sources)).toEqual(['A.sol', 'B.sol'])
  expect(input).toMatchObject({
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'osaka', viaIR: false },
  })
  const code = { sourceMap: expect.stringMatching(/^\d/) as string, linkReferences: {} }
  const isOfCompiler = expect.stringContaining(`"version":"${build?.compiler}"`) as string
  expect(JSON.parse(build?.output ?? '')).toMatchObject({
    sources: { 'B.sol': { id: 1, ast: { nodeType: 'SourceUnit' } } },
    contracts: {
      'A.sol': {
        A: {
          evm: {
            bytecode: code,
            deployedBytecode: { ...code, immutableReferences: expect.objectContaining({}) as object },
          },
          storageLayout: { storage: [{ label: 'y', slot: '0' }] },
          metadata: isOfCompiler,
        },
      },
    },
  })
})

test('a source with an error has no build', async () => {
  expect(await compile('contract A { nothing x; }')).toMatchObject({ build: undefined, contracts: [] })
})

test('OpenZeppelin’s contracts are imported by name, and come after the project’s own', async () => {
  const { diagnostics, contracts } = await compile(
    `${HEAD}import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
    contract Coin is ERC20("Coin", "C") { constructor() { _mint(msg.sender, 1); } }`,
  )
  expect(diagnostics).toEqual([])
  expect(contracts[0]).toMatchObject({ name: 'Coin', isOwn: true })
  expect(contracts.slice(1).every(({ isOwn }) => !isOwn)).toBe(true)
  expect(contracts.map(({ file }) => file)).toContain('@openzeppelin/contracts/utils/Context.sol')
})

test('a project of Foundry finds them by its remappings, without its lib folder', async () => {
  const { diagnostics } = await compile({
    'remappings.txt':
      '@oz/=lib/openzeppelin-contracts/contracts/\n@up/=lib/openzeppelin-contracts-upgradeable/contracts/\n',
    'src/A.sol': `${HEAD}import "@oz/access/Ownable.sol";\nimport "@up/proxy/utils/UUPSUpgradeable.sol";\ncontract A {}`,
    'test/A.t.sol': 'import "forge-std/Test.sol";',
  })
  expect(diagnostics).toEqual([])
})

test('an import that is not there says what is', async () => {
  const advice = async (path: string) => {
    const { diagnostics } = await compile({ 'src/A.sol': `${HEAD}import "${path}";`, 'src/b/Other.sol': HEAD })
    expect(diagnostics[0]).toMatchObject({ code: '6275', place: { file: 'src/A.sol', line: 3, column: 1 } })
    return diagnostics[0]?.advice
  }
  expect(await advice('./Other.sol')).toBe('The project has no such file. There is: src/b/Other.sol.')
  expect(await advice('@openzeppelin/contracts/security/ReentrancyGuard.sol')).toBe(
    '@openzeppelin/contracts 5.0.0 has no such file. There is: @openzeppelin/contracts/utils/ReentrancyGuard.sol.',
  )
  expect(await advice('@openzeppelin/contracts/utils/Counters.sol')).toMatch(/^@openzeppelin\/contracts 5.0.0 has no/)
  expect(await advice('solmate/tokens/ERC20Foo.sol')).toMatch(
    /you can import from @openzeppelin\/contracts 5.0.0 and @openzeppelin\/contracts-upgradeable/,
  )
  expect(await advice('@openzeppelin/contracts@5.4.0/token/ERC20/ERC20.sol')).toBe(
    'Leave out @5.4.0: import @openzeppelin/contracts/token/ERC20/ERC20.sol. The page has @openzeppelin/contracts 5.0.0.',
  )
  // No number of steps up leads out of the project, and there is nothing outside.
  expect(await advice('../../../../etc/passwd')).toMatch(/^The project has no such file/)
})

test('a package that cannot be loaded is an error at its first import', async () => {
  const source = `${HEAD}import "@openzeppelin/contracts/utils/Strings.sol";\nimport "@openzeppelin/contracts/utils/Context.sol";`
  const { diagnostics, build } = await compile(source, SETTINGS, readNothing)
  expect(build).toBeUndefined()
  expect(diagnostics).toHaveLength(1)
  expect(diagnostics[0]).toMatchObject({
    severity: 'error',
    message: '@openzeppelin/contracts could not be downloaded: there was no answer.',
    place: { file: 'Contract.sol', line: 3, column: 8 },
  })
})

test('imports in a circle are compiled once each', async () => {
  const { diagnostics, contracts } = await compile({
    'A.sol': `${HEAD}import "./B.sol";\ncontract A {}`,
    'B.sol': `${HEAD}import "./A.sol";\ncontract B {}`,
  })
  expect(diagnostics).toEqual([])
  expect(contracts.map(({ name }) => name)).toEqual(['A', 'B'])
})

test('sources that are too many or too long are refused before the compiler runs', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`F${i}.sol`, '']))
  expect((await compile(many)).diagnostics[0]?.message).toMatch(/at most 2000 files with 16000000 characters/)
  const long = await compile({ 'A.sol': ' '.repeat(9_000_000), 'B.sol': ' '.repeat(9_000_000) })
  expect(long.diagnostics[0]?.message).toMatch(/too much to compile/)
})

test('by way of Yul the code is another', async () => {
  const source = `${HEAD}contract A { function f(uint256 x) external pure returns (uint256) { return x * 3; } }`
  const [legacy, yul] = await Promise.all([compile(source), compile(source, { ...SETTINGS, viaIR: true })])
  expect(yul.diagnostics).toEqual([])
  expect(yul.contracts[0]?.bytecode).not.toBe(legacy.contracts[0]?.bytecode)
})

test('the console libraries of Hardhat and forge-std are there without a package', async () => {
  const { diagnostics, contracts } = await compile(
    {
      'remappings.txt': 'std/=lib/forge-std/src/',
      'A.sol': `${HEAD}import "hardhat/console.sol";\ncontract A { function f() external pure { console.log("f", 1); } }`,
      'B.sol': `${HEAD}import {console2} from "std/console2.sol";\ncontract B { function f() external pure { console2.log("f", int256(-1)); } }`,
    },
    SETTINGS,
    readNothing,
  )
  expect(diagnostics).toEqual([])
  expect(contracts.filter(({ isOwn }) => isOwn).map(({ name }) => name)).toEqual(['A', 'B'])
})
