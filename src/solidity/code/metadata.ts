import type { ByteRange } from '#solidity/build/build.ts'

/** First keys of the CBOR map that the compiler appends: `ipfs`, `bzzr0`, `bzzr1`, `solc`, `experimental`. */
const BEGINNINGS = [
  '64697066735822',
  '65627a7a72305820',
  '65627a7a72315820',
  '64736f6c63',
  '6c6578706572696d656e74616c',
].map((digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)),
)
/** Longest metadata, in bytes: a hash, a version, and a flag or two. */
const METADATA_LIMIT = 200
/** First byte of a CBOR map of up to four entries. */
const MAPS = { first: 0xa1, last: 0xa4 }

/** Whether metadata may begin at an offset. */
export function beginsAt(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] as number
  if (first < MAPS.first || first > MAPS.last) return false
  return BEGINNINGS.some((beginning) => beginning.every((byte, i) => bytes[at + 1 + i] === byte))
}

/** Length of the metadata at the end of code, including the two bytes of its length; 0 if there is none. */
export function trailerLength(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0
  const length = ((bytes.at(-2) as number) << 8) + (bytes.at(-1) as number) + 2
  return length <= METADATA_LIMIT && length < bytes.length && beginsAt(bytes, bytes.length - length) ? length : 0
}

const SOLC = [0x64, 0x73, 0x6f, 0x6c, 0x63, 0x43]

/** The compiler's version in the metadata at the end of code, such as `0.8.30`; `undefined` if it is not there. */
export function compilerIn(code: Uint8Array): string | undefined {
  const metadata = code.subarray(code.length - trailerLength(code))
  for (let at = 0; at + SOLC.length + 3 <= metadata.length; at++) {
    if (!SOLC.every((byte, i) => metadata[at + i] === byte)) continue
    return Array.from(metadata.subarray(at + SOLC.length, at + SOLC.length + 3)).join('.')
  }
  return undefined
}

/**
 * All metadata in code: its own and that of the contracts that it creates. Metadata hashes the comments as well, so it may
 * differ where the code does not.
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

/** The length that follows metadata, in two bytes. */
function lengthFrom(bytes: Uint8Array, start: number): number {
  const end = Math.min(bytes.length - 1, start + METADATA_LIMIT)
  for (let at = start + 4; at < end; at++) {
    if (((bytes[at] as number) << 8) + (bytes[at + 1] as number) === at - start) return at + 2 - start
  }
  return 0
}
