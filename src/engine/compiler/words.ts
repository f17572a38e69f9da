/** Emits the instructions that compute words from others. */
import { invariant } from '#primitives/invariant.ts'
import type { Assembler } from './assembler.ts'
import type { WasmLocals } from './locals.ts'
import { inlineProductByLimb } from './multiplications.ts'
import { OP, TYPE } from './opcodes.ts'
import { bitOf, constant, type Home, LIMB_BITS, type Limb, low, MOST, type Truth, valueOf, type Word } from './word.ts'

/** The compiled module's functions for products. */
export interface Multiplications {
  /** The upper half of a product of two limbs. */
  readonly high: number
  /** A word by a limb, and by a word: all limbs in, all limbs out. */
  readonly byLimb: number
  readonly byWord: number
}

/** Code that is longer calls functions for products, which take less of it. */
const SHORT_BYTES = 2048

/** Emits what computes words. Limbs that are known to be 0 take no instructions. */
export class Words {
  readonly code: Assembler
  readonly locals: WasmLocals
  readonly #multiplications: Multiplications
  readonly #loadLimb: (home: Home, limb: number) => void
  /** Limbs that were loaded, newest last: {@link undo} forgets them. */
  readonly #loaded: (readonly [word: Word, limb: number])[] = []

  /** @param loadLimb - Emits the load of one limb. */
  constructor(
    code: Assembler,
    locals: WasmLocals,
    multiplications: Multiplications,
    loadLimb: (home: Home, limb: number) => void,
  ) {
    this.code = code
    this.locals = locals
    this.#multiplications = multiplications
    this.#loadLimb = loadLimb
  }

  get loads(): number {
    return this.#loaded.length
  }

  undo(loads: number): void {
    for (const [word, limb] of this.#loaded.splice(loads)) word.limbs[limb] = undefined
  }

  /** A limb, in a local from here on. Not within a branch. */
  limb(word: Word, index: number): Limb {
    const known = word.limbs[index]
    if (known !== undefined) return known
    if (word.truth !== undefined && index > 0) return 0n
    this.pushLimb(word, index)
    const local = this.#keep()
    word.limbs[index] = local
    this.#loaded.push([word, index])
    return local
  }

  limbsOf(word: Word): Limb[] {
    return [0, 1, 2, 3].map((i) => this.limb(word, i))
  }

  /** Pushes a limb without keeping it. */
  pushLimb(word: Word, index: number): void {
    const { limbs, home, truth } = word
    const known = limbs[index]
    if (known !== undefined) return this.push(known)
    if (truth !== undefined) {
      if (index > 0) return this.code.i64(0n)
      this.code.get(truth)
      return this.code.byte(OP.i64ExtendI32u)
    }
    invariant(home, 'a word is neither computed nor in memory')
    this.#loadLimb(home, index)
  }

  push(limb: Limb): void {
    if (typeof limb === 'bigint') this.code.i64(limb)
    else this.code.get(limb)
  }

  /** What was pushed last, in a local of its own. */
  #keep(type: number = TYPE.i64): number {
    const local = this.locals.take(type)
    this.code.set(local)
    return local
  }

  /** Computes a limb or a truth from two limbs. */
  #compute(op: number, a: Limb, b: Limb, type: number = TYPE.i64): number {
    this.push(a)
    this.push(b)
    this.code.byte(op)
    return this.#keep(type)
  }

  /** Whether a comparison holds, as a limb. */
  #carry(a: Limb, b: Limb): number {
    this.push(a)
    this.push(b)
    this.code.byte(OP.i64LtU)
    this.code.byte(OP.i64ExtendI32u)
    return this.#keep()
  }

  ofTruth(truth: Truth): Word {
    return typeof truth === 'boolean' ? constant(truth ? 1n : 0n) : { limbs: [undefined, 0n, 0n, 0n], truth }
  }

  add(x: Word, y: Word): Word {
    return this.#limbByLimb(x, y, (a, b, carry, needsCarry) => this.#addLimbs(a, b, carry, needsCarry))
  }

  sub(x: Word, y: Word): Word {
    return this.#limbByLimb(x, y, (a, b, borrow, needsBorrow) => this.#subtractLimbs(a, b, borrow, needsBorrow))
  }

  /** From the lowest limbs up, with a carry from each to the next. */
  #limbByLimb(
    x: Word,
    y: Word,
    compute: (a: Limb, b: Limb, carry: Limb, needsCarry: boolean) => readonly [result: Limb, carry: Limb],
  ): Word {
    const a = this.limbsOf(x)
    const b = this.limbsOf(y)
    const limbs: Limb[] = []
    let carry: Limb = 0n
    for (let i = 0; i < 4; i++) {
      const [result, next] = compute(a[i] as Limb, b[i] as Limb, carry, i < 3)
      limbs.push(result)
      carry = next
    }
    return { limbs }
  }

  /** @returns The sum and the carry. */
  #addLimbs(a: Limb, b: Limb, carry: Limb, needsCarry: boolean): readonly [Limb, Limb] {
    if (typeof a === 'bigint' && typeof b === 'bigint') {
      const sum = a + b
      if (typeof carry === 'bigint') return [low(sum + carry), (sum + carry) >> LIMB_BITS]
      if (sum === 0n) return [carry, 0n]
      const total = this.#compute(OP.i64Add, low(sum), carry)
      return [total, low(sum) === MOST ? carry : sum >> LIMB_BITS]
    }
    if (a === 0n || b === 0n) {
      const other = a === 0n ? b : a
      if (carry === 0n) return [other, 0n]
      const sum = this.#compute(OP.i64Add, other, carry)
      return [sum, needsCarry ? this.#carry(sum, carry) : 0n]
    }
    const sum = this.#compute(OP.i64Add, a, b)
    const first = needsCarry ? this.#carry(sum, typeof a === 'number' ? a : b) : 0n
    if (carry === 0n) return [sum, first]
    const total = this.#compute(OP.i64Add, sum, carry)
    if (!needsCarry) return [total, 0n]
    return [total, this.#compute(OP.i64Or, first, this.#carry(total, carry))]
  }

  /** @returns The difference and the borrow. */
  #subtractLimbs(a: Limb, b: Limb, borrow: Limb, needsBorrow: boolean): readonly [Limb, Limb] {
    if (typeof a === 'bigint' && typeof b === 'bigint' && typeof borrow === 'bigint') {
      const difference = a - b - borrow
      return [low(difference), difference < 0n ? 1n : 0n]
    }
    if (borrow === 0n && b === 0n) return [a, 0n]
    if (borrow === 0n || b === 0n) {
      const other = b === 0n ? borrow : b
      const next = needsBorrow ? this.#carry(a, other) : 0n
      return [this.#compute(OP.i64Sub, a, other), next]
    }
    const first = this.#compute(OP.i64Sub, a, b)
    const rest = this.#compute(OP.i64Sub, first, borrow)
    if (!needsBorrow) return [rest, 0n]
    return [rest, this.#compute(OP.i64Or, this.#carry(a, b), this.#carry(first, borrow))]
  }

  mul(x: Word, y: Word): Word {
    const [a, b] = [valueOf(x), valueOf(y)]
    if (a !== undefined && b !== undefined) return constant(a * b)
    if (a !== undefined) return this.#multiply(y, x, a)
    return this.#multiply(x, y, b)
  }

  /** @param known - The value of `y`. */
  #multiply(x: Word, y: Word, known: bigint | undefined): Word {
    if (known !== undefined) {
      const bit = bitOf(known)
      if (bit !== undefined) return this.shl(bit, x)
      if (known === 0n) return constant(0n)
    }
    const a = this.limbsOf(x)
    const b = this.limbsOf(y)
    const { high, byLimb, byWord } = this.#multiplications
    const [left, right] = sizeOf(a) < sizeOf(b) ? [b, a] : [a, b]
    if (sizeOf(right) > 1) return this.#called(byWord, [...left, ...right])
    if (sizeOf(left) > 1 && this.code.length > SHORT_BYTES) return this.#called(byLimb, [...left, right[0] as Limb])
    if (sizeOf(left) > 1) {
      const locals = left.map((limb) => this.#localOf(limb))
      return { limbs: inlineProductByLimb(this.code, this.locals, locals, this.#localOf(right[0] as Limb)) }
    }
    const [l, r] = [left[0] as Limb, right[0] as Limb]
    const product = this.#compute(OP.i64Mul, l, r)
    this.push(l)
    this.push(r)
    this.code.call(high)
    return { limbs: [product, this.#keep(), 0n, 0n] }
  }

  #localOf(limb: Limb): number {
    if (typeof limb === 'number') return limb
    this.push(limb)
    return this.#keep()
  }

  /** Calls a function with a word as its result. */
  #called(index: number, operands: readonly Limb[]): Word {
    for (const limb of operands) this.push(limb)
    this.code.call(index)
    const limbs: Limb[] = [0n, 0n, 0n, 0n]
    for (let i = 3; i >= 0; i--) limbs[i] = this.#keep()
    return { limbs }
  }

  #bitwise(op: number, x: Word, y: Word, fold: (a: bigint, b: bigint) => bigint, zero: bigint, same: bigint): Word {
    const a = this.limbsOf(x)
    const b = this.limbsOf(y)
    return {
      limbs: a.map((left, i): Limb => {
        const right = b[i] as Limb
        if (typeof left === 'bigint' && typeof right === 'bigint') return fold(left, right)
        if (left === same) return right
        if (right === same) return left
        // Only where the operation has such a limb: 0 for AND, all bits for OR.
        if (zero >= 0n && (left === zero || right === zero)) return zero
        return this.#compute(op, left, right)
      }),
    }
  }

  and(x: Word, y: Word): Word {
    const truth = this.#bothTruths(OP.i32And, x, y)
    return truth ?? this.#bitwise(OP.i64And, x, y, (a, b) => a & b, 0n, MOST)
  }

  or(x: Word, y: Word): Word {
    const truth = this.#bothTruths(OP.i32Or, x, y)
    return truth ?? this.#bitwise(OP.i64Or, x, y, (a, b) => a | b, MOST, 0n)
  }

  #bothTruths(op: number, x: Word, y: Word): Word | undefined {
    if (x.truth === undefined || y.truth === undefined) return undefined
    this.code.get(x.truth)
    this.code.get(y.truth)
    this.code.byte(op)
    return this.ofTruth(this.#keep(TYPE.i32))
  }

  xor(x: Word, y: Word): Word {
    return this.#bitwise(OP.i64Xor, x, y, (a, b) => a ^ b, -1n, 0n)
  }

  not(x: Word): Word {
    return this.xor(x, constant(-1n))
  }

  /** A limb shifted by 1 to 63 bits. */
  #shifted(op: number, limb: Limb, bits: bigint): Limb {
    if (typeof limb === 'number') return this.#compute(op, limb, bits)
    if (op === OP.i64Shl) return low(limb << bits)
    return low((op === OP.i64ShrS ? BigInt.asIntN(64, limb) : limb) >> bits)
  }

  #either(a: Limb, b: Limb): Limb {
    if (a === 0n) return b
    if (b === 0n) return a
    return typeof a === 'bigint' && typeof b === 'bigint' ? a | b : this.#compute(OP.i64Or, a, b)
  }

  /** By a known number of bits, 256 at the most. */
  shl(shift: number, word: Word): Word {
    const [whole, bits] = [shift >> 6, BigInt(shift & 63)]
    const at = (i: number): Limb => (i < 0 ? 0n : this.limb(word, i))
    return {
      limbs: [0, 1, 2, 3].map((i): Limb => {
        const upper = at(i - whole)
        if (bits === 0n) return upper
        const lower = this.#shifted(OP.i64ShrU, at(i - whole - 1), LIMB_BITS - bits)
        return this.#either(this.#shifted(OP.i64Shl, upper, bits), lower)
      }),
    }
  }

  shr(shift: number, word: Word, isSigned: boolean): Word {
    const [whole, bits] = [shift >> 6, BigInt(shift & 63)]
    const fill = isSigned ? this.#shifted(OP.i64ShrS, this.limb(word, 3), 63n) : 0n
    const at = (i: number): Limb => (i > 3 ? fill : this.limb(word, i))
    return {
      limbs: [0, 1, 2, 3].map((i): Limb => {
        const lower = at(i + whole)
        if (bits === 0n) return lower
        const upper = this.#shifted(OP.i64Shl, at(i + whole + 1), LIMB_BITS - bits)
        return this.#either(this.#shifted(OP.i64ShrU, lower, bits), upper)
      }),
    }
  }

  less(x: Word, y: Word, isSigned: boolean): Truth {
    let less: Truth = false
    for (let i = 0; i < 4; i++) less = this.#lessLimb(this.limb(x, i), this.limb(y, i), less, isSigned && i === 3)
    return less
  }

  /** Whether a limb is less, or the same and all below it are less. */
  #lessLimb(a: Limb, b: Limb, below: Truth, isSigned: boolean): Truth {
    if (typeof a === 'bigint' && typeof b === 'bigint') {
      if (a === b) return below
      return isSigned ? BigInt.asIntN(64, a) < BigInt.asIntN(64, b) : a < b
    }
    if (typeof below === 'boolean') {
      if (!below && !isSigned && b === 0n) return false
      const op = below ? (isSigned ? OP.i64LeS : OP.i64LeU) : isSigned ? OP.i64LtS : OP.i64LtU
      return this.#compute(op, a, b, TYPE.i32)
    }
    this.code.get(below)
    if (!isSigned && b === 0n) {
      this.push(a)
      this.code.byte(OP.i64Eqz)
      this.code.byte(OP.i32And)
    } else if (!isSigned && a === 0n) {
      this.push(b)
      this.code.byte(OP.i64Eqz)
      this.code.byte(OP.i32Eqz)
      this.code.byte(OP.i32Or)
    } else {
      this.push(a)
      this.push(b)
      this.code.byte(isSigned ? OP.i64LtS : OP.i64LtU)
      this.push(a)
      this.push(b)
      this.code.byte(OP.i64Eq)
      this.code.byte(OP.select)
    }
    return this.#keep(TYPE.i32)
  }

  equal(x: Word, y: Word): Truth {
    if (x.truth !== undefined && valueOf(y) === 0n) return this.negated(x.truth)
    let difference: Limb = 0n
    for (let i = 0; i < 4; i++) {
      const [a, b] = [this.limb(x, i), this.limb(y, i)]
      if (typeof a === 'bigint' && typeof b === 'bigint') {
        if (a !== b) return false
      } else {
        const differs = b === 0n ? a : a === 0n ? b : this.#compute(OP.i64Xor, a, b)
        difference = this.#either(difference, differs)
      }
    }
    if (difference === 0n) return true
    this.push(difference)
    this.code.byte(OP.i64Eqz)
    return this.#keep(TYPE.i32)
  }

  isZero(x: Word): Truth {
    return this.equal(x, constant(0n))
  }

  negated(truth: Truth): Truth {
    if (typeof truth === 'boolean') return !truth
    this.code.get(truth)
    this.code.byte(OP.i32Eqz)
    return this.#keep(TYPE.i32)
  }

  /** All bits of some limbs together; 0 if they are 0. */
  joined(limbs: readonly Limb[]): Limb {
    return limbs.reduce((all, limb) => this.#either(all, limb), 0n)
  }
}

/** Limbs up to the highest that may not be 0. */
function sizeOf(limbs: readonly Limb[]): number {
  let size = 4
  while (size > 0 && limbs[size - 1] === 0n) size--
  return size
}
