import { expect, test } from 'vitest'
import { besideColumn } from './beside-column.ts'

test('rules for wide windows move by the column’s width, those for narrow ones stay', () => {
  const of = (query: string) => besideColumn(`.a{width:900px}@media ${query}{.b{max-width:900px}}`)
  const is = (query: string) => `.a{width:900px}@media ${query}{.b{max-width:900px}}`
  expect(of('(max-width:820px)')).toBe(is('(max-width:1180px)'))
  expect(of('(width<=1000px) and (min-height: 560px)')).toBe(is('(width<=1360px) and (min-height: 560px)'))
  expect(of('(min-width: 821px) and (max-width: 1220px)')).toBe(is('(min-width: 1181px) and (max-width: 1580px)'))
  expect(of('(max-width:720px)')).toBe(is('(max-width:720px)'))
  expect(of('(min-width:721px) and (max-width:900px)')).toBe(is('(min-width:721px) and (max-width:1260px)'))
  expect(of('(width > 70rem)')).toBe(is('(width > 70rem)'))
})
