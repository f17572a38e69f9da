import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes } from '#primitives/bytes.ts'
import { BLS12_381_POINTS, BN254_POINTS, MODULI, ORDERS, OUTSIDE_BLS_G1, type TestPoints } from './points.ts'
import { word } from './precompiles.ts'

/** Inputs of precompiles, good and bad ones, that depend on a seed alone. */
export class HostileInputs {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The next precompile's number and its input. */
  next(): { readonly address: number; readonly data: Uint8Array } {
    const address = this.#pick(NUMBERS)
    const data = this.#damaged(address, this.#input(address))
    return { address, data }
  }

  #input(address: number): Uint8Array {
    switch (address) {
      case 1:
        return this.#signature(SECP256K1_SIGNATURES)
      case 5:
        return this.#modexp()
      case 6:
        return concatBytes(this.#point(BN.g1), this.#point(BN.g1))
      case 7:
        return concatBytes(this.#point(BN.g1), this.#scalar(ORDERS.bn254))
      case 8:
        return this.#pairs(BN)
      case 9:
        return concatBytes(word(this.#below(40)).subarray(28), this.#bytes(208), Uint8Array.of(this.#below(2)))
      case 0xb:
        return concatBytes(this.#point(BLS.g1), this.#point(BLS.g1))
      case 0xc:
        return this.#terms(BLS.g1)
      case 0xd:
        return concatBytes(this.#point(BLS.g2), this.#point(BLS.g2))
      case 0xe:
        return this.#terms(BLS.g2)
      case 0xf:
        return this.#pairs(BLS)
      case 0x10:
        return this.#field()
      case 0x11:
        return concatBytes(this.#field(), this.#field())
      case 0x100:
        return this.#signature(P256_SIGNATURES)
      default:
        return this.#bytes(this.#below(300))
    }
  }

  /** One in three inputs has something wrong with it. */
  #damaged(address: number, data: Uint8Array): Uint8Array {
    switch (this.#below(18)) {
      case 0:
        return data.subarray(0, this.#below(data.length + 1))
      case 1:
        return concatBytes(data, this.#bytes(this.#below(40)))
      case 2:
      case 3: {
        const changed = data.slice()
        const at = this.#below(data.length)
        if (data.length > 0) changed[at] = (changed[at] as number) ^ (1 << this.#below(8))
        return changed
      }
      case 4:
      case 5: {
        const size = address > 9 && address < 18 ? 64 : 32
        const value = this.#pick(size === 64 ? EDGES_64 : EDGES_32)
        const changed = data.slice()
        if (data.length >= size) changed.set(value, size * this.#below(Math.floor(data.length / size)))
        return changed
      }
      default:
        return data
    }
  }

  #point(points: readonly Uint8Array[]): Uint8Array {
    return this.#pick(points)
  }

  #scalar(order: bigint): Uint8Array {
    const edges = [0n, 1n, 2n, order - 1n, order, order + 1n, 2n ** 256n - 1n, 2n ** 128n, 2n ** 127n]
    return this.#below(4) === 0 ? word(this.#pick(edges)) : this.#bytes(32)
  }

  /** Pairs whose product is one half of the time. */
  #pairs({ g1, g2, negated }: Pool): Uint8Array {
    const parts: Uint8Array[] = []
    const count = this.#below(3)
    for (let i = 0; i < count; i++) {
      const [at, second] = [this.#below(negated.length), this.#pick(g2)]
      parts.push(g1[at] as Uint8Array, second)
      if (this.#below(2) === 0) parts.push(negated[at] as Uint8Array, second)
    }
    return concatBytes(...parts)
  }

  #terms(points: readonly Uint8Array[]): Uint8Array {
    const count = 1 + this.#below(3)
    return concatBytes(...Array.from({ length: count }, () => [this.#point(points), this.#scalar(ORDERS.bls)]).flat())
  }

  #field(): Uint8Array {
    if (this.#below(3) === 0) return this.#pick(EDGES_64)
    const bytes = new Uint8Array(64)
    bytes.set(this.#bytes(47), 17)
    return bytes
  }

  #signature(signatures: readonly Uint8Array[]): Uint8Array {
    const data = this.#pick(signatures).slice()
    if (this.#below(3) === 0) data.set(this.#bytes(32), 32 * this.#below(data.length / 32))
    return data
  }

  #modexp(): Uint8Array {
    const sizes = [this.#size(), this.#below(40), this.#size()]
    const [base, exponent, modulus] = sizes.map((size) => this.#bytes(size)) as [Uint8Array, Uint8Array, Uint8Array]
    const last = modulus.length - 1
    if (modulus.length > 0 && this.#below(3) > 0) modulus[last] = (modulus[last] as number) | 1
    if (this.#below(8) === 0) modulus.fill(this.#pick([0, 255]))
    if (this.#below(8) === 0) base.fill(255)
    return concatBytes(...sizes.map(word), base, exponent, modulus)
  }

  #size(): number {
    return this.#below(4) === 0 ? this.#below(300) : this.#below(70)
  }

  #bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#below(256))
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item
  }

  /** A number from 0 to before `end`: the generator of L'Ecuyer's that is called xorshift. */
  #below(end: number): number {
    let state = this.#state || 0x9e3779b9
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state >>> 0
    return end === 0 ? 0 : Math.floor((this.#state / 2 ** 32) * end)
  }
}

/** How often each precompile comes; pairings take the library some hundred times as long as additions. */
const SHARES: readonly (readonly [address: number, share: number])[] = [
  [1, 6],
  [2, 6],
  [3, 4],
  [5, 20],
  [6, 20],
  [7, 8],
  [8, 1],
  [9, 12],
  [0xb, 12],
  [0xc, 2],
  [0xd, 8],
  [0xe, 1],
  [0xf, 1],
  [0x10, 3],
  [0x11, 1],
  [0x100, 6],
]
const NUMBERS = SHARES.flatMap(([address, share]) => Array.from({ length: share }, () => address))

interface Pool {
  readonly g1: readonly Uint8Array[]
  readonly g2: readonly Uint8Array[]
  /** The negatives of the first of g1. */
  readonly negated: readonly Uint8Array[]
}

const SCALARS = [1n, 2n, 3n, 5n, 8n, 0xdeadbeefn, 2n ** 100n + 7n, 2n ** 200n + 9n, 2n ** 250n + 77n]

function poolOf(points: TestPoints, order: bigint, outside1: readonly Uint8Array[]): Pool {
  const negated = SCALARS.map((scalar) => points.g1(order - scalar))
  return {
    g1: [...SCALARS.map(points.g1), ...negated, points.infinity1, ...outside1],
    g2: [...SCALARS.map(points.g2), points.g2(order - 2n), points.infinity2, points.outside2],
    negated,
  }
}

const BN = poolOf(BN254_POINTS, ORDERS.bn254, [])
const BLS = poolOf(BLS12_381_POINTS, ORDERS.bls, [OUTSIDE_BLS_G1])

const KEYS = SCALARS.map(word)

const SECP256K1_SIGNATURES = KEYS.map((key, i) => {
  const digest = word(2n ** 255n + BigInt(i))
  const [recovery = 0, ...rest] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return concatBytes(digest, word(27 + recovery), Uint8Array.from(rest))
})

const P256_SIGNATURES = KEYS.map((key, i) => {
  const digest = word(2n ** 255n + BigInt(i))
  const signature = p256.sign(digest, key, { prehash: false })
  return concatBytes(digest, signature, p256.getPublicKey(key, false).subarray(1))
})

const P256_ORDER = p256.Point.Fn.ORDER
const P256_MODULUS = p256.Point.Fp.ORDER
const around = (value: bigint) => [value - 1n, value, value + 1n]
const asNumber = (bytes: Uint8Array) =>
  BigInt(`0x${bytes.reduce((digits, byte) => digits + byte.toString(16).padStart(2, '0'), '')}`)
const EDGES = [0n, 1n, 2n, 2n ** 256n - 1n, ...around(asNumber(MODULI.bn254)), ...around(ORDERS.bn254)]
const EDGES_32 = [...EDGES, ...around(P256_MODULUS), ...around(P256_ORDER), ...around(secp256k1.Point.Fn.ORDER)].map(
  word,
)
const EDGES_64 = [0n, 1n, 2n, 2n ** 384n - 1n, 2n ** 384n, 2n ** 512n - 1n, ...around(asNumber(MODULI.bls))].map(
  (value) => concatBytes(word(value >> 256n), word(value % 2n ** 256n)),
)
