import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, SETTINGS } from '#testing/compiler/solc.ts'
import { type CompilerSettings, EVM_VERSIONS } from './messages.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

test('a contract has its interface, its bytecode and the size of its code', async () => {
  const { diagnostics, contracts } = await compile(`${HEAD}contract A { uint256 public answer = 42; }`)
  expect(diagnostics).toEqual([])
  expect(contracts).toMatchObject([
    {
      name: 'A',
      abi: [
        {
          type: 'function',
          name: 'answer',
          inputs: [],
          outputs: [{ internalType: 'uint256', name: '', type: 'uint256' }],
          stateMutability: 'view',
        },
      ],
      links: [],
    },
  ])
  expect(contracts[0]?.bytecode).toMatch(/^0x60[0-9a-f]+$/)
  expect(contracts[0]?.codeBytes).toBeGreaterThan(20)
})

test('parameters that are enums have the names of their values, unless two enums have one name', async () => {
  const { contracts } = await compile(`${HEAD}
    enum Kind { a, b }
    library Kinds { enum Inner { x, y, z } }
    contract A {
      struct S { Kind[] kinds; Kinds.Inner inner; }
      function f(S calldata s, uint8 plain) external returns (Kinds.Inner[2] memory) {}
    }`)
  const f = contracts.find(({ name }) => name === 'A')?.abi.find((item) => item.type === 'function')
  expect(f).toMatchObject({
    inputs: [
      { components: [{ name: 'kinds', type: 'uint8[]', enumNames: ['a', 'b'] }, { enumNames: ['x', 'y', 'z'] }] },
      { name: 'plain' },
    ],
    outputs: [{ type: 'uint8[2]', enumNames: ['x', 'y', 'z'] }],
  })
  expect(f?.inputs[1]).not.toHaveProperty('enumNames')
})

test('code ends as the settings of its metadata say', async () => {
  const lengthOf = async (metadata: CompilerSettings['metadata']) =>
    (await compile(`${HEAD}contract A {}`, { ...SETTINGS, metadata })).contracts[0]?.codeBytes ?? 0
  const whole = await lengthOf(undefined)
  // `INVALID`, then 53 bytes: a hash of 34, the version, the names of both, and the length.
  expect(whole - (await lengthOf({ appendCBOR: false }))).toBe(54)
  expect(await lengthOf({ bytecodeHash: 'none' })).toBeLessThan(whole)
})

test('an error stands where the source has it, whatever characters come before', async () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .map((all) => all.replaceAll(/[\r\n\u2028\u2029\u0085\u202a-\u202e\u2066-\u2069]/g, ' '))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const source = `${HEAD}// ${before}\ncontract A { uint256 x = missing; }\n// ${after}`
      const [error] = (await compile(source)).diagnostics
      expect(error).toMatchObject({ severity: 'error', message: 'Undeclared identifier.' })
      expect(source.slice(error?.place?.from, error?.place?.to)).toBe('missing')
    }),
    { numRuns: 40 },
  )
})

test('errors come before warnings, and with an error there are no contracts', async () => {
  const { diagnostics, contracts } = await compile(`contract A { function f() public { uint x; } uint y = z; }`)
  expect(diagnostics[0]?.severity).toBe('error')
  expect(contracts).toEqual([])
  expect((await compile('contract A {}')).diagnostics.map(({ severity }) => severity)).toEqual(['warning', 'warning'])
})

test('contracts come in the order of the source, without code if they are abstract, and with the libraries that they need', async () => {
  const source = `${HEAD}
    contract Zebra { function f() external view returns (uint256) { return Maths.twice(gasleft()); } }
    interface Shape { function area() external; }
    library Maths { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
    abstract contract Ape { function g() external virtual; }
    contract Bee {}`
  const { contracts } = await compile(source)
  expect(
    contracts.map(({ name, links, bytecode }) => [name, links.map((link) => link.name), bytecode !== undefined]),
  ).toEqual([
    ['Zebra', ['Maths'], true],
    ['Shape', [], false],
    ['Maths', [], true],
    ['Ape', [], false],
    ['Bee', [], true],
  ])
  const [zebra] = contracts
  expect(zebra?.bytecode).toMatch(/^0x[0-9a-f]+$/)
  expect(zebra?.links[0]).toMatchObject({ file: 'Contract.sol', offsets: [expect.any(Number)] })
  const at = 2 + 2 * (zebra?.links[0]?.offsets[0] ?? 0)
  expect(zebra?.bytecode?.slice(at, at + 40)).toBe('0'.repeat(40))
})

test('an import is told as a source that is not there', async () => {
  expect((await compile(`${HEAD}import "./Other.sol";`)).diagnostics[0]).toMatchObject({
    code: '6275',
    severity: 'error',
  })
})

test('the compiler takes every offered EVM version', async () => {
  for (const evmVersion of EVM_VERSIONS) {
    const { diagnostics, build } = await compile(`${HEAD}contract A {}`, { ...SETTINGS, evmVersion })
    expect(build).toBeDefined()
    // solc will drop the oldest ones one day, and says so.
    expect(diagnostics.filter(({ message }) => !message.includes('is deprecated'))).toEqual([])
  }
})

test('the optimizer makes another code', async () => {
  const source = `${HEAD}contract A { function f(uint256 x) external pure returns (uint256) { return x * 4 / 4 + 0; } }`
  const bytes = async (optimizer: boolean) =>
    (await compile(source, { ...SETTINGS, optimizer })).contracts[0]?.codeBytes ?? 0
  expect(await bytes(true)).toBeLessThan(await bytes(false))
})

test('a build has what stack traces of optimised code need: the AST, and where functions begin', async () => {
  const { build } = await compile(
    `${HEAD}contract A { function f(uint256 x) external pure returns (uint256) { return x; } }`,
  )
  const output = JSON.parse(build?.output ?? '{}') as {
    sources: Record<string, { ast?: unknown }>
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { functionDebugData?: object } } }>>
  }
  expect(output.sources['Contract.sol']?.ast).toBeTypeOf('object')
  const { functionDebugData } = output.contracts['Contract.sol']?.['A']?.evm.deployedBytecode ?? {}
  expect(Object.keys(functionDebugData ?? {})).not.toEqual([])
})
