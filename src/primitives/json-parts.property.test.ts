import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonParts, memberText } from './json-parts.ts'

/** JSON with spaces where they may stand. */
const spaced = (value: unknown) => JSON.stringify(value, null, 1)

test('the items of a list are those that a parser reads', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.constantFrom(JSON.stringify, spaced), (items, write) => {
      expect(jsonParts(write(items)).map((text) => JSON.parse(text) as unknown)).toEqual(
        JSON.parse(JSON.stringify(items)),
      )
    }),
  )
})

test('a member of an object is the one that a parser reads, whatever its name and its neighbours', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('id', 'a"b', '\\', ':', ',', '{', '}'))
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue(), { minKeys: 1, maxKeys: 5 }), fc.nat(), (members, pick) => {
      const text = spaced(members)
      const parsed = JSON.parse(text) as Record<string, unknown>
      const all = Object.keys(parsed)
      const name = all[pick % all.length] ?? ''
      expect(JSON.parse(memberText(text, name) ?? '')).toEqual(parsed[name])
      expect(memberText(text, `${all.join()}-`)).toBeUndefined()
    }),
  )
})

test('of members with one name the last one counts, also if it is written with escapes', () => {
  expect(memberText('{"id":1,"\\u0069d":2,"x":{"id":3}}', 'id')).toBe('2')
})
