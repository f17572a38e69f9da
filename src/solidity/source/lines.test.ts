import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceText } from './lines.ts'

test('byte offsets become lines and columns in UTF-16 units, whatever characters come before', () => {
  const unit = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3 }), fc.constantFrom('\n', '\r\n', '\r', 'é', '🙂'))
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.nat(40), (parts, cut) => {
      const before = parts.slice(0, cut).join('')
      // Appending may join `\r` and `\n` into one line break.
      fc.pre(!before.endsWith('\r'))
      const text = sourceText(`${before}here${parts.slice(cut).join('')}`)
      const lines = before.split(/\r\n|\n|\r/)
      const position = text.positionAt(Buffer.byteLength(before))
      expect(position).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 })
      expect(text.lineText(position.line)).toContain('here')
    }),
  )
})

test('offsets past the end are the end, and lines past the end are empty', () => {
  const text = sourceText('one\ntwo')
  expect(text.positionAt(1_000)).toEqual({ line: 2, column: 4 })
  expect(text.lineText(3)).toBe('')
  expect(text.slice(4, 7)).toBe('two')
})

test('a very long line has right columns, and its text is cut', () => {
  const text = sourceText(`x${'é🙂'.repeat(100_000)}end`)
  expect(text.positionAt(text.size - 3)).toEqual({ line: 1, column: 300_002 })
  for (let i = 0; i < 50_000; i++) text.positionAt(text.size - i)
  expect(text.lineText(1)).toMatch(/^xé🙂.{5000,32768}…$/u)
})
