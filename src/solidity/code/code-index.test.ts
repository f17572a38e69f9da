import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import type { Build, Code } from '#solidity/build/build.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { createCodeIndex } from './code-index.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Big { function f(uint256 x) external pure returns (uint256) { return x + 1; } }
contract Token {
  uint256 public immutable supply;
  address immutable owner;
  constructor(uint256 s) { supply = s; owner = msg.sender; }
  function use(uint256 x) external view returns (uint256, address) { return (Big.f(x), owner); }
}
contract Maker { function make() external returns (Token) { return new Token(5); } }
contract Other { function answer() external pure returns (uint256) { return 42; } }
contract Sibling { function answer() external pure returns (uint256) { return 43; } }
interface Nothing {}`

function compiled(source: string, settings = {}): Build {
  return readStandardJson(compileStandard({ 'a.sol': source }, settings))
}

const build = compiled(SOURCE)

function codeOf(of: Build, name: string, which: 'creation' | 'deployed' = 'deployed'): Code {
  const code = of.contracts.find((contract) => contract.name === name)?.[which]
  if (!code) throw new Error(`no code of ${name}`)
  return code
}

function filled(code: Code): Uint8Array {
  const bytes = code.bytes.slice()
  for (const { start, length } of [...code.immutables, ...code.links]) bytes.fill(0xab, start, start + length)
  return bytes
}

test('deployed code is recognised with its immutables and libraries in place', () => {
  const index = createCodeIndex([build])
  const code = codeOf(build, 'Token')
  expect(code.immutables.length).toBeGreaterThan(1)
  expect(code.links.length).toBeGreaterThan(0)
  const found = index.deployed(filled(code))
  expect(found?.contract.name).toBe('Token')
  expect(found?.isExact).toBe(true)
  expect(found?.isCreation).toBe(false)
})

test('a different byte anywhere else makes it different code', () => {
  const index = createCodeIndex([build])
  const code = codeOf(build, 'Token')
  for (const at of [0, 40, 200]) {
    const bytes = filled(code)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(index.deployed(bytes)).toBeUndefined()
  }
  expect(index.deployed(filled(code).subarray(0, 100))).toBeUndefined()
  expect(index.deployed(new Uint8Array(0))).toBeUndefined()
  expect(index.deployed(codeOf(build, 'Other').bytes)?.contract.name).toBe('Other')
  expect(index.deployed(codeOf(build, 'Sibling').bytes)?.contract.name).toBe('Sibling')
})

test('initcode is recognised with constructor arguments after it', () => {
  const index = createCodeIndex([build])
  const code = codeOf(build, 'Token', 'creation')
  const args = Buffer.from(encodeAbiParameters([{ type: 'uint256' }], [7n]).slice(2), 'hex')
  const found = index.creation(Buffer.concat([filled(code), args]))
  expect(found?.contract.name).toBe('Token')
  expect(found?.isCreation).toBe(true)
  expect(index.creation(filled(code))?.contract.name).toBe('Token')
  expect(index.creation(filled(code).subarray(0, -1))).toBeUndefined()
})

test('metadata may differ, even that of the code inside a factory', () => {
  const commented = compiled(SOURCE.replace('42', '42 /* the answer */'))
  const index = createCodeIndex([build])
  for (const name of ['Token', 'Maker', 'Other', 'Big']) {
    const bytes = filled(codeOf(commented, name))
    expect(index.deployed(bytes)?.contract.name, name).toBe(name)
    expect(index.deployed(bytes)?.isExact, name).toBe(false)
    expect(index.creation(filled(codeOf(commented, name, 'creation')))?.contract.name, name).toBe(name)
  }
  const both = createCodeIndex([commented, build])
  expect(both.deployed(filled(codeOf(commented, 'Maker')))).toMatchObject({
    build: { id: commented.id },
    isExact: true,
  })
})

test('code without metadata is recognised by a build that has it, and vice versa', () => {
  const bare = compiled(SOURCE, { metadata: { appendCBOR: false } })
  expect(createCodeIndex([bare]).deployed(codeOf(build, 'Other').bytes)?.contract.name).toBe('Other')
  expect(createCodeIndex([build]).deployed(codeOf(bare, 'Other').bytes)?.contract.name).toBe('Other')
})

test('a deployed library is recognised although its code contains its address', () => {
  const bytes = codeOf(build, 'Big').bytes.slice()
  bytes.fill(0x77, 1, 21)
  expect(createCodeIndex([build]).deployed(bytes)?.contract.name).toBe('Big')
})

test('a build cannot claim other contracts’ code through the parts that may differ', () => {
  const bytes = codeOf(build, 'Other').bytes
  const claim = (deployed: Partial<Code>) => {
    const code = { ...codeOf(build, 'Sibling'), ...deployed }
    return createCodeIndex([{ ...build, contracts: build.contracts.map((each) => ({ ...each, deployed: code })) }])
  }
  const zeros = new Uint8Array(bytes.length)
  const everything = [{ start: 0, length: bytes.length, id: 1 }]
  expect(claim({ bytes: zeros, immutables: everything }).deployed(bytes)).toBeUndefined()
  const words = Array.from({ length: Math.floor(bytes.length / 32) }, (_, i) => ({ start: 32 * i, length: 32, id: i }))
  expect(claim({ bytes: zeros, immutables: words }).deployed(bytes)).toBeUndefined()
  // Metadata that claims to begin with the first byte, and to end where the real metadata begins.
  const body = bytes.length - 53 - 1
  const metadata = bytes.slice()
  metadata.fill(0, 0, body)
  metadata.set([0xa2, 0x64, 0x69, 0x70, 0x66, 0x73, 0x58, 0x22])
  metadata.set([(body - 2) >> 8, (body - 2) & 0xff], body - 2)
  expect(claim({ bytes: metadata }).deployed(bytes)).toBeUndefined()
})
