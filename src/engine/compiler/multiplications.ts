/** Products of words, for functions of the compiled module. Locals are numbered from the parameters on. */
import { Assembler } from './assembler.ts'
import { WasmLocals } from './locals.ts'
import { OP, TYPE } from './opcodes.ts'

const LOW = 0xffff_ffffn

interface Body {
  readonly code: Assembler
  readonly locals: WasmLocals
}

/** Calculates with limbs in locals. */
class Columns {
  readonly code: Assembler
  readonly locals: WasmLocals
  readonly #halves = new Map<number, readonly [low: number, high: number]>()

  constructor(code: Assembler, locals: WasmLocals) {
    this.code = code
    this.locals = locals
  }

  /** For a function. */
  static of(params: number): Columns {
    return new Columns(new Assembler(), new WasmLocals(params))
  }

  op(op: number, a: number, b: number | bigint): number {
    this.code.get(a)
    if (typeof b === 'bigint') this.code.i64(b)
    else this.code.get(b)
    this.code.byte(op)
    return this.keep()
  }

  keep(): number {
    const local = this.locals.take(TYPE.i64)
    this.code.set(local)
    return local
  }

  /** The upper half of the product of two limbs, from four products of their halves. Not within a branch. */
  high(a: number, b: number): number {
    const [aLow, aHigh] = this.#halvesOf(a)
    const [bLow, bHigh] = this.#halvesOf(b)
    const lowest = this.op(OP.i64ShrU, this.op(OP.i64Mul, aLow, bLow), 32n)
    const middle = this.op(OP.i64Add, this.op(OP.i64Mul, aHigh, bLow), lowest)
    const other = this.op(OP.i64Add, this.op(OP.i64Mul, aLow, bHigh), this.op(OP.i64And, middle, LOW))
    const upper = this.op(OP.i64Add, this.op(OP.i64Mul, aHigh, bHigh), this.op(OP.i64ShrU, middle, 32n))
    return this.op(OP.i64Add, upper, this.op(OP.i64ShrU, other, 32n))
  }

  #halvesOf(limb: number): readonly [low: number, high: number] {
    let halves = this.#halves.get(limb)
    if (!halves) this.#halves.set(limb, (halves = [this.op(OP.i64And, limb, LOW), this.op(OP.i64ShrU, limb, 32n)]))
    return halves
  }

  /** @returns The sum; adds the carry to `above`, if it is wanted. */
  sum(a: number, b: number, above?: number): readonly [sum: number, above: number] {
    const sum = this.op(OP.i64Add, a, b)
    if (above === undefined) return [sum, sum]
    this.code.get(sum)
    this.code.get(b)
    this.code.byte(OP.i64LtU)
    this.code.byte(OP.i64ExtendI32u)
    this.code.get(above)
    this.code.byte(OP.i64Add)
    return [sum, this.keep()]
  }

  /** Opens an `if` for limbs that are all 0, or all below 2^shift. */
  ifZero(limbs: readonly number[], shift: bigint): void {
    limbs.forEach((limb, i) => {
      this.code.get(limb)
      if (i > 0) this.code.byte(OP.i64Or)
    })
    if (shift > 0n) {
      this.code.i64(shift)
      this.code.byte(OP.i64ShrU)
    }
    this.code.byte(OP.i64Eqz)
    this.code.byte(OP.if)
    this.code.byte(TYPE.empty)
  }

  /** Returns these limbs, the others being 0, and ends what {@link ifZero} began. */
  returnEarly(limbs: readonly number[]): void {
    for (const limb of limbs) this.code.get(limb)
    for (let i = limbs.length; i < 4; i++) this.code.i64(0n)
    this.code.byte(RETURN)
    this.code.byte(OP.end)
  }
}

const RETURN = 0x0f

/** The upper half of the product of two limbs. */
export function highProduct(): Body {
  const c = Columns.of(2)
  c.code.get(c.high(0, 1))
  return c
}

/** Four limbs by one. @param high - The function {@link highProduct}. */
export function productByLimb(high: number): Body {
  const c = Columns.of(5)
  const b = 4
  const product = c.op(OP.i64Mul, 0, b)
  c.ifZero([1, 2, 3], 0n)
  c.ifZero([0, b], 32n)
  c.returnEarly([product])
  c.code.get(product)
  c.code.get(0)
  c.code.get(b)
  c.code.call(high)
  for (const _ of [2, 3]) c.code.i64(0n)
  c.code.byte(RETURN)
  c.code.byte(OP.end)
  for (const limb of byLimb(c, [0, 1, 2, 3], b, product)) c.code.get(limb)
  return c
}

/** A product where it is needed, for locals. @returns The locals of its limbs. */
export function inlineProductByLimb(code: Assembler, locals: WasmLocals, a: readonly number[], b: number): number[] {
  const c = new Columns(code, locals)
  return byLimb(c, a, b, c.op(OP.i64Mul, a[0] as number, b))
}

/** @param product - The lowest limb. */
function byLimb(c: Columns, [a0, a1, a2, a3]: readonly number[], b: number, product: number): number[] {
  const [r1, h1] = c.sum(c.op(OP.i64Mul, a1 as number, b), c.high(a0 as number, b), c.high(a1 as number, b))
  const [r2, h2] = c.sum(c.op(OP.i64Mul, a2 as number, b), h1, c.high(a2 as number, b))
  return [product, r1, r2, c.op(OP.i64Add, c.op(OP.i64Mul, a3 as number, b), h2)]
}

/** Four limbs by four, column by column; what is carried beyond the fourth is lost. */
export function productByWord(high: number): Body {
  const c = Columns.of(8)
  const product = c.op(OP.i64Mul, 0, 4)
  c.ifZero([1, 2, 3, 5, 6, 7], 0n)
  c.ifZero([0, 4], 32n)
  c.returnEarly([product])
  c.code.get(product)
  c.code.get(0)
  c.code.get(4)
  c.code.call(high)
  for (const _ of [2, 3]) c.code.i64(0n)
  c.code.byte(RETURN)
  c.code.byte(OP.end)
  let r1 = c.high(0, 4)
  let r2 = c.high(0, 5)
  ;[r1, r2] = c.sum(r1, c.op(OP.i64Mul, 0, 5), r2)
  let h = c.high(1, 4)
  ;[r1, h] = c.sum(r1, c.op(OP.i64Mul, 1, 4), h)
  // The highest column needs only the lower halves.
  let r3 = c.op(OP.i64Mul, 0, 7)
  for (const [a, b] of [
    [1, 6],
    [2, 5],
    [3, 4],
  ] as const)
    r3 = c.op(OP.i64Add, r3, c.op(OP.i64Mul, a, b))
  for (const [a, b] of [
    [0, 6],
    [1, 5],
    [2, 4],
  ] as const)
    r3 = c.op(OP.i64Add, r3, c.high(a, b))
  ;[r2, r3] = c.sum(r2, h, r3)
  for (const [a, b] of [
    [0, 6],
    [1, 5],
    [2, 4],
  ] as const)
    [r2, r3] = c.sum(r2, c.op(OP.i64Mul, a, b), r3)
  for (const limb of [product, r1, r2, r3]) c.code.get(limb)
  return c
}
