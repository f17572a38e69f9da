import { expect, test } from 'vitest'
import { keccak256Hex } from './keccak.ts'

test('keccak256 of nothing is the well-known empty hash', () => {
  expect(keccak256Hex(new Uint8Array(0))).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
})
