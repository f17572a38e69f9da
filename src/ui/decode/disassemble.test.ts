import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { delegationOf, disassemble, opcodeName } from './disassemble.ts'

test('code is disassembled by instruction, with pushed bytes', () => {
  expect(disassemble('0x6080604052345f5ffd')).toEqual([
    { at: 0, name: 'PUSH1', code: 0x60, pushed: '0x80' },
    { at: 2, name: 'PUSH1', code: 0x60, pushed: '0x40' },
    { at: 4, name: 'MSTORE', code: 0x52, pushed: undefined },
    { at: 5, name: 'CALLVALUE', code: 0x34, pushed: undefined },
    { at: 6, name: 'PUSH0', code: 0x5f, pushed: undefined },
    { at: 7, name: 'PUSH0', code: 0x5f, pushed: undefined },
    { at: 8, name: 'REVERT', code: 0xfd, pushed: undefined },
  ])
  expect(disassemble('0x')).toEqual([])
})

test('a PUSH cut off by the end of the code keeps only its bytes', () => {
  expect(disassemble('0x61ff')).toEqual([{ at: 0, name: 'PUSH2', code: 0x61, pushed: '0xff' }])
})

test('opcodes have their names from the yellow paper', () => {
  const at = (code: number) => opcodeName(code)
  expect([0x01, 0x0b, 0x1e, 0x20, 0x3f, 0x48, 0x4a, 0x5b, 0x5e, 0x7f, 0x80, 0x8f, 0x90, 0x9f].map(at)).toEqual(
    'ADD SIGNEXTEND CLZ KECCAK256 EXTCODEHASH BASEFEE BLOBBASEFEE JUMPDEST MCOPY PUSH32 DUP1 DUP16 SWAP1 SWAP16'.split(
      ' ',
    ),
  )
  expect([0xa4, 0xf1, 0xf4, 0xf5, 0xfa, 0xfd, 0xfe, 0xff].map(at)).toEqual(
    'LOG4 CALL DELEGATECALL CREATE2 STATICCALL REVERT INVALID SELFDESTRUCT'.split(' '),
  )
  expect([0x0c, 0x1f, 0x21, 0x4b, 0xa5, 0xf6, 0xfb].map(at)).toEqual(Array.from({ length: 7 }))
})

test('every byte of code is in exactly one instruction', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const again = disassemble(bytesToHex(bytes)).map(
        ({ code, pushed }) => code.toString(16).padStart(2, '0') + (pushed?.slice(2) ?? ''),
      )
      expect(`0x${again.join('')}`).toBe(bytesToHex(bytes))
    }),
  )
})

test('a delegated account names the address it delegates to', () => {
  expect(delegationOf(`0xef0100${'ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(delegationOf('0xef0100')).toBeUndefined()
  expect(delegationOf('0x6000')).toBeUndefined()
})
