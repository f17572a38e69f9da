import { expect, test } from 'vitest'
import { CodeStore } from './code-store.ts'

test('each distinct code counts once, however many accounts have it', () => {
  const codes = new CodeStore()
  const before = codes.bytes
  codes.add(`0x${'01'.repeat(32)}`, Uint8Array.of(1, 2, 3))
  codes.add(`0x${'01'.repeat(32)}`, Uint8Array.of(1, 2, 3))
  codes.add(`0x${'02'.repeat(32)}`, Uint8Array.of(4))
  expect(codes.bytes - before).toBe(4)
  expect(codes.get(`0x${'02'.repeat(32)}`)).toEqual(Uint8Array.of(4))
})
