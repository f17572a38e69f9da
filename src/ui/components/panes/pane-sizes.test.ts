import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { borderRange, keepSizes, keptSizes, moveBorder } from './pane-sizes.ts'

const LEAST = [0.2, 0.3, 0.1]

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a border moves between its two panes, and others keep their sizes', () => {
  expect(moveBorder([0.4, 0.4, 0.2], 0, 0.3, LEAST)).toEqual([0.3, 0.5, 0.2])
})

test('no pane becomes smaller than its least size', () => {
  expect(moveBorder([0.4, 0.4, 0.2], 0, 0, LEAST)[0]).toBe(0.2)
  expect(moveBorder([0.4, 0.4, 0.2], 0, 1, LEAST)[1]).toBeCloseTo(0.3)
})

test('where both panes have no room, the border stays', () => {
  expect(borderRange([0.2, 0.1, 0.7], 0, [0.3, 0.3, 0.1])).toEqual([0.2, 0.2])
  expect(moveBorder([0.2, 0.1, 0.7], 0, 0.29, [0.3, 0.3, 0.1])[0]).toBe(0.2)
})

test('sizes are kept by the name of their panes, until they are forgotten', () => {
  keepSizes('debugger', [0.6, 0.4])
  keepSizes('contracts', [0.2, 0.4, 0.4])
  expect(keptSizes('debugger', 2)).toEqual([0.6, 0.4])
  keepSizes('debugger', undefined)
  expect(keptSizes('debugger', 2)).toBeUndefined()
  expect(keptSizes('contracts', 3)).toEqual([0.2, 0.4, 0.4])
})

test.each([
  '{',
  'null',
  '[]',
  '{"debugger":[2,-1]}',
  '{"debugger":["0.5","0.5"]}',
  '{"debugger":[0.5,0.6]}',
  '{"debugger":7}',
])('kept sizes that are none count for nothing: %s', (text) => {
  localStorage.setItem('blinknet-panes', text)
  expect(keptSizes('debugger', 2)).toBeUndefined()
})

test('sizes of another number of panes count for nothing', () => {
  keepSizes('debugger', [0.6, 0.4])
  expect(keptSizes('debugger', 3)).toBeUndefined()
})
