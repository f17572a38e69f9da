import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedPaths } from './pinned-reducer.ts'

test('changes are named by their paths', () => {
  const before = { number: '0x1', transactions: [{ hash: '0xa' }], gone: 1 }
  const after = { number: '0x2', transactions: [{ hash: '0xb' }, '0xc'] }
  expect(changedPaths(before, after, 10)).toEqual([
    { path: 'number', before: '0x1', after: '0x2' },
    { path: 'transactions[0].hash', before: '0xa', after: '0xb' },
    { path: 'transactions[1]', before: undefined, after: '0xc' },
    { path: 'gone', before: 1, after: undefined },
  ])
  expect(changedPaths(before, after, 1)).toHaveLength(1)
  expect(changedPaths('0x1', null, 5)).toEqual([{ path: '', before: '0x1', after: null }])
  expect(changedPaths([], {}, 5)).toHaveLength(1)
})

test('values have changed paths exactly if they are not equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(changedPaths(a, JSON.parse(JSON.stringify(a)), 3)).toEqual([])
      const equal = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
      expect(changedPaths(a, b, 3).length === 0).toBe(equal)
    }),
  )
})

/** The value with object fields in sorted order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
