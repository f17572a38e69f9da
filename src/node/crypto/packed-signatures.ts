import type { Signed } from '#engine/key-recovery.ts'

/** A digest, r and s (32 bytes each), the hint (4 bytes), and the parity. */
const BYTES = 101
const R_AT = 32
const S_AT = 64
const HINT_AT = 96
const PARITY_AT = 100

/**
 * Signatures as one array, which costs a message less than as many objects; numbers have the lowest byte first.
 *
 * @param hints - As many, of 32 bits.
 */
export function packSignatures(signatures: readonly Signed[], hints: readonly number[]): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(signatures.length * BYTES)
  const view = new DataView(packed.buffer)
  for (const [i, { digest, r, s, yParity }] of signatures.entries()) {
    const at = i * BYTES
    packed.set(digest, at)
    writeScalar(view, at + R_AT, r)
    writeScalar(view, at + S_AT, s)
    view.setUint32(at + HINT_AT, hints[i] as number, true)
    packed[at + PARITY_AT] = yParity
  }
  return packed
}

/** The result of {@link packSignatures}. */
export function unpackSignatures(packed: Uint8Array): { signatures: Signed[]; hints: number[] } {
  const view = new DataView(packed.buffer, packed.byteOffset)
  const signatures: Signed[] = []
  const hints: number[] = []
  for (let at = 0; at < packed.length; at += BYTES) {
    signatures.push({
      digest: packed.subarray(at, at + R_AT),
      r: readScalar(view, at + R_AT),
      s: readScalar(view, at + S_AT),
      yParity: packed[at + PARITY_AT] === 0 ? 0 : 1,
    })
    hints.push(view.getUint32(at + HINT_AT, true))
  }
  return { signatures, hints }
}

function writeScalar(view: DataView, at: number, value: bigint): void {
  // A limb is the remainder modulo 2^64.
  view.setBigUint64(at, value, true)
  view.setBigUint64(at + 8, value >> 64n, true)
  view.setBigUint64(at + 16, value >> 128n, true)
  view.setBigUint64(at + 24, value >> 192n, true)
}

function readScalar(view: DataView, at: number): bigint {
  const high = (view.getBigUint64(at + 24, true) << 64n) | view.getBigUint64(at + 16, true)
  const low = (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true)
  return (high << 128n) | low
}
