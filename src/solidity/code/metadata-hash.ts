import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { trailerLength } from './metadata.ts'

/** `ipfs`, then the head of a string of 34 bytes, as the compiler writes them in CBOR. */
const IPFS = [0x64, 0x69, 0x70, 0x66, 0x73, 0x58, 0x22]
const MULTIHASH_BYTES = 34
/** Longest file that IPFS keeps as one block, in bytes. Metadata is shorter. */
const BLOCK_BYTES = 262_144

/** The hash by which code names its metadata, as a multihash; `undefined` if it names none on IPFS. */
export function metadataHashIn(code: Hex): Hex | undefined {
  const bytes = hexToBytes(code)
  const metadata = bytes.subarray(bytes.length - trailerLength(bytes))
  for (let at = 0; at + IPFS.length + MULTIHASH_BYTES <= metadata.length; at++) {
    if (!IPFS.every((byte, i) => metadata[at + i] === byte)) continue
    return bytesToHex(metadata.subarray(at + IPFS.length, at + IPFS.length + MULTIHASH_BYTES))
  }
  return undefined
}

/**
 * The multihash of a file on IPFS, as the compiler computes that of metadata; `undefined` if it is longer than a block.
 *
 * @param sha256 - The hash function, as browsers have it.
 * @see {@link https://docs.soliditylang.org/en/latest/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode | Encoding}
 */
export async function metadataHashOf(
  data: Uint8Array,
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>,
): Promise<Hex | undefined> {
  if (data.length === 0 || data.length > BLOCK_BYTES) return undefined
  const length = varint(data.length)
  // UnixFS: a file (type 2), its bytes, and how many they are.
  const file = [Uint8Array.of(0x08, 0x02, 0x12, ...length), data, Uint8Array.of(0x18, ...length)]
  const size = file.reduce((sum, { length: bytes }) => sum + bytes, 0)
  const block = concatBytes(Uint8Array.of(0x0a, ...varint(size)), ...file)
  return `0x1220${bytesToHex(new Uint8Array(await sha256(block))).slice(2)}`
}

/** Seven bits in each byte, lowest first; the high bit means that more follow. */
function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]
}
