import { beforeAll, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { writeStandardJson } from '#solidity/build/write-standard-json.ts'
import type { BuildTexts } from '#solidity/worker/pack-build.ts'
import { compile, SOLC } from '#testing/compiler/solc.ts'
import { recompile } from './recompile.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Base} from "./Base.sol";
contract Vault is Base { uint256 immutable opened = block.timestamp; function f() external view returns (uint256) { return opened; } }
contract Other { function g() external pure returns (uint256) { return 42; } }`
const BASE =
  '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Base { string public motto = "as it is"; }'

/** Milliseconds for the compiler's first run on a busy machine. */
const COMPILE_MS = 60_000

let build: BuildTexts
/** Code of the vault, as the chain has it: with its immutable variable. */
let code: Uint8Array
const textsOf = ({ compiler, input, output }: BuildTexts) =>
  new TextEncoder().encode(JSON.stringify([compiler, input, output]))
const verify = (changed: Partial<BuildTexts> = {}, bytes = code, name = 'Vault') =>
  recompile(SOLC, { texts: textsOf({ ...build, ...changed }), path: 'Vault.sol', name, code: bytesToHex(bytes) })

interface Output {
  readonly contracts: Record<
    string,
    Record<
      string,
      {
        evm: {
          deployedBytecode: {
            object: string
            immutableReferences: Record<string, { start: number; length: number }[]>
          }
        }
      }
    >
  >
}

beforeAll(async () => {
  const made = (await compile({ 'Vault.sol': SOURCE, 'Base.sol': BASE })).build
  if (!made) throw new Error('the sources do not compile')
  build = made
  const vault = (JSON.parse(build.output) as Output).contracts['Vault.sol']?.['Vault']?.evm.deployedBytecode
  code = hexToBytes(`0x${vault?.object}`)
  const places = Object.values(vault?.immutableReferences ?? {}).flat()
  expect(places.length).toBeGreaterThan(0)
  for (const { start, length } of places) code.fill(0x5a, start, start + length)
}, COMPILE_MS)

test('the same input gives the same code, whatever its immutable variables are', () => {
  expect(verify()).toEqual({ outcome: 'same', compiler: build.compiler })
})

test('the code is compared with what the compiler makes now, not with the output that was kept', () => {
  expect(verify({ output: '{}' })).toMatchObject({ outcome: 'same' })
  const input = build.input.replace('return opened', 'return opened + 1')
  expect(verify({ input })).toMatchObject({ outcome: 'different' })
})

test('another comment changes the metadata alone', () => {
  expect(verify({ input: build.input.replace('contract Base', '/* ! */ contract Base') })).toMatchObject({
    outcome: 'same but metadata',
  })
})

test('one other byte of the code, or another contract of the build, is not the same', () => {
  const changed = code.slice()
  changed[10] = (changed[10] ?? 0) ^ 1
  expect(verify({}, changed)).toMatchObject({ outcome: 'different' })
  expect(verify({}, code, 'Other')).toMatchObject({ outcome: 'different' })
})

test('a build of another compiler is not compiled', () => {
  expect(verify({ compiler: '0.8.19+commit.7dd6d404', input: 'not read' })).toEqual({
    outcome: 'other compiler',
    compiler: '0.8.19+commit.7dd6d404',
    here: build.compiler,
  })
})

test('a build that is damaged, or that the compiler refuses, says so', () => {
  expect(verify({ input: '{' })).toMatchObject({ outcome: 'unreadable' })
  expect(verify({ input: '{}' })).toMatchObject({ outcome: 'unreadable' })
  expect(verify({ input: build.input.replace('return opened', 'return closed') })).toEqual({
    outcome: 'unreadable',
    reason: 'Undeclared identifier.',
  })
  expect(verify({}, code, '__proto__')).toEqual({ outcome: 'unreadable', reason: 'it has no such contract' })
  const request = { texts: new Uint8Array(), path: '', name: '', code: '0x' } as const
  expect(recompile(SOLC, request)).toMatchObject({ outcome: 'unreadable' })
})

test('a build from Foundry artifacts is compiled with its remappings', async () => {
  const files = {
    'src/Vault.sol': SOURCE.replace('./Base.sol', '@base/Base.sol'),
    'lib/base/Base.sol': BASE,
    'remappings.txt': '@base/=lib/base/',
  }
  const { build: remapped } = await compile(files)
  if (!remapped) throw new Error('the sources do not compile')
  const [input, output] = [remapped.input, remapped.output].map((text) => JSON.parse(text) as unknown)
  const read = readStandardJson({ input, output, compiler: remapped.compiler })
  const written = writeStandardJson(read)
  const other = read.contracts.find(({ name }) => name === 'Other')?.deployed?.bytes ?? new Uint8Array()
  const texts = textsOf({ ...remapped, input: JSON.stringify(written.input), output: '{}' })
  expect(recompile(SOLC, { texts, path: 'src/Vault.sol', name: 'Other', code: bytesToHex(other) })).toEqual({
    outcome: 'same',
    compiler: build.compiler,
  })
})
