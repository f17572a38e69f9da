import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, isBase64, toBase64 } from './base64.ts'

test('bytes come back from Base64 as they were, however many there are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0, 24_575, 24_576, 24_577), (tail, zeros) => {
      const bytes = Uint8Array.from([...new Uint8Array(zeros), ...tail])
      const text = toBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(isBase64(text)).toBe(true)
      expect(fromBase64(text)).toEqual(bytes)
    }),
    { numRuns: 30 },
  )
})

test.each(['a', 'ab', 'abc', 'ab=c', 'a===', 'ab c', 'ab\nc', 'äbcd', 'ab-_'])('%j is not Base64', (text) => {
  expect(isBase64(text)).toBe(false)
})
