import type { Signed } from '#engine/key-recovery.ts'

/** A digest, r and s (32 bytes each), and the parity. */
const BYTES = 97
const R_AT = 32
const S_AT = 64
const PARITY_AT = 96
const LIMB_BITS = 64n

/** Signatures as one array, which costs a message less than as many objects; r and s with the lowest byte first. */
export function packSignatures(signatures: readonly Signed[]): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(signatures.length * BYTES)
  const view = new DataView(packed.buffer)
  for (const [i, { digest, r, s, yParity }] of signatures.entries()) {
    const at = i * BYTES
    packed.set(digest, at)
    writeScalar(view, at + R_AT, r)
    writeScalar(view, at + S_AT, s)
    packed[at + PARITY_AT] = yParity
  }
  return packed
}

/** The signatures that {@link packSignatures} has packed. */
export function unpackSignatures(packed: Uint8Array): Signed[] {
  const view = new DataView(packed.buffer, packed.byteOffset)
  return Array.from({ length: packed.length / BYTES }, (_, i) => {
    const at = i * BYTES
    return {
      digest: packed.subarray(at, at + R_AT),
      r: readScalar(view, at + R_AT),
      s: readScalar(view, at + S_AT),
      yParity: packed[at + PARITY_AT] === 0 ? 0 : 1,
    }
  })
}

function writeScalar(view: DataView, at: number, value: bigint): void {
  // A limb is what is left modulo 2^64.
  for (let limb = 0n; limb < 4n; limb++) view.setBigUint64(at + 8 * Number(limb), value >> (limb * LIMB_BITS), true)
}

function readScalar(view: DataView, at: number): bigint {
  let value = 0n
  for (let limb = 3; limb >= 0; limb--) value = (value << LIMB_BITS) | view.getBigUint64(at + 8 * limb, true)
  return value
}
