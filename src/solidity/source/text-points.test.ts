import { expect, test } from 'vitest'
import { findInText, type KnownNames } from './text-points.ts'

const NAMES: KnownNames = {
  isFunction: (name) => ['_net', 'rest', 'first'].includes(name),
  isExternal: (name) => name === 'first',
  isEnum: (name) => name === 'Kind',
}

/** The points in a text that can fail in one way, as their text; in brackets if they are no answer. */
function pointsIn(text: string, kind: string, code?: number): string[] {
  return findInText(text, NAMES)
    .points.filter((point) => point.kind === kind && (code === undefined || ('code' in point && point.code === code)))
    .map(({ start, end, isVague }) => (isVague ? `(${text.slice(start, end)})` : text.slice(start, end)))
}

test('checks and reverts are found with what they revert with, and not in comments or strings', () => {
  const text =
    'function f() { require(x > 1, "low, - high"); /* revert Same(1); */ if (y) revert A.Same(x); revert("so // what"); }'
  expect(pointsIn(text, 'reason')).toEqual(['require(x > 1, "low, - high")', 'revert("so // what")'])
  expect(pointsIn(text, 'custom')).toEqual(['revert A.Same(x)'])
  expect(pointsIn(text, 'panic', 0x11)).toEqual([])
})

test('a reason that is computed is not known', () => {
  const { points } = findInText('function f() { revert(reason); require(x, "a\\n"); require(y); }', NAMES)
  expect(points.map((point) => ('text' in point ? point.text : point.kind))).toEqual([undefined, undefined, 'bare'])
})

test('signs that cannot fail where they stand are no answer', () => {
  expect(pointsIn('function f() { z = x - y; unchecked { z = x * y; } z = 2 * 3; }', 'panic', 0x11)).toEqual([
    '-',
    '(*)',
    '(*)',
  ])
  expect(
    pointsIn('uint256[] list; mapping(uint256 => uint256) sums; function f() { list[1] = sums[2]; }', 'panic', 0x32),
  ).toEqual(['[', '([)'])
  expect(pointsIn('function f() { z = x / y; }', 'panic', 0x12)).toEqual(['/'])
  expect(pointsIn('function f() {\n z =\n x - y; }', 'panic', 0x11)).toEqual(['(-)'])
})

test('a conversion to an enum, a pop and a call are told apart', () => {
  const text = 'function f() { a = Kind(x); list.pop(); other.first(y); x.rest(y); uint8(x); }'
  expect(pointsIn(text, 'panic', 0x21)).toEqual(['Kind(x)'])
  expect(pointsIn(text, 'panic', 0x31)).toEqual(['list.pop()'])
  expect(pointsIn(text, 'call')).toEqual(['(Kind(x))', '(list.pop())', 'other.first(y)', '(x.rest(y))'])
})

test('places count the bytes of UTF-8', () => {
  const text = 'function f() { /* größer 🙂 */ z = x - y; }'
  const [point] = findInText(text, NAMES).points
  expect(new TextEncoder().encode(text).slice(point?.start, point?.end)).toEqual(new TextEncoder().encode('-'))
})

test('a call has what stands before its name', () => {
  const { calls } = findInText(
    'function f() { super.first(1); LibA.rest(2); _net(3); this.first(4); list[0].rest(5); }',
    NAMES,
  )
  expect(calls.map(({ name, qualifier, dispatch }) => [qualifier, name, dispatch])).toEqual([
    ['super', 'first', 'super'],
    ['LibA', 'rest', 'exact'],
    [undefined, '_net', 'virtual'],
    ['this', 'first', 'exact'],
    ['', 'rest', 'exact'],
  ])
})

test('a text that never closes its brackets, strings or comments is read to its end', () => {
  for (const text of [
    'function f() { require(x',
    'function f() { revert("',
    'function f() { /* x - y',
    'assembly {',
    `${'('.repeat(5_000)}x - y`,
  ]) {
    expect(() => findInText(text, NAMES)).not.toThrow()
  }
})
