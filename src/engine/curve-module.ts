import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import { fieldConstants, littleEndian, signedDigits } from './field-constants.ts'
import { instantiateWasm, type WasmMemory, type WasmModule } from './web-assembly.ts'

/** A place in the module's memory. */
type Place = { readonly value: number }

/** What a module of assembly/curves exports. */
interface CurveExports {
  readonly memory: WasmMemory
  readonly LIMBS: Place
  readonly BITS: Place
  readonly MAX_PAIRS: Place
  readonly field: Place
  readonly p256Field: Place
  readonly p256Order: Place
  readonly input: Place
  readonly output: Place
  readonly scalars: Place
  readonly seed: Place
  readonly sixth: Place
  readonly quarter: Place
  readonly isogeny: Place
  readonly isogeny2: Place
  readonly loopDigits: Place
  readonly seedDigits: Place
  isFused(): number
  setDigits(ofLoop: number, ofSeed: number): void
  prepare(): void
  addG1(): number
  multiplyG1(negated: number): number
  beginPairings(): void
  addPair(isChecked: number): number
  addG2(): number
  beginSum(isSecond: number): void
  addMultipleG1(): number
  finishSumG1(): void
  addMultipleG2(): number
  finishSumG2(): void
  decompress(isLarger: number): number
  mapG1(): number
  mapG2(): number
  pairsTaken(): number
  multiplyPairings(): void
  isProductOne(): number
  invertP256Scalar(): void
  verifyP256(hasOther: number): number
}

/** What makes a curve. */
export interface CurveParameters {
  /** The modulus of the field. */
  readonly p: bigint
  /** 64-bit words of it. */
  readonly words: 4 | 6
  /** The absolute value of the parameter. */
  readonly seed: bigint
  /** The length of the pairing's loop. */
  readonly loop: bigint
  /** (x, y) → (x · β, y) multiplies. */
  readonly beta: bigint
  /** BLS12-381's numbers that lead to its first group. */
  readonly isogeny?: Uint8Array
  /** Numbers that lead to its second group: see `g2-isogeny.ts`. */
  readonly isogeny2?: Uint8Array
  /** Another curve's field and group, whose b is written after β. */
  readonly other?: { readonly p: bigint; readonly order: bigint; readonly b: bigint }
}

/** Outcomes of reading points: see assembly/curves/groups.ts. */
const OUTCOMES = ['good', 'infinity', 'not-in-field', 'not-on-curve', 'not-in-subgroup'] as const
type PointOutcome = (typeof OUTCOMES)[number]
/** What is wrong with a point. */
export type BadPoint = Exclude<PointOutcome, 'good' | 'infinity'>

const NUMBER_SLOT = 64

/** An instance of a module of assembly/curves. What it has to do takes about a millisecond at most, each time. */
export class CurveModule {
  readonly #exports: CurveExports
  /** The memory, which does not grow. */
  readonly #bytes: Uint8Array
  readonly #words: number
  readonly #seed: bigint

  private constructor(exports: CurveExports, parameters: CurveParameters) {
    this.#exports = exports
    this.#bytes = new Uint8Array(exports.memory.buffer)
    this.#words = parameters.words
    this.#seed = parameters.seed
    this.#prepare(parameters)
  }

  /** @returns `undefined` if this machine does not round a multiplication and addition once. */
  static create(module: WasmModule, parameters: CurveParameters): CurveModule | undefined {
    const exports = instantiateWasm(module, {}) as CurveExports
    return exports.isFused() === 0 ? undefined : new CurveModule(exports, parameters)
  }

  #prepare({ p, words, seed, loop, beta, isogeny, isogeny2, other }: CurveParameters): void {
    const { LIMBS, BITS, field, p256Field, p256Order, ...places } = this.#exports
    const shape = { limbs: LIMBS.value, bits: BITS.value, words }
    this.#write(field.value, fieldConstants(p, shape))
    const numbers = [beta]
    if (other) {
      this.#write(p256Field.value, fieldConstants(other.p, shape))
      this.#write(p256Order.value, littleEndian(other.order, 8 * words))
      numbers.push(other.b)
    }
    this.#write(places.input.value, concatBytes(...numbers.map((number) => this.#slot(number))))
    this.#write(places.seed.value, littleEndian(seed, 8))
    this.#write(places.sixth.value, littleEndian((p - 1n) / 6n, 8 * words))
    if (isogeny) this.#write(places.isogeny.value, isogeny)
    if (isogeny2) this.#write(places.isogeny2.value, isogeny2)
    this.#write(places.quarter.value, littleEndian((p + 1n) / 4n, 8 * words))
    const [loopDigits, seedDigits] = [signedDigits(loop), signedDigits(seed)]
    this.#write(places.loopDigits.value, new Uint8Array(loopDigits.buffer))
    this.#write(places.seedDigits.value, new Uint8Array(seedDigits.buffer))
    this.#exports.setDigits(loopDigits.length, seedDigits.length)
    this.#exports.prepare()
  }

  #write(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at)
  }

  #writeWords(numbers: readonly bigint[], size: number): void {
    const at = this.#exports.scalars.value
    numbers.forEach((number, i) => this.#write(at + i * size, littleEndian(number, size)))
  }

  #slot(number: bigint): Uint8Array {
    const bytes = new Uint8Array(NUMBER_SLOT)
    bytes.set(padLeft(bigIntToBytes(number), 8 * this.#words))
    return bytes
  }

  #output(size: number): Uint8Array {
    const at = this.#exports.output.value
    return this.#bytes.slice(at, at + size)
  }

  /** Adds two points of the first group. @param input - Of the length of both. */
  addG1(input: Uint8Array): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, input)
    const outcome = this.#exports.addG1()
    return outcome === 0 ? this.#output(input.length / 2) : (OUTCOMES[outcome] as BadPoint)
  }

  /** Adds two points of the second curve. @param input - Of the length of both. */
  addG2(input: Uint8Array): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, input)
    const outcome = this.#exports.addG2()
    return outcome === 0 ? this.#output(input.length / 2) : (OUTCOMES[outcome] as BadPoint)
  }

  /** Begins a sum of multiples in a group of BLS12-381; only one is made at a time. */
  beginSum(group: 'G1' | 'G2'): void {
    this.#exports.beginSum(group === 'G2' ? 1 : 0)
  }

  /** Adds a point of the first group to the sum, times a scalar below the order. */
  addMultipleG1(point: Uint8Array, scalar: bigint): PointOutcome {
    const square = this.#seed * this.#seed
    this.#writeWords([scalar % square, scalar / square], 32)
    this.#write(this.#exports.input.value, point)
    return OUTCOMES[this.#exports.addMultipleG1()] as PointOutcome
  }

  /** Adds a point of the second group to the sum, times a scalar below the order. */
  addMultipleG2(point: Uint8Array, scalar: bigint): PointOutcome {
    const digits = []
    for (let i = 0, left = scalar; i < 4; i++, left /= this.#seed) digits.push(left % this.#seed)
    this.#writeWords(digits, 8)
    this.#write(this.#exports.input.value, point)
    return OUTCOMES[this.#exports.addMultipleG2()] as PointOutcome
  }

  finishSumG1(): Uint8Array {
    this.#exports.finishSumG1()
    return this.#output(16 * this.#words + 32)
  }

  finishSumG2(): Uint8Array {
    this.#exports.finishSumG2()
    return this.#output(32 * this.#words + 64)
  }

  /** The point of BLS12-381's first curve with an x, and the larger or the smaller of two y. */
  decompress(x: Uint8Array, isLarger: boolean): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, x)
    const outcome = this.#exports.decompress(isLarger ? 1 : 0)
    return outcome === 0 ? this.#output(16 * this.#words + 32) : (OUTCOMES[outcome] as BadPoint)
  }

  /** The point of BLS12-381's first group for an element of its field. @param element - 48 bytes. */
  mapG1(element: Uint8Array): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, element)
    const outcome = this.#exports.mapG1()
    return outcome === 0 ? this.#output(16 * this.#words + 32) : (OUTCOMES[outcome] as BadPoint)
  }

  /** The point of BLS12-381's second group for an element of the extension. @param element - As the precompile takes it. */
  mapG2(element: Uint8Array): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, element)
    const outcome = this.#exports.mapG2()
    return outcome === 0 ? this.#output(32 * this.#words + 64) : (OUTCOMES[outcome] as BadPoint)
  }

  /** A point of the first group, times k₀ + k₁λ, where λ is what β multiplies by; both are below 2^132. */
  multiplyG1(point: Uint8Array, k0: bigint, k1: bigint): Uint8Array | BadPoint {
    this.#write(this.#exports.input.value, point)
    this.#writeWords([absolute(k0), absolute(k1)], 32)
    const outcome = this.#exports.multiplyG1((k0 < 0n ? 1 : 0) + (k1 < 0n ? 2 : 0))
    return outcome === 0 ? this.#output(point.length) : (OUTCOMES[outcome] as BadPoint)
  }

  /** Begins a product of pairings; only one is made at a time. */
  beginPairings(): void {
    this.#exports.beginPairings()
  }

  /**
   * Takes a pair into the product.
   *
   * @param pair - A point of each group.
   * @param isChecked - Whether to check that they are in the subgroups.
   */
  addPair(pair: Uint8Array, isChecked = true): PointOutcome {
    this.#write(this.#exports.input.value, pair)
    return OUTCOMES[this.#exports.addPair(isChecked ? 1 : 0)] as PointOutcome
  }

  /** Whether as many pairs as may be have been taken in since they were last multiplied. */
  get isFull(): boolean {
    return this.#exports.pairsTaken() === this.#exports.MAX_PAIRS.value
  }

  multiplyPairings(): void {
    this.#exports.multiplyPairings()
  }

  isProductOne(): boolean {
    return this.#exports.isProductOne() !== 0
  }

  /** The inverse of a scalar modulo the order of the other curve's group. */
  invertScalar(scalar: bigint): bigint {
    const at = this.#exports.scalars.value
    this.#write(at, littleEndian(scalar, 32))
    this.#exports.invertP256Scalar()
    return bytesToBigInt(this.#bytes.slice(at, at + 32).reverse())
  }

  /**
   * Whether u₁G + u₂Q has one of some x.
   *
   * @param points - G and Q.
   * @param xs - One or two.
   */
  hasX(points: Uint8Array, u1: bigint, u2: bigint, xs: readonly bigint[]): boolean {
    this.#write(this.#exports.input.value, concatBytes(points, ...xs.map((x) => padLeft(bigIntToBytes(x), 32))))
    this.#writeWords([u1, u2], 32)
    return this.#exports.verifyP256(xs.length > 1 ? 1 : 0) !== 0
  }
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
