import type { ByteRange } from '#solidity/build/build.ts'

/** Beginnings of the CBOR map that the compiler appends, up to the first key: `ipfs`, `bzzr0`, `bzzr1`, `solc`, `experimental`. */
const BEGINNINGS = [
  '64697066735822',
  '65627a7a72305820',
  '65627a7a72315820',
  '64736f6c63',
  '6c6578706572696d656e74616c',
].map((digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)),
)
/** Longest metadata, in bytes: a hash, a version and a flag or two. */
const METADATA_LIMIT = 200
/** First byte of a CBOR map of up to four entries. */
const MAPS = { first: 0xa1, last: 0xa4 }

/** Whether metadata may begin there. */
export function beginsAt(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] as number
  if (first < MAPS.first || first > MAPS.last) return false
  return BEGINNINGS.some((beginning) => beginning.every((byte, i) => bytes[at + 1 + i] === byte))
}

/** Length of the metadata at the end of a code, with the two bytes that tell it; 0 if there is none. */
export function trailerLength(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0
  const length = ((bytes.at(-2) as number) << 8) + (bytes.at(-1) as number) + 2
  return length <= METADATA_LIMIT && length < bytes.length && beginsAt(bytes, bytes.length - length) ? length : 0
}

/**
 * All metadata in a code: its own and, in a code that creates contracts, theirs. The same sources give the same code but not
 * the same metadata, for it has a hash of the comments, too.
 */
export function metadataRanges(bytes: Uint8Array): ByteRange[] {
  const ranges: ByteRange[] = []
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] as number
    if (first < MAPS.first || first > MAPS.last || !beginsAt(bytes, at)) continue
    const length = lengthFrom(bytes, at)
    if (length === 0) continue
    ranges.push({ start: at, length })
    at += length - 1
  }
  return ranges
}

/** The metadata is followed by its length in two bytes. */
function lengthFrom(bytes: Uint8Array, start: number): number {
  const end = Math.min(bytes.length - 1, start + METADATA_LIMIT)
  for (let at = start + 4; at < end; at++) {
    if (((bytes[at] as number) << 8) + (bytes[at + 1] as number) === at - start) return at + 2 - start
  }
  return 0
}
