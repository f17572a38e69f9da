import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

describe.each([
  ['by Node.js', Buffer],
  ['as in a browser', undefined],
])('%s', async (_how, buffer) => {
  vi.resetModules()
  vi.stubGlobal('Buffer', buffer)
  const { textOfCodes } = await import('./text-of-codes.ts')
  vi.unstubAllGlobals()

  test('a text has the codes that the bytes are, up to the end that is asked for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), fc.nat({ max: 140 }), (bytes, most) => {
        const end = Math.min(most, bytes.length)
        const text = textOfCodes(bytes, end)
        expect(Array.from(text, (character) => character.charCodeAt(0))).toEqual([...bytes.subarray(0, end)])
        expect(textOfCodes(bytes)).toBe(bytes.reduce((all, code) => all + String.fromCharCode(code), ''))
      }),
    )
  })
})
