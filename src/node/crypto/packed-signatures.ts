import { PACKED_BYTES, type Signed } from '#engine/key-recovery.ts'

/** r, s and the digest, as the engine takes them; the hint (4 bytes), and the parity. */
const BYTES = PACKED_BYTES + 5
const S_AT = 32
const DIGEST_AT = 64
const HINT_AT = PACKED_BYTES
const PARITY_AT = PACKED_BYTES + 4

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
    writeScalar(view, at, r)
    writeScalar(view, at + S_AT, s)
    packed.set(digest, at + DIGEST_AT)
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
    signatures.push(new PackedSignature(packed.subarray(at, at + PACKED_BYTES), packed[at + PARITY_AT] === 0 ? 0 : 1))
    hints.push(view.getUint32(at + HINT_AT, true))
  }
  return { signatures, hints }
}

/** Most are only checked, by their bytes alone. */
class PackedSignature implements Signed {
  readonly packed: Uint8Array
  readonly yParity: 0 | 1

  constructor(packed: Uint8Array, yParity: 0 | 1) {
    this.packed = packed
    this.yParity = yParity
  }

  get digest(): Uint8Array {
    return this.packed.subarray(DIGEST_AT)
  }

  get r(): bigint {
    return readScalar(this.packed, 0)
  }

  get s(): bigint {
    return readScalar(this.packed, S_AT)
  }
}

function writeScalar(view: DataView, at: number, value: bigint): void {
  // A limb is the remainder modulo 2^64.
  view.setBigUint64(at, value, true)
  view.setBigUint64(at + 8, value >> 64n, true)
  view.setBigUint64(at + 16, value >> 128n, true)
  view.setBigUint64(at + 24, value >> 192n, true)
}

function readScalar({ buffer, byteOffset }: Uint8Array, at: number): bigint {
  const view = new DataView(buffer, byteOffset + at)
  const high = (view.getBigUint64(24, true) << 64n) | view.getBigUint64(16, true)
  const low = (view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true)
  return (high << 128n) | low
}
