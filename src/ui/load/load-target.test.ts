import { readFileSync } from 'node:fs'
import solc from 'solc'
import { expect, test } from 'vitest'
import { LOAD_CALLS, LOAD_TARGET_CODE } from './load-target.ts'

/** The compiler has no type declarations. */
const { compile } = solc as { compile(input: string): string }

interface Compiled {
  readonly contracts: {
    readonly 'LoadTarget.sol': {
      readonly LoadTarget: {
        readonly evm: {
          readonly bytecode: { readonly object: string }
          readonly methodIdentifiers: Readonly<Record<string, string>>
        }
      }
    }
  }
}

test('the code is compiled from the source beside it, and the calls are its methods', () => {
  const content = readFileSync(new URL('LoadTarget.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'LoadTarget.sol': { content } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  }
  const output = JSON.parse(compile(JSON.stringify(input))) as Compiled
  const { bytecode, methodIdentifiers } = output.contracts['LoadTarget.sol'].LoadTarget.evm
  expect(`0x${bytecode.object}`).toBe(LOAD_TARGET_CODE)
  expect(LOAD_CALLS.increment).toBe(`0x${methodIdentifiers['increment()']}`)
  expect(LOAD_CALLS.refuse).toBe(`0x${methodIdentifiers['refuse()']}`)
})
