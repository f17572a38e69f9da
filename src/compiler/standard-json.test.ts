import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, SETTINGS } from '#testing/compiler/solc.ts'
import { EVM_VERSIONS } from './messages.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

test('a contract has its interface, its bytecode and the size of its code', () => {
  const { diagnostics, contracts } = compile(`${HEAD}contract A { uint256 public answer = 42; }`)
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
      obstacle: undefined,
    },
  ])
  expect(contracts[0]?.bytecode).toMatch(/^0x60[0-9a-f]+$/)
  expect(contracts[0]?.codeBytes).toBeGreaterThan(20)
})

test('an error stands where the source has it, whatever characters come before', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .map((all) => all.replaceAll(/[\r\n\u2028\u2029\u0085\u202a-\u202e\u2066-\u2069]/g, ' '))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const source = `${HEAD}// ${before}\ncontract A { uint256 x = missing; }\n// ${after}`
      const [error] = compile(source).diagnostics
      expect(error).toMatchObject({ severity: 'error', message: 'Undeclared identifier.' })
      expect(source.slice(error?.range?.from, error?.range?.to)).toBe('missing')
    }),
    { numRuns: 40 },
  )
})

test('errors come before warnings, and with an error there are no contracts', () => {
  const { diagnostics, contracts } = compile(`contract A { function f() public { uint x; } uint y = z; }`)
  expect(diagnostics[0]?.severity).toBe('error')
  expect(contracts).toEqual([])
  expect(compile('contract A {}').diagnostics.map(({ severity }) => severity)).toEqual(['warning', 'warning'])
})

test('contracts come in the order of the source, with what keeps some from being deployed', () => {
  const source = `${HEAD}
    contract Zebra { function f() external view returns (uint256) { return Maths.twice(gasleft()); } }
    interface Shape { function area() external; }
    library Maths { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
    abstract contract Ape { function g() external virtual; }
    contract Bee {}`
  const obstacles = compile(source).contracts.map(({ name, obstacle, bytecode }) => [
    name,
    obstacle,
    bytecode === undefined,
  ])
  expect(obstacles).toEqual([
    ['Zebra', 'unlinked', true],
    ['Shape', 'abstract', true],
    ['Maths', undefined, false],
    ['Ape', 'abstract', true],
    ['Bee', undefined, false],
  ])
})

test('an import is told as a source that is not there', () => {
  expect(compile(`${HEAD}import "./Other.sol";`).diagnostics[0]).toMatchObject({ code: '6275', severity: 'error' })
})

test('the compiler takes every offered EVM version', () => {
  for (const evmVersion of EVM_VERSIONS) {
    expect(compile(`${HEAD}contract A {}`, { ...SETTINGS, evmVersion }).diagnostics).toEqual([])
  }
})

test('the optimizer makes another code', () => {
  const source = `${HEAD}contract A { function f(uint256 x) external pure returns (uint256) { return x * 4 / 4 + 0; } }`
  const bytes = (optimizer: boolean) => compile(source, { ...SETTINGS, optimizer }).contracts[0]?.codeBytes ?? 0
  expect(bytes(true)).toBeLessThan(bytes(false))
})
