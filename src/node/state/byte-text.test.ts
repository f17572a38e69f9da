import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { equalBytes } from '#primitives/bytes.ts'
import { bytesOfText, byteText, writeText } from './byte-text.ts'

const bytes = fc.uint8Array({ maxLength: 64 })

test('in a browser a byte text is the same as in Node.js', async () => {
  vi.resetModules()
  vi.stubGlobal('Buffer', undefined)
  const inBrowser = await import('./byte-text.ts')
  vi.unstubAllGlobals()
  fc.assert(
    fc.property(fc.oneof(bytes, fc.uint8Array({ minLength: 32, maxLength: 32 })), (one) => {
      expect(inBrowser.byteText(one)).toBe(byteText(one))
    }),
  )
})

test('a byte text has one character per byte, converts back, and is equal for equal bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const text = byteText(one)
      expect(text).toHaveLength(one.length)
      expect(bytesOfText(text)).toEqual(one)
      expect(text === byteText(other)).toBe(equalBytes(one, other))
    }),
  )
})

test('a byte text is written at its offset and nowhere else', () => {
  const into = new Uint8Array(6).fill(9)
  expect(writeText(byteText(Uint8Array.of(0, 0x80, 0xff)), into, 2)).toBe(5)
  expect(into).toEqual(Uint8Array.of(9, 9, 0, 0x80, 0xff, 9))
})
