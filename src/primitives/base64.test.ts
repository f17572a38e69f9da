import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { fromBase64, isBase64, toBase64 } from './base64.ts'

afterEach(() => void vi.unstubAllGlobals())

test('bytes come back from Base64 as they were, however many there are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0, 24_575, 24_576, 24_577), (tail, zeros) => {
      const bytes = Uint8Array.from([...new Uint8Array(zeros), ...tail])
      const text = toBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(isBase64(text)).toBe(true)
      // As text, for comparing arrays takes a hundred times longer.
      expect(Buffer.from(fromBase64(text)).toString('hex')).toBe(Buffer.from(bytes).toString('hex'))
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['Node.js', Buffer],
  ['a page', undefined],
])('every byte comes back from its character in %s', async (...[, own]) => {
  vi.resetModules()
  vi.stubGlobal('Buffer', own)
  const { bytesOfCharacters } = await import('./base64.ts')
  vi.unstubAllGlobals()
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(bytesOfCharacters(Buffer.from(bytes).toString('latin1'))).toEqual(bytes)
})

test.each(['a', 'ab', 'abc', 'ab=c', 'a===', 'ab c', 'ab\nc', 'äbcd', 'ab-_'])('%j is not Base64', (text) => {
  expect(isBase64(text)).toBe(false)
})
