import { expect, test } from 'vitest'
import { MAX_GUEST_NAME } from '#rpc-types/methods/room.ts'
import { cleanGuestName } from './guest-name.ts'

test.each([
  ['  Ada  ', 'Ada'],
  ['Ada \n\t Lovelace', 'Ada Lovelace'],
  ['\u202eecilA', 'ecilA'],
  ['A\u200bd\u0000a', 'Ada'],
  ['<b>Ada</b>', '<b>Ada</b>'],
  ['Grüße 👋', 'Grüße 👋'],
  [`e${'\u0317'.repeat(50)}`, 'e\u0317\u0317'],
  ['a'.repeat(MAX_GUEST_NAME), 'a'.repeat(MAX_GUEST_NAME)],
  ['😀'.repeat(MAX_GUEST_NAME), '😀'.repeat(MAX_GUEST_NAME)],
  ['__proto__', '__proto__'],
])('the name %j is shown as %j', (typed, shown) => {
  expect(cleanGuestName(typed)).toBe(shown)
})

test.each([
  ['nothing', ''],
  ['blanks', ' \u00a0\u3000 '],
  ['fillers that are drawn as nothing', '\u3164\u2800\uffa0'],
  ['marks without a letter', '\u0301\u0301'],
  ['one character too many', 'a'.repeat(MAX_GUEST_NAME + 1)],
  ['a book', 'a '.repeat(1_000_000)],
])('a name of %s is refused', (_of, typed) => {
  expect(cleanGuestName(typed)).toBeUndefined()
})
