import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordMachine } from '#testing/engine/words.ts'
import { wasm } from './assembly/evm/hashes/keccak.ts?wasm'
import { Keccak256Stream, keccak256 } from './keccak.ts'

const { functions, memory, scratch } = await wordMachine(wasm)

function hash(bytes: Uint8Array): Uint8Array {
  memory.bytes.set(bytes, scratch + 32)
  functions['keccak256']?.(scratch + 32, bytes.length, scratch)
  return memory.slice(scratch, 32)
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 167 + length) & 0xff)

test('keccak-256 of every length up to 300, and of long inputs, matches @noble/hashes', () => {
  for (const length of [...Array.from({ length: 301 }, (_, i) => i), 1_000, 13_600, 65_537, 100_000]) {
    const bytes = bytesOf(length)
    expect(hash(bytes), `${length} bytes`).toEqual(keccak_256(bytes))
    expect(keccak256(bytes), `${length} bytes`).toEqual(keccak_256(bytes))
  }
})

test('the next hash does not overwrite an earlier one', () => {
  const first = keccak256(bytesOf(3))
  keccak256(bytesOf(4))
  expect(first).toEqual(keccak_256(bytesOf(3)))
})

test('hashing parts gives the hash of their concatenation', () => {
  const whole = bytesOf(400)
  for (const [first, second] of [
    [0, 0],
    [0, 400],
    [1, 135],
    [136, 137],
    [400, 400],
  ] as const) {
    expect(keccak256(whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second))).toEqual(
      keccak_256(whole),
    )
  }
  expect(keccak256()).toEqual(keccak_256(new Uint8Array(0)))
})

test('a stream has the hash of all its portions, whatever is hashed between them', () => {
  const length = fc.oneof(fc.nat(300), fc.nat(100_000), fc.constantFrom(0, 135, 136, 137, 272, 65_280))
  fc.assert(
    fc.property(fc.array(length, { maxLength: 8 }), (lengths) => {
      const portions = lengths.map(bytesOf)
      const stream = new Keccak256Stream()
      for (const portion of portions) {
        stream.update(portion)
        keccak256(bytesOf(7))
      }
      expect(stream.digest()).toEqual(keccak256(...portions))
    }),
  )
})
