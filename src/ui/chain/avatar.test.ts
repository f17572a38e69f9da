import { bloImage } from 'blo'
import { expect, test } from 'vitest'
import { avatarOf } from './avatar.ts'

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test('an avatar is a bitmap of the address’s cells, mirrored, in its three colours', () => {
  const uri = avatarOf(ADDRESS)
  expect(uri).toMatch(/^data:image\/bmp;base64,Qk/)
  const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (char) => char.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const pixelsAt = view.getUint32(10, true)
  expect(view.getUint32(2, true)).toBe(bytes.length)
  const [cells, palette] = bloImage(ADDRESS)
  for (const [i, [hue = 0, saturation = 0, lightness = 0]] of palette.entries()) {
    const [blue, green, red] = bytes.subarray(54 + 4 * i)
    expect([red, green, blue], `colour ${i}`).toEqual(rgbByChroma(hue, saturation / 100, lightness / 100))
  }
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      const byte = bytes[pixelsAt + (7 - y) * 4 + (x >> 1)] ?? 0
      expect(x % 2 === 0 ? byte >> 4 : byte & 15, `pixel ${x}, ${y}`).toBe(cells[y * 4 + (x < 4 ? x : 7 - x)])
    }
  }
})

test('addresses of any case have one picture, and other addresses have others', () => {
  expect(avatarOf('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(avatarOf(ADDRESS))
  expect(avatarOf('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')).not.toBe(avatarOf(ADDRESS))
})

/** By the sextants of the colour wheel, which is not how the avatar is made. */
function rgbByChroma(hue: number, saturation: number, lightness: number): readonly number[] {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * saturation
  const second = chroma * (1 - Math.abs(((hue / 60) % 2) - 1))
  const sextants = [
    [chroma, second, 0],
    [second, chroma, 0],
    [0, chroma, second],
    [0, second, chroma],
    [second, 0, chroma],
    [chroma, 0, second],
  ]
  return (sextants[Math.floor(hue / 60)] ?? []).map((part) => Math.round(255 * (part + lightness - chroma / 2)))
}
