import { bloImage, type Hsl } from 'blo'
import type { Address } from '#primitives/hex.ts'

/** How many pictures are kept; others are created again. */
const CAPACITY = 256
/** Pixels of a side. */
const SIDE = 8
const COLOURS = 3
const HEADERS = 54
const ROW_BYTES = SIDE / 2

const made = new Map<Address, string>()

/**
 * The picture of an address as a data URI, of 8 × 8 pixels: draw it with `image-rendering: pixelated`. Cached, since tables of
 * transactions need the same few repeatedly.
 */
export function avatarOf(address: Address): string {
  const known = made.get(address)
  if (known !== undefined) return known
  const avatar = `data:image/bmp;base64,${btoa(String.fromCharCode(...bitmapOf(address)))}`
  if (made.size >= CAPACITY) made.clear()
  made.set(address, avatar)
  return avatar
}

/**
 * A bitmap of four bits a pixel. An SVG would be a document of its own for each address, which takes the browser some
 * milliseconds: a list of accounts could not be scrolled at its pace.
 */
function bitmapOf(address: Address): Uint8Array {
  const [cells, palette] = bloImage(address)
  const pixelsAt = HEADERS + 4 * COLOURS
  const bytes = new Uint8Array(pixelsAt + SIDE * ROW_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, pixelsAt, true)
  view.setUint32(14, HEADERS - 14, true)
  view.setInt32(18, SIDE, true)
  view.setInt32(22, SIDE, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 4, true)
  view.setUint32(34, SIDE * ROW_BYTES, true)
  view.setUint32(46, COLOURS, true)
  for (const [i, colour] of palette.entries()) bytes.set(rgbOf(colour).toReversed(), HEADERS + 4 * i)
  for (let y = 0; y < SIDE; y++) {
    // The left half; the right one mirrors it. The lowest row comes first.
    const [a = 0, b = 0, c = 0, d = 0] = cells.subarray(y * ROW_BYTES)
    bytes.set([(a << 4) | b, (c << 4) | d, (d << 4) | c, (b << 4) | a], pixelsAt + (SIDE - 1 - y) * ROW_BYTES)
  }
  return bytes
}

/** @returns Red, green and blue, from 0 to 255. */
function rgbOf([hue = 0, saturation = 0, lightness = 0]: Hsl): readonly number[] {
  const [s, l] = [saturation / 100, lightness / 100]
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })
}
