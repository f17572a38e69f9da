import { expect, test } from 'vitest'
import { ROOM_MARKS } from '#rpc-types/methods/room.ts'
import { markLook } from './marks.ts'

const ALL = Array.from({ length: ROOM_MARKS }, (_, mark) => markLook(mark))

test('each mark of a room looks different', () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ROOM_MARKS)
})

test('neighbours differ in shape and in colour', () => {
  for (const [i, { path, color }] of ALL.slice(1).entries()) {
    expect(path).not.toBe(ALL[i]?.path)
    expect(color).not.toBe(ALL[i]?.color)
  }
})

test('a mark of a room that has more of them looks like some other', () => {
  expect(ALL.map(({ name }) => name)).toContain(markLook(1_000_003).name)
})

/** Relative luminance of `#rrggbb`, by WCAG. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

test.each(['#ffffff', '#f8f9fb', '#0d1117', '#171d27'])(
  'each colour stands out from %s by three to one',
  (background) => {
    for (const { color, name } of ALL) {
      const [dark = 0, light = 0] = [luminance(color), luminance(background)].sort((a, b) => a - b)
      expect((light + 0.05) / (dark + 0.05), name).toBeGreaterThanOrEqual(3)
    }
  },
)
