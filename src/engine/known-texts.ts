import { bytesToHex, type Hash } from '#primitives/hex.ts'

const HASH_BYTES = 32
const PLACE_BITS = 12

/**
 * A cache of texts of frequent hashes, such as topics of logs: comparing bytes is much cheaper than making text of
 * them, and equal texts share memory. Hashes share places; the newest one stays.
 */
export class KnownTexts {
  readonly #hashes = new DataView(new ArrayBuffer(HASH_BYTES << PLACE_BITS))
  readonly #texts: (Hash | undefined)[] = Array.from({ length: 1 << PLACE_BITS })

  /** The text of 32 bytes. @param view - Of the same memory as the bytes. */
  get(bytes: Uint8Array, view: DataView, at: number): Hash {
    const place = placeOf(view, at)
    const known = this.#texts[place]
    const knownAt = place * HASH_BYTES
    if (known !== undefined && areEqual(this.#hashes, knownAt, view, at)) return known
    const text = bytesToHex(bytes.subarray(at, at + HASH_BYTES))
    this.#texts[place] = text
    for (let i = 0; i < HASH_BYTES; i += 4) this.#hashes.setUint32(knownAt + i, view.getUint32(at + i))
    return text
  }
}

function placeOf(view: DataView, at: number): number {
  let mixed = 0
  for (let i = 0; i < HASH_BYTES; i += 4) mixed = Math.imul(mixed ^ view.getUint32(at + i, true), 0x9e3779b1)
  return mixed >>> (32 - PLACE_BITS)
}

function areEqual(a: DataView, aAt: number, b: DataView, bAt: number): boolean {
  for (let i = 0; i < HASH_BYTES; i += 4) if (a.getUint32(aAt + i) !== b.getUint32(bAt + i)) return false
  return true
}
