import { expect, test } from 'vitest'
import { besideColumn } from './beside-column.ts'

test('rules for wide windows move by the column’s width, those for narrow ones stay', () => {
  const of = (query: string) => besideColumn(`.a{width:50rem}@media ${query}{.b{max-width:50rem}}`)
  const is = (query: string) => `.a{width:50rem}@media ${query}{.b{max-width:50rem}}`
  expect(of('(width<=51.25rem)')).toBe(is('(width<=73.75rem)'))
  expect(of('(max-width:51.25rem)')).toBe(is('(max-width:73.75rem)'))
  expect(of('(width <= 62.5rem) and (height >= 35rem)')).toBe(is('(width <= 85rem) and (height >= 35rem)'))
  expect(of('(width > 50rem) and (width <= 76.25rem)')).toBe(is('(width > 72.5rem) and (width <= 98.75rem)'))
  expect(of('(width<=45rem)')).toBe(is('(width<=45rem)'))
  expect(of('(width>45rem) and (width<=56.25rem)')).toBe(is('(width>45rem) and (width<=78.75rem)'))
  expect(of('(width > 70em)')).toBe(is('(width > 70em)'))
})
