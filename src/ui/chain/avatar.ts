import { bloImage, type Hsl } from 'blo'
import type { Address } from '#primitives/hex.ts'

/** How many pictures are kept; others are created again. */
const CAPACITY = 256
/** Cells of a side. */
export const SIDE = 8

/** The cells of one colour, as a path in CSS units of one cell. */
export interface AvatarPart {
  readonly fill: string
  readonly d: string
}

const made = new Map<Address, readonly AvatarPart[]>()

/**
 * The picture of an address, {@link SIDE} cells wide and high: what is painted, in order. Cached, since tables of transactions
 * need the same few repeatedly.
 */
export function avatarOf(address: Address): readonly AvatarPart[] {
  const known = made.get(address)
  if (known !== undefined) return known
  const avatar = partsOf(address)
  if (made.size >= CAPACITY) made.clear()
  made.set(address, avatar)
  return avatar
}

/** The first colour is the ground. Cells are those of the left half; the right one mirrors it. */
function partsOf(address: Address): readonly AvatarPart[] {
  const [cells, palette] = bloImage(address)
  const half = SIDE / 2
  return palette.map((colour, part) => {
    if (part === 0) return { fill: fillOf(colour), d: `M0 0h${SIDE}v${SIDE}H0z` }
    let d = ''
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < half; x++) {
        if (cells[y * half + x] !== part) continue
        let end = x + 1
        while (end < half && cells[y * half + end] === part) end++
        // What reaches the middle goes on in the mirrored half.
        d += end === half ? run(x, y, SIDE - 2 * x) : run(x, y, end - x) + run(SIDE - end, y, end - x)
        x = end
      }
    }
    return { fill: fillOf(colour), d }
  })
}

const run = (x: number, y: number, width: number) => `M${x} ${y}h${width}v1h-${width}z`

const fillOf = ([hue = 0, saturation = 0, lightness = 0]: Hsl) => `hsl(${hue} ${saturation}% ${lightness}%)`
