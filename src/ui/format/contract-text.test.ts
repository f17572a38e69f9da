import { expect, test } from 'vitest'
import { cutText, spellOut } from './contract-text.ts'

test('characters that hide or turn others are spelt out', () => {
  expect(spellOut('a\u202eb\nc\u0000')).toBe(String.raw`a\u{202e}b\u{a}c\u{0}`)
  expect(spellOut('<b>Grüße 👋</b>')).toBe('<b>Grüße 👋</b>')
})

test('a long text is cut, never inside of a character', () => {
  expect(cutText('short', 5)).toBe('short')
  expect(cutText('longer', 5)).toBe('longe…')
  expect(cutText('abcd👋', 5)).toBe('abcd…')
})
