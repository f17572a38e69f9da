import { bigIntToBytes, concatBytes, padLeft } from '#primitives/bytes.ts'

/** How a module of assembly/curves has numbers: see its `limbs.ts`. */
export interface LimbShape {
  readonly limbs: number
  readonly bits: number
  /** 64-bit words of a number of the host. */
  readonly words: number
}

/** Bytes of the modulus in words, with what stands behind it. */
const PRIME_BYTES = 64

/** The constants of a field in a module's memory, in the order of assembly/curves/limbs.ts. */
export function fieldConstants(p: bigint, shape: LimbShape): Uint8Array {
  const bits = BigInt(shape.bits)
  const base = 1n << bits
  const { limbs } = shape
  const r = (1n << (bits * BigInt(limbs + 1))) % p
  const inverse = balanced(inverseModulo(-p, base), base)
  const ratio = 2 ** (shape.bits * (limbs - 1)) / Number(p)
  const numbers = [
    ...limbsOf(p, limbs, bits),
    Number(inverse),
    ratio,
    ...limbsOf(p * inverse, limbs + 1, bits).slice(1),
    ...limbsOf((r * r) % p, limbs, bits),
    ...limbsOf(r, limbs, bits),
  ]
  const bothLanes = new Float64Array(numbers.flatMap((value) => [value, value]))
  const words = new Uint8Array(PRIME_BYTES)
  words.set(littleEndian(p, 8 * shape.words))
  return concatBytes(new Uint8Array(bothLanes.buffer), words)
}

/** The bytes of a number, the lowest first. */
export function littleEndian(value: bigint, size: number): Uint8Array {
  return padLeft(bigIntToBytes(value), size).toReversed()
}

/** The digits −1, 0 and 1 of a positive number, the highest first and left out; no two neighbours are set. */
export function signedDigits(value: bigint): Int8Array {
  const digits: number[] = []
  for (let left = value; left > 0n; left >>= 1n) {
    const digit = left % 2n === 0n ? 0n : 2n - (left % 4n)
    digits.push(Number(digit))
    left -= digit
  }
  return Int8Array.from(digits.toReversed().slice(1))
}

/** Limbs from −2^(bits − 1) to 2^(bits − 1), the lowest first; the highest has whatever is left. */
function limbsOf(value: bigint, count: number, bits: bigint): number[] {
  const base = 1n << bits
  const limbs: number[] = []
  let left = value
  for (let i = 1; i < count; i++) {
    const limb = balanced(left, base)
    limbs.push(Number(limb))
    left = (left - limb) >> bits
  }
  return [...limbs, Number(left)]
}

function balanced(value: bigint, base: bigint): bigint {
  const rest = ((value % base) + base) % base
  return rest >= base / 2n ? rest - base : rest
}

/** By Newton's method, for an odd value and a power of two. */
function inverseModulo(value: bigint, base: bigint): bigint {
  let inverse = 1n
  for (let i = 0; i < 6; i++) inverse = (((inverse * (2n - value * inverse)) % base) + base) % base
  return inverse
}
