import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from './hex.ts'
import { hexToSharedBytes } from './shared-bytes.ts'

test('bytes of any length are those that their digits spell, and stay so', () => {
  const kept: [Hex, Uint8Array][] = []
  for (let i = 0; i < 2_000; i++) {
    const hex = bytesToHex(Uint8Array.from({ length: (i * 37) % 700 }, (_, at) => (i + at) & 255))
    kept.push([hex, hexToSharedBytes(hex)])
    if (i % 50 === 0) expect(() => hexToSharedBytes(`${hex}zz`)).toThrow(RangeError)
  }
  for (const [hex, bytes] of kept) expect(bytesToHex(bytes)).toBe(hex)
})

test('few arrays hold many short ones, and a long one has its own', () => {
  const short = Array.from({ length: 100 }, () => hexToSharedBytes(`0x${'ab'.repeat(100)}`).buffer)
  expect(new Set(short).size).toBeLessThan(5)
  expect(hexToSharedBytes(`0x${'ab'.repeat(5_000)}`).buffer.byteLength).toBe(5_000)
  expect(hexToSharedBytes('0x')).toEqual(hexToBytes('0x'))
})
