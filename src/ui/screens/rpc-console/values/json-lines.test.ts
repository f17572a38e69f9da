import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLines } from './json-lines.ts'

/** Joins the lines into text again. */
function joined(value: unknown): string {
  return jsonLines(value, 10_000)
    .lines.map(
      ({ indent, name, text, comma }) =>
        `${'  '.repeat(indent)}${name === undefined ? '' : `${JSON.stringify(name)}: `}${text}${comma ? ',' : ''}`,
    )
    .join('\n')
}

test('a value is formatted as by JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(joined(value)).toBe(JSON.stringify(value, undefined, 2))
    }),
  )
})

test('hexadecimal numbers have hints', () => {
  const { lines } = jsonLines({ gasUsed: '0x5208', hash: `0x${'ab'.repeat(32)}`, list: ['0xff'] }, 100)
  expect(lines.map(({ hint }) => hint)).toEqual([
    undefined,
    '21,000',
    undefined,
    undefined,
    '255',
    undefined,
    undefined,
  ])
})

test('no more lines are created than requested, however long the value is', () => {
  const endless = Array.from({ length: 1_000 }, (_, i) => i)
  expect(jsonLines(endless, 10)).toMatchObject({ cut: true, lines: { length: 10 } })
  expect(jsonLines(endless, 1_002)).toMatchObject({ cut: false, lines: { length: 1_002 } })
})

test('only the start of a long text is shown', () => {
  const text = jsonLines('x'.repeat(5_000), 10).lines[0]?.text
  expect(text).toMatch(/^"x{600}… 5000 characters"$/)
})
