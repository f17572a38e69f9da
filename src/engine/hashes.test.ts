import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordMachine } from '#testing/engine/words.ts'
import { wasm as ripemd160Wasm } from './assembly/evm/hashes/ripemd160.ts?wasm'
import { wasm as sha256Wasm } from './assembly/evm/hashes/sha256.ts?wasm'

test.each([
  { name: 'sha256', wasm: sha256Wasm, expected: sha256 },
  { name: 'ripemd160', wasm: ripemd160Wasm, expected: ripemd160 },
])('$name of any bytes is what @noble/hashes says', async ({ name, wasm, expected }) => {
  const { functions, memory, scratch } = await wordMachine(wasm)
  const hash = (bytes: Uint8Array) => {
    memory.bytes.set(bytes, scratch + 32)
    functions[name]?.(scratch + 32, bytes.length, scratch)
    return memory.slice(scratch, expected.outputLen)
  }
  const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 167 + length) & 0xff)
  for (const length of [...Array.from({ length: 300 }, (_, i) => i), 1_000, 65_537, 131_072]) {
    expect(hash(bytesOf(length)), `${length} bytes`).toEqual(expected(bytesOf(length)))
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(hash(bytes)).toEqual(expected(bytes))
    }),
    { numRuns: 2_000 },
  )
})
