import { bloImage } from 'blo'
import { expect, test } from 'vitest'
import { avatarOf, SIDE } from './avatar.ts'

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test('an avatar is the address’s cells, mirrored, in its three colours', () => {
  const [cells, palette] = bloImage(ADDRESS)
  const fills = palette.map(([hue, saturation, lightness]) => `hsl(${hue} ${saturation}% ${lightness}%)`)
  const painted = Array.from({ length: SIDE }, () => Array.from({ length: SIDE }, () => ''))
  for (const { fill, d } of avatarOf(ADDRESS)) {
    for (const [, x, y, width, height] of d.matchAll(/M(\d)(?: (\d))h(\d)v(\d)[^M]*/g))
      for (let row = 0; row < Number(height); row++)
        painted[Number(y) + row]?.fill(fill, Number(x), Number(x) + Number(width))
  }
  for (const [y, row] of painted.entries())
    expect(row, `row ${y}`).toEqual(row.map((_, x) => fills[cells[y * 4 + (x < 4 ? x : 7 - x)] ?? -1]))
})

test('addresses of any case have one picture, and other addresses have others', () => {
  expect(avatarOf('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toEqual(avatarOf(ADDRESS))
  expect(avatarOf('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')).not.toEqual(avatarOf(ADDRESS))
})
