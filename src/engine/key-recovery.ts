import { bytesToBigInt } from '#primitives/bytes.ts'
import { LinearMemory } from './linear-memory.ts'
import { SECP256K1_ORDER as N } from './secp256k1-order.ts'
import { compileWasmNow, instantiateWasm, isValidWasm, type WasmMemory } from './web-assembly.ts'

/** A signature and what it signs. */
export interface Signed {
  /** 32 bytes. */
  readonly digest: Uint8Array
  readonly r: bigint
  readonly s: bigint
  /** Selects one of the two points with that x. */
  readonly yParity: 0 | 1
  /** The signature in {@link PACKED_BYTES}, where it comes so: r and s, of 32 bytes, the lowest first, and the digest. */
  readonly packed?: Uint8Array
}

export const PACKED_BYTES = 96

/** Exports of the module: see assembly/secp256k1/index.ts. */
interface Exports {
  readonly memory: WasmMemory
  /** Addresses. */
  readonly input: { readonly value: number }
  readonly output: { readonly value: number }
  readonly scalar: { readonly value: number }
  /** Signatures that the input has room for. */
  readonly MAX_SIGNATURES: { readonly value: number }
  prepare(): number
  invertScalar(): void
  recover(count: number): void
  multiply(): void
  readonly MAX_CHECKED: { readonly value: number }
  readonly MAX_KEYS: { readonly value: number }
  readonly MAX_WIDE_KEYS: { readonly value: number }
  learn(key: number): void
  widen(wide: number, key: number, part: number): number
  check(count: number, isWide: number): void
}

const SIGNATURE_BYTES = 256
const S_AT = 32
const DIGEST_AT = 64
const KEY_AT = 96
const U2_AT = 32
const U1_AT = 96
const IS_ODD_AT = 160
const OUTCOME_AT = 164
const RECOVERED = 1
const EXCEPTIONAL = 2
const POINT_BYTES = 64

/** Multiplying by it is cheap: λ(x, y) = (βx, y). */
const LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n
/** Short vectors (A, B) with A + Bλ ≡ 0. */
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const B1 = -0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n
const B2 = A1
/** B2 / N and −B1 / N, times 2^384: a division by N becomes a multiplication and a shift. */
const SHIFT = 384n
const HALF_UP = 1n << (SHIFT - 1n)
const RATIO_1 = ((B2 << SHIFT) + N / 2n) / N
const RATIO_2 = ((-B1 << SHIFT) + N / 2n) / N
/** Makes a half positive: 26 digits of 5 bits, each with as much above zero as below. */
const BIAS = 1n << 129n

/** Recovers public keys by a module of assembly/secp256k1. */
export class KeyRecovery {
  readonly #module: Exports
  readonly #memory: LinearMemory
  readonly #inputAt: number
  readonly #outputAt: number
  readonly #mostSignatures: number

  private constructor(module: Exports) {
    this.#module = module
    this.#memory = new LinearMemory(module.memory)
    this.#inputAt = module.input.value
    this.#outputAt = module.output.value
    this.#mostSignatures = module.MAX_SIGNATURES.value
  }

  /** @returns `undefined` if the machine cannot run the module. */
  static create(wasm: Uint8Array<ArrayBuffer>): KeyRecovery | undefined {
    if (!isValidWasm(wasm)) return undefined
    const module = instantiateWasm(compileWasmNow(wasm), {}) as Exports
    return module.prepare() ? new KeyRecovery(module) : undefined
  }

  /**
   * Public keys of signatures: 64 bytes (x ‖ y) each, `undefined` where no key fits.
   *
   * @param recoverExceptional - Called for the few signatures whose points meet on the way; they only occur when crafted.
   */
  recover(
    signatures: readonly Signed[],
    recoverExceptional: (signature: Signed) => Uint8Array | undefined,
  ): (Uint8Array | undefined)[] {
    const keys = new Array<Uint8Array | undefined>(signatures.length)
    const possible = Array.from(signatures.keys()).filter((i) => isInRange(signatures[i] as Signed))
    for (let start = 0; start < possible.length; start += this.#mostSignatures) {
      const batch = possible.slice(start, start + this.#mostSignatures)
      this.#writeInputs(batch.map((i) => signatures[i] as Signed))
      this.#module.recover(batch.length)
      for (const [at, i] of batch.entries()) {
        const outcome = this.#outcomeOf(at)
        if (outcome === RECOVERED) keys[i] = this.#memory.slice(this.#outputAt + at * POINT_BYTES, POINT_BYTES)
        if (outcome === EXCEPTIONAL) keys[i] = recoverExceptional(signatures[i] as Signed)
      }
    }
    return keys
  }

  /**
   * The generator times a scalar: x ‖ y, 64 bytes.
   *
   * @param scalar - Above 0 and below the order.
   * @param multiplyExceptional - Called for the few scalars that lead to a sum of two equal or opposite points; they only occur when crafted.
   */
  multiplyGenerator(scalar: bigint, multiplyExceptional: () => Uint8Array): Uint8Array {
    this.#memory.writeWord(this.#inputAt, scalar)
    this.#module.multiply()
    return this.#outcomeOf(0) === RECOVERED ? this.#memory.slice(this.#outputAt, POINT_BYTES) : multiplyExceptional()
  }

  /** How many keys can be learnt, and how many of them can be wide. */
  get maxKeys(): { readonly narrow: number; readonly wide: number } {
    return { narrow: this.#module.MAX_KEYS.value, wide: this.#module.MAX_WIDE_KEYS.value }
  }

  /**
   * Learns a key, in the time of two to five recoveries.
   *
   * @param key - A number below the first of {@link maxKeys}; what was learnt by it is forgotten.
   * @param point - 64 bytes (x ‖ y), on the curve.
   */
  learn(key: number, point: Uint8Array): void {
    this.#memory.writeBigEndian(this.#inputAt, point.subarray(0, 32))
    this.#memory.writeBigEndian(this.#inputAt + 32, point.subarray(32))
    this.#module.learn(key)
  }

  /**
   * Makes a part of the wide tables of the generator, which come first, or of a key.
   *
   * @param part - 0 first, then the others in their order.
   * @returns Whether it was the last.
   */
  widenGenerator(part: number): boolean {
    const { narrow, wide } = this.maxKeys
    return this.#module.widen(wide, narrow, part) !== 0
  }

  /**
   * Makes wide tables of a key.
   *
   * @param wide - A number below the second of {@link maxKeys}.
   * @param key - The number by which the key was learnt; with part 0 only.
   */
  widen(wide: number, key: number, part: number): boolean {
    return this.#module.widen(wide, key, part) !== 0
  }

  /**
   * Whether {@link recover} gives a key for a signature, for many: R = (digest / s) G + (r / s) Q.
   *
   * @param keys - The number of each one's key.
   * @param areWide - Whether these are the numbers of wide keys.
   * @returns `false` also for the few signatures whose points meet on the way.
   */
  areSignedBy(signatures: readonly Signed[], keys: readonly number[], areWide: boolean): boolean[] {
    const { length } = signatures
    const answers: boolean[] = []
    // As many each time: the fewer, the more each of them takes.
    const most = Math.ceil(length / Math.ceil(length / this.#module.MAX_CHECKED.value))
    for (let start = 0; start < length; start += most) {
      const count = Math.min(most, length - start)
      for (let i = 0; i < count; i++) this.#writeChecked(i, signatures[start + i] as Signed, keys[start + i] as number)
      this.#module.check(count, areWide ? 1 : 0)
      for (let i = 0; i < count; i++) answers.push(this.#outcomeOf(i) === RECOVERED)
    }
    return answers
  }

  #writeChecked(i: number, signature: Signed, key: number): void {
    const { view, bytes } = this.#memory
    const at = this.#inputAt + i * SIGNATURE_BYTES
    const { packed } = signature
    if (packed) {
      bytes.set(packed, at)
    } else {
      // 0 is no signature.
      this.#memory.writeWord(at, isInRange(signature) ? signature.r : 0n)
      this.#memory.writeWord(at + S_AT, signature.s)
      bytes.set(signature.digest, at + DIGEST_AT)
    }
    view.setUint32(at + KEY_AT, key, true)
    view.setUint32(at + IS_ODD_AT, signature.yParity, true)
  }

  /** Inverses modulo the order of the group, of scalars other than 0, by one inversion for all of them. */
  inverses(scalars: readonly bigint[]): bigint[] {
    const inverses: bigint[] = []
    let product = 1n
    for (const scalar of scalars) {
      inverses.push(product)
      product = (product * scalar) % N
    }
    let inverse = this.#invert(product)
    for (let i = scalars.length - 1; i >= 0; i--) {
      inverses[i] = (inverse * (inverses[i] as bigint)) % N
      inverse = (inverse * (scalars[i] as bigint)) % N
    }
    return inverses
  }

  /** Q = (s / r) R − (digest / r) G. */
  #writeInputs(signatures: readonly Signed[]): void {
    const inverses = this.inverses(signatures.map(({ r }) => r))
    for (const [i, { digest, r, s, yParity }] of signatures.entries()) {
      const inverseOfR = inverses[i] as bigint
      const at = this.#inputAt + i * SIGNATURE_BYTES
      this.#memory.writeWord(at, r)
      this.#writeHalves(at + U2_AT, (s * inverseOfR) % N)
      this.#writeHalves(at + U1_AT, (N - ((bytesToBigInt(digest) * inverseOfR) % N)) % N)
      this.#memory.view.setUint32(at + IS_ODD_AT, yParity, true)
    }
  }

  #outcomeOf(i: number): number {
    return this.#memory.view.getUint32(this.#inputAt + i * SIGNATURE_BYTES + OUTCOME_AT, true)
  }

  #invert(value: bigint): bigint {
    const at = this.#module.scalar.value
    this.#memory.writeWord(at, value)
    this.#module.invertScalar()
    return this.#memory.readWord(at)
  }

  /**
   * Splits a scalar as u = (2a + 1) + (2b + 1)λ, with halves of at most 129 bits, and writes a and b with {@link BIAS}: odd
   * digits of 5 bits add up to 2a + 1 where the biased a has the usual ones.
   */
  #writeHalves(at: number, scalar: bigint): void {
    let even = scalar - 1n - LAMBDA
    while (even < 0n) even += N
    // N is odd.
    const half = ((even & 1n) === 0n ? even : even + N) >> 1n
    const c1 = (half * RATIO_1 + HALF_UP) >> SHIFT
    const c2 = (half * RATIO_2 + HALF_UP) >> SHIFT
    this.#memory.writeWord(at, half - c1 * A1 - c2 * A2 + BIAS)
    this.#memory.writeWord(at + 32, BIAS - c1 * B1 - c2 * B2)
  }
}

function isInRange({ r, s }: Signed): boolean {
  return r > 0n && r < N && s > 0n && s < N
}
