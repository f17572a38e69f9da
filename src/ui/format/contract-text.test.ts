import { expect, test } from 'vitest'
import { cutText, othersLines, othersText, spellOut } from './contract-text.ts'

test('characters that hide or reorder others are spelt out', () => {
  expect(spellOut('a\u202eb\nc\u0000')).toBe(String.raw`a\u{202e}b\u{a}c\u{0}`)
  expect(spellOut('<b>Grüße 👋</b>')).toBe('<b>Grüße 👋</b>')
})

test.each([
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a halfwidth Hangul filler', '\uffa0'],
  ['a Mongolian vowel separator', '\u180e'],
  ['a tag character', '\u{e0041}'],
  ['a variation selector', '\ufe0f'],
  ['a combining grapheme joiner', '\u034f'],
  ['a direction override', '\u202e'],
  ['an isolate', '\u2066'],
  ['a line separator', '\u2028'],
  ['a zero width joiner', '\u200d'],
  ['a blank of Braille', '\u2800'],
  ['a byte order mark', '\ufeff'],
  ['half a surrogate pair', '\ud800'],
])('%s is spelt out', (_name, character) => {
  const code = `\\u{${character.codePointAt(0)?.toString(16)}}`
  expect(othersText(`a${character}b`)).toBe(`a${code}b`)
  expect(othersLines(`a${character}b`)).toBe(`a${code}b`)
})

test('joined or coloured emoji stay whole, but the same characters elsewhere are spelt out', () => {
  for (const emoji of ['👩‍🚀', '❤️', '👩🏽‍🚀', '🏳️‍🌈']) expect(othersText(`a ${emoji} b`)).toBe(`a ${emoji} b`)
  expect(othersText('👩\u200d')).toBe(String.raw`👩\u{200d}`)
})

test('long texts are cut; lines stay lines', () => {
  expect(othersText('x'.repeat(100_000))).toHaveLength(501)
  expect(othersLines('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
  expect(othersText('one\ntwo')).toBe(String.raw`one\u{a}two`)
})

test('a long text is cut, never inside a character', () => {
  expect(cutText('short', 5)).toBe('short')
  expect(cutText('longer', 5)).toBe('longe…')
  expect(cutText('abcd👋', 5)).toBe('abcd…')
})
