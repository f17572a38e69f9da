import { expect, test } from 'vitest'
import { GenerationalCache } from './generational-cache.ts'

test('used entries stay and unused ones are evicted, within twice the capacity', () => {
  const cache = new GenerationalCache<number, string>(10)
  cache.set(-1, 'used')
  for (let i = 0; i < 1_000; i++) {
    cache.set(i, `${i}`)
    expect(cache.get(-1)).toBe('used')
    expect(cache.size).toBeLessThanOrEqual(22)
  }
  expect(cache.get(999)).toBe('999')
  expect(cache.get(990)).toBe('990')
  expect(cache.get(0)).toBeUndefined()
})

test('a newer value replaces an older one of an earlier generation', () => {
  const cache = new GenerationalCache<string, number>(1)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  expect(cache.get('a')).toBe(3)
})

test('entries count by weight: a few large ones or many small ones are kept', () => {
  const cache = new GenerationalCache<number, string>(10, (value) => value.length)
  for (let i = 0; i < 100; i++) cache.set(i, 'x')
  expect(cache.size).toBeLessThanOrEqual(22)
  expect(cache.size).toBeGreaterThanOrEqual(10)
  for (let i = 0; i < 100; i++) cache.set(i, 'x'.repeat(5))
  expect(cache.size).toBeLessThanOrEqual(6)
  cache.set(1, 'x'.repeat(1_000))
  expect(cache.get(1)).toHaveLength(1_000)
  cache.set(2, 'x'.repeat(11))
  cache.set(3, 'x'.repeat(11))
  expect(cache.get(1)).toBeUndefined()
})

test('setting an entry again updates its weight', () => {
  const cache = new GenerationalCache<string, number>(10, (value) => value)
  cache.set('kept', 1)
  for (let i = 0; i < 100; i++) cache.set('again', 9)
  expect(cache.get('kept')).toBe(1)
})
