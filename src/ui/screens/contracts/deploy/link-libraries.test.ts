import { expect, test } from 'vitest'
import type { CompiledContract } from '#compiler/messages.ts'
import type { Address } from '#primitives/hex.ts'
import { compile } from '#testing/compiler/solc.ts'
import { isDeployable, linkCode, neededLibraries } from './link-libraries.ts'

/** A contract with these libraries in its code, each at 20 bytes more. */
const contract = (name: string, libraries: readonly string[] = []): CompiledContract => ({
  file: 'a.sol',
  name,
  isOwn: true,
  abi: [],
  bytecode: `0x60${'00'.repeat(20 * libraries.length)}61`,
  links: libraries.map((each, i) => ({ file: 'a.sol', name: each, offsets: [1 + 20 * i] })),
  codeBytes: 1,
})
const namesOf = (of: CompiledContract, all: readonly CompiledContract[], given: readonly string[] = []) =>
  neededLibraries(of, all, new Set(given)).map(({ name }) => name)

test('a library comes after those that it needs itself, each once', () => {
  const all = [
    contract('App', ['Top', 'Base']),
    contract('Top', ['Middle', 'Base']),
    contract('Middle', ['Base']),
    contract('Base'),
  ]
  expect(namesOf(all[0] as CompiledContract, all)).toEqual(['Base', 'Middle', 'Top'])
  expect(namesOf(all[3] as CompiledContract, all)).toEqual([])
})

test('libraries needed only by an already deployed library are left out', () => {
  const all = [contract('App', ['Top', 'Side']), contract('Top', ['Base']), contract('Side'), contract('Base')]
  expect(namesOf(all[0] as CompiledContract, all, ['a.sol:Top'])).toEqual(['Top', 'Side'])
})

test('libraries that need each other, and those that are not compiled, need an address', () => {
  const all = [contract('App', ['Hen', 'Gone']), contract('Hen', ['Egg']), contract('Egg', ['Hen'])]
  const needed = neededLibraries(all[0] as CompiledContract, all)
  expect(needed.map(({ name, contract: own }) => [name, own !== undefined])).toEqual([
    ['Egg', true],
    ['Hen', false],
    ['Gone', false],
  ])
})

test('addresses are inserted where the compiler says', async () => {
  const { contracts } = await compile(`// SPDX-License-Identifier: MIT
    pragma solidity ^0.8.20;
    library Maths { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
    contract App { function f() external view returns (uint256) { return Maths.twice(gasleft()) + Maths.twice(1); } }`)
  const app = contracts.find(({ name }) => name === 'App')
  if (!app || !isDeployable(app)) throw new Error('App does not compile')
  const address: Address = `0x${'ab'.repeat(20)}`
  const [needed] = neededLibraries(app, contracts)
  const linked = linkCode(app, new Map([[needed?.key ?? '', address]]))
  expect(linked.split('ab'.repeat(20))).toHaveLength(1 + (app.links[0]?.offsets.length ?? 0))
  expect(linked).toHaveLength(app.bytecode.length)
  expect(() => linkCode(app, new Map())).toThrow('the library Maths has an address')
})
