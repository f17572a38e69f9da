import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlightLines, splitLines } from './highlight-solidity.ts'

const kindsOf = (...lines: readonly string[]) =>
  highlightLines(lines).map((tokens) =>
    tokens.filter(({ text }) => text.trim() !== '').map(({ text, kind }) => `${kind}:${text}`),
  )

test('words, names, numbers, texts and comments have their colours', () => {
  expect(kindsOf('function add(uint256 x) returns (bool) { return x > 1e18; } // "no"')).toEqual([
    [
      ...[
        'keyword:function',
        'name:add',
        'plain:(',
        'keyword:uint256',
        'plain:x',
        'plain:)',
        'keyword:returns',
        'plain:(',
      ],
      ...['keyword:bool', 'plain:)', 'plain:{', 'keyword:return', 'plain:x', 'plain:>', 'literal:1e18', 'plain:;'],
      ...['plain:}', 'comment:// "no"'],
    ],
  ])
  expect(kindsOf('x = "a\\"b" + hex"00";')).toEqual([
    ['plain:x', 'plain:=', 'string:"a\\"b"', 'plain:+', 'string:hex"00"', 'plain:;'],
  ])
})

test('a comment over several lines is one on each of them', () => {
  expect(kindsOf('a /* b', 'function c', 'd */ e /* f */ g')).toEqual([
    ['plain:a', 'comment:/* b'],
    ['comment:function c'],
    ['comment:d */', 'plain:e', 'comment:/* f */', 'plain:g'],
  ])
})

test('lines end where the compiler’s do', () => {
  expect(splitLines('a\r\nb\rc\nd\r\re')).toEqual(['a', 'b', 'c', 'd', '', 'e'])
})

test('a character of two code units is one token', () => {
  expect(kindsOf('x 😀 y')).toEqual([['plain:x', 'plain:😀', 'plain:y']])
})

test('whatever the lines are, their text stays the same', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({
          unit: fc.constantFrom('/', '*', '"', "'", '\\', ' ', 'a', 'h', 'x', '0', '{', '\u2028', '😀', '\ud83d'),
        }),
      ),
      (lines) => {
        expect(highlightLines(lines).map((tokens) => tokens.map(({ text }) => text).join(''))).toEqual(lines)
      },
    ),
  )
})
