import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutSquares } from './square-layout.ts'

const area = fc.integer({ min: 20, max: 600 })

test('more squares never cover less than fewer do', () => {
  const covered = (count: number, width: number, height: number) => {
    const { size, shown } = layoutSquares(count, width, height)
    return shown * size ** 2
  }
  expect(covered(999, 150, 60)).toBeGreaterThan(covered(907, 150, 60))
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(500), area, area, (count, more, width, height) => {
      expect(covered(count + more, width, height)).toBeGreaterThanOrEqual(covered(count, width, height) - 1e-6)
    }),
  )
})

test('few squares are large and many are small', () => {
  expect(layoutSquares(4, 60, 80)).toMatchObject({ size: 14, shown: 4 })
  expect(layoutSquares(200, 60, 80).size).toBeLessThan(6)
})

test('squares never leave their area, and all are shown that can be', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(400), fc.nat(400), (count, width, height) => {
      const { size, gap, columns, shown } = layoutSquares(count, width, height)
      expect(shown).toBe(Math.min(count, width * height))
      if (shown === 0) return
      const rows = Math.ceil(shown / columns)
      expect(columns * (size + gap) - gap).toBeLessThanOrEqual(width + 1e-6)
      expect(rows * (size + gap) - gap).toBeLessThanOrEqual(height + 1e-6)
    }),
  )
})

test('areas side by side have squares of one size, which fit the fullest of them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 10 }), area, area, (counts, width, height) => {
      const most = Math.max(...counts)
      const layouts = counts.filter((count) => count > 0).map((count) => layoutSquares(count, width, height, { most }))
      expect(new Set(layouts.map(({ size, gap, columns }) => `${size} ${gap} ${columns}`)).size).toBeLessThanOrEqual(1)
      for (const { size, gap, columns, shown } of layouts) {
        expect(Math.ceil(shown / columns) * (size + gap) - gap).toBeLessThanOrEqual(height + 1e-6)
      }
    }),
  )
})
