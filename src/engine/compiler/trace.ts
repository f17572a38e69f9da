/**
 * Compiles a path through translated code: from a block on, along the jumps that are known and the branches that are taken
 * most often, until it gets back or is long. Words are in locals; the stack in memory is only written where the path is left.
 * There the engine goes on, with the same gas as if it had interpreted the blocks. It is one class, and so a long file: each
 * kind of step may leave the path, and then needs the stack, the gas and the plan.
 */
import { CompiledFunction, NEXT, STOP_AT } from './function.ts'
import { functionNumber } from './imports.ts'
import { Instructions, type Places } from './instructions.ts'
import { OP, TYPE } from './opcodes.ts'
import { isChanged, Stack, type StackSnapshot } from './stack.ts'
import { CODESIZE, GAS, GAS_OF_PUSHING, PC, REFUSED, STEPS } from './steps.ts'
import {
  BLOCK,
  BRANCH_BYTES,
  COMPARISONS_FROM_JUMPS,
  INSTRUCTION_BYTES,
  KIND,
  type TranslatedCode,
} from './translated.ts'
import { constant, type Home, valueOf } from './word.ts'

/** What else is compiled along with a path. */
export interface Plan {
  /** The path may be left for a block. */
  reach(block: number): void
  /** A block that a loop begins with has its own function. */
  isLoop(block: number): boolean
  addLoop(block: number): void
}

/** A path ends at the next block after this many. */
const MAX_INSTRUCTIONS = 400
const MAX_BLOCKS = 64
/** Most bytes of WebAssembly: each exit writes what has changed on the stack. */
const MAX_BYTES = 12 * 1024
/** Bytes that the stack may grow by before the path ends. */
const MAX_GROWTH = 8 * 1024
/** Most words that a loop keeps in locals. */
const MAX_CARRIED = 16

/** The words on the stack that a loop reads or changes, by their places, and whether it changes them. */
type Carried = ReadonlyMap<number, boolean>

/** The body of a function, and whether it is a loop. */
export interface CompiledPath {
  readonly body: Uint8Array
  readonly isLoop: boolean
  /** Bytes that were written for it and dropped. */
  readonly dropped: number
}

/** Compiles the path from a block on. */
export function compilePath(code: TranslatedCode, plan: Plan, places: Places, block: number): CompiledPath {
  const path = new Path(code, plan, places, block)
  const carried = path.write()
  if (carried === undefined || carried.size === 0)
    return { body: path.body(), isLoop: carried !== undefined, dropped: path.dropped }
  // A loop: once more, now that it is known what it does with the stack.
  const loop = new Path(code, plan, places, block)
  loop.write(carried)
  return { body: loop.body(), isLoop: true, dropped: path.dropped + path.length + loop.dropped }
}

/** Gas that is taken at once, for blocks that are executed together, and given back if there is not enough. */
interface Charge {
  readonly at: readonly [take: number, giveBack: number]
  gas: number
}

interface Snapshot {
  readonly stack: StackSnapshot
  readonly length: number
  readonly charge: Charge | undefined
  readonly gas: number
  readonly locals: ReadonlyMap<number, number>
}

class Path {
  readonly #function = new CompiledFunction()
  readonly #stack = new Stack(this.#function)
  readonly #code: TranslatedCode
  readonly #plan: Plan
  readonly #scratch: number
  readonly #instructions: Instructions
  readonly #first: number
  #charge: Charge | undefined
  #count = 0
  /** Bytes that were written and dropped. */
  dropped = 0
  /** Snapshots from the beginnings of the path's blocks. */
  readonly #passed = new Map<string, Snapshot>()
  /** Depth of the loop, and the locals of the words that it keeps. */
  #depth = 0
  readonly #kept = new Map<number, readonly number[]>()
  #carried: Carried | undefined

  constructor(code: TranslatedCode, plan: Plan, places: Places, first: number) {
    this.#code = code
    this.#plan = plan
    this.#scratch = places.scratch
    this.#instructions = new Instructions(this.#function, code, this.#stack, places)
    this.#first = first
  }

  /**
   * @param carried - Words to keep in locals from one time to the next.
   * @returns Such words, if the path gets back to its beginning.
   */
  write(carried?: Carried): Carried | undefined {
    const fn = this.#function
    const [need, growth] = this.#checkStack()
    if (carried) this.#load(carried)
    fn.open(OP.loop)
    this.#depth = fn.depth
    let block: number | undefined = this.#first
    while (block !== undefined) block = this.#endsAt(block) ? undefined : this.#pass(block)
    fn.close()
    fn.code.patch(need, this.#stack.need)
    fn.code.patch(growth, this.#stack.growth)
    return this.#carried
  }

  body(): Uint8Array {
    return this.#function.body()
  }

  get length(): number {
    return this.#function.code.length
  }

  /** Leaves unless the path has enough words on the stack, and room. @returns Where both are to be written. */
  #checkStack(): readonly [need: number, growth: number] {
    const fn = this.#function
    const { code } = fn
    fn.pushHeight()
    code.byte(OP.i32Const)
    const need = code.padded()
    code.byte(OP.i32LtU)
    fn.pushRoom()
    code.byte(OP.i32Const)
    const growth = code.padded()
    code.byte(OP.i32LtU)
    code.byte(OP.i32Or)
    fn.open(OP.if)
    fn.leave(this.#code.u32(this.#first + BLOCK.offset), NEXT.step, 0)
    fn.close()
    return [need, growth]
  }

  /** Loads words before the loop. In memory, those that it changes become outdated. */
  #load(carried: Carried): void {
    const { code } = this.#function
    for (const [place, changes] of carried) {
      const home: Home = { kind: 'stack', place }
      const limbs = this.#instructions.calls.fourLocals()
      limbs.forEach((local, i) => {
        this.#stack.words.pushLimb({ limbs: [undefined, undefined, undefined, undefined], home }, i)
        code.set(local)
      })
      this.#kept.set(place, limbs)
      this.#stack.set(place, changes ? { limbs: [...limbs] } : { limbs: [...limbs], home })
    }
  }

  /** Gets back to the beginning, with the words there that it will find. */
  #repeat(): void {
    const fn = this.#function
    const carried: [place: number, changes: boolean][] = []
    for (const [place, word] of this.#stack.entries()) {
      const changes = isChanged(place, word)
      if (changes || word.limbs.some((limb) => limb !== undefined)) carried.push([place, changes])
    }
    this.#carried = new Map(carried.slice(0, MAX_CARRIED))
    const changed = this.#stack.flush(this.#kept)
    for (const [, word] of changed) for (let i = 0; i < 4; i++) this.#stack.words.pushLimb(word, i)
    for (const [place] of changed.toReversed()) {
      for (const local of (this.#kept.get(place) ?? []).toReversed()) fn.code.set(local)
    }
    fn.branch(OP.br, this.#depth)
  }

  /** Whether the path ends before a block: it is back at its beginning, or long. */
  #endsAt(block: number): boolean {
    const isBeginning = this.#passed.size === 0
    if (block === this.#first && this.#stack.shift === 0 && !isBeginning) {
      this.#repeat()
      return true
    }
    const state = `${block} ${this.#stack.returns((value) => this.#code.isDestination(value))}`
    const before = this.#passed.get(state)
    if (before && block !== this.#first) {
      this.#restore(before)
      this.#plan.addLoop(block)
      this.#enter(block)
      return true
    }
    if (!isBeginning && (this.#isLong || block === this.#first || this.#plan.isLoop(block))) {
      this.#enter(block)
      return true
    }
    const fn = this.#function
    this.#passed.set(state, {
      stack: this.#stack.snapshot(),
      length: fn.code.length,
      charge: this.#charge,
      gas: this.#charge?.gas ?? 0,
      locals: fn.locals.mark(),
    })
    return false
  }

  get #isLong(): boolean {
    return (
      this.#count > MAX_INSTRUCTIONS ||
      this.#passed.size > MAX_BLOCKS ||
      this.#function.code.length > MAX_BYTES ||
      this.#stack.shift < -MAX_GROWTH
    )
  }

  #restore({ stack, length, charge, gas, locals }: Snapshot): void {
    const fn = this.#function
    this.dropped += fn.code.length - length
    fn.code.truncate(length)
    fn.locals.reset(locals)
    this.#stack.restore(stack)
    this.#charge = charge
    if (charge) this.#setCharge(charge, gas)
  }

  /** @returns The next block of the path; `undefined` at its end. */
  #pass(block: number): number | undefined {
    const code = this.#code
    this.#stack.require(code.u16(block + BLOCK.need), code.u16(block + BLOCK.growth))
    this.#pay(code.u16(block + BLOCK.gas), code.u32(block + BLOCK.offset))
    let at = block + INSTRUCTION_BYTES
    for (; code.u16(at) > KIND.jumpIfNotEqual; at += INSTRUCTION_BYTES) {
      this.#count++
      this.#instructions.emit(at)
      // A hash may take long: the next block checks whether it is time to pause.
      if (code.u16(at) === KIND.keccak256) this.#charge = undefined
    }
    switch (code.u16(at)) {
      case KIND.leave:
        this.#stack.shift += code.i16(at + 2)
        return this.#leaveAt(code.u32(at + 4))
      case KIND.go:
        this.#stack.shift += code.i16(at + 2)
        return this.#goTo(code.u32(at + 4))
      case KIND.jump:
        return this.#jump(at)
      default:
        return this.#branch(at, code.runs(block))
    }
  }

  /** Takes gas. If too little is left, the interpreter goes on before the block. */
  #pay(gas: number, offset: number): void {
    const fn = this.#function
    const { code } = fn
    if (this.#charge) return this.#setCharge(this.#charge, this.#charge.gas + gas)
    code.get(fn.gas)
    code.byte(OP.i64Const)
    const take = code.padded()
    code.byte(OP.i64Sub)
    code.tee(fn.gas)
    code.get(STOP_AT)
    code.byte(OP.i64LtS)
    fn.open(OP.if)
    code.get(fn.gas)
    code.byte(OP.i64Const)
    const giveBack = code.padded()
    code.byte(OP.i64Add)
    code.set(fn.gas)
    this.#exit(offset, NEXT.step)
    fn.close()
    this.#charge = { at: [take, giveBack], gas }
    this.#setCharge(this.#charge, gas)
  }

  #setCharge(charge: Charge, gas: number): void {
    charge.gas = gas
    for (const at of charge.at) this.#function.code.patch(at, gas)
  }

  /** Leaves the function, with the stack in memory. */
  #exit(offset: number, next: number): void {
    this.#stack.flush()
    this.#function.leave(offset, next, this.#stack.shift)
  }

  /** Leaves it for a block. */
  #enter(block: number): void {
    this.#plan.reach(block)
    this.#exit(this.#code.u32(block + BLOCK.offset), NEXT.block)
  }

  #goTo(offset: number): number | undefined {
    const block = this.#code.blockAt(offset)
    if (block !== 0) return block
    if (this.#code.isEmptyAt(offset) && !this.#isLong) return this.#leaveAt(offset)
    this.#exit(offset, NEXT.block)
    return undefined
  }

  /** A step that no block has. */
  #leaveAt(offset: number): number | undefined {
    const opcode = this.#code.opcode(offset)
    const step = STEPS.get(opcode)
    if (step) this.#step(opcode, offset, ...step)
    else if (opcode === GAS || opcode === PC || opcode === CODESIZE) this.#pushNumber(opcode, offset)
    else {
      this.#exit(offset, NEXT.step)
      return undefined
    }
    this.#charge = undefined
    return this.#goTo(offset + 1)
  }

  /** Has the engine do a step; the interpreter does those that the engine refuses, and fails. */
  #step(opcode: number, offset: number, takes: number, leaves: boolean): void {
    const fn = this.#function
    const { code } = fn
    const stack = this.#stack
    const { calls } = this.#instructions
    stack.require(32 * takes, 32)
    this.#count++
    // After another step, or a hash, it may be time to pause.
    if (!this.#charge) this.#pay(0, offset)
    for (let i = 0; i < takes; i++) calls.write(stack.get(stack.shift + 32 * i), i)
    const left = fn.locals.take(TYPE.i64)
    code.i32(opcode)
    code.get(fn.gas)
    code.i32(this.#scratch)
    code.call(functionNumber('step'))
    code.tee(left)
    code.i64(0n)
    code.byte(OP.i64LtS)
    fn.open(OP.if)
    code.get(left)
    code.i64(REFUSED)
    code.byte(OP.i64Eq)
    fn.open(OP.if)
    this.#exit(offset, NEXT.step)
    fn.close()
    code.get(left)
    code.set(fn.gas)
    fn.out(OP.br)
    fn.close()
    code.get(left)
    code.set(fn.gas)
    stack.shift += 32 * (takes - (leaves ? 1 : 0))
    if (leaves) stack.set(stack.shift, calls.read(Math.max(0, takes - 1)))
  }

  /** A step that pushes what is known here, or the gas. */
  #pushNumber(opcode: number, offset: number): void {
    const fn = this.#function
    this.#stack.require(0, 32)
    this.#charge = undefined
    this.#pay(GAS_OF_PUSHING, offset)
    this.#stack.shift -= 32
    let word = constant(BigInt(opcode === PC ? offset : this.#code.size))
    if (opcode === GAS) {
      const local = fn.locals.take(TYPE.i64)
      fn.code.get(fn.gas)
      fn.code.set(local)
      word = { limbs: [local, 0n, 0n, 0n] }
    }
    this.#stack.set(this.#stack.shift, word)
  }

  /** A jump to a computed destination. */
  #jump(at: number): number | undefined {
    const stack = this.#stack
    const target = this.#instructions.operand(at + 4)
    stack.shift += this.#code.i16(at + 2)
    const known = valueOf(target)
    if (known !== undefined && known < BigInt(this.#code.size) && this.#code.isDestination(Number(known)))
      return this.#goTo(Number(known))
    // The words that are written to their places may be where the target is.
    stack.words.limbsOf(target)
    stack.flush()
    stack.store(target, stack.shift - 32)
    this.#function.leave(this.#code.u32(at + 8), NEXT.jump, stack.shift)
    return undefined
  }

  /** A conditional jump. @param runs - How often the block has run that ends with it. */
  #branch(at: number, runs: number): number | undefined {
    const code = this.#code
    const fn = this.#function
    const truth = this.#instructions.compare(code.u16(at) + COMPARISONS_FROM_JUMPS, at)
    this.#stack.shift += code.i16(at + 2)
    const target = code.u32(at + 12)
    const behind = at + BRANCH_BYTES
    if (typeof truth === 'boolean') return truth ? this.#goTo(target) : this.#goBehind(behind)
    const jumps = this.#isMostlyTaken(target, behind, runs)
    fn.code.get(truth)
    if (jumps) fn.code.byte(OP.i32Eqz)
    fn.open(OP.if)
    const other = jumps ? this.#blockBehind(behind) : code.blockAt(target)
    if (other !== 0) this.#enter(other)
    else if (jumps) this.#exit(code.u32(behind + 4), NEXT.step)
    else this.#exit(target, NEXT.block)
    fn.close()
    this.#charge = undefined
    return jumps ? this.#goTo(target) : this.#goBehind(behind)
  }

  #isMostlyTaken(target: number, behind: number, runs: number): boolean {
    const code = this.#code
    const following = this.#blockBehind(behind)
    if (following === 0) return code.blockAt(target) !== 0
    // Nothing else leads to a block there, unless it is a destination itself.
    const isOnlyWay = !code.isDestination(code.u32(following + BLOCK.offset))
    const taken = isOnlyWay ? runs - code.runs(following) : code.runs(code.blockAt(target))
    return taken > code.runs(following)
  }

  /** The block that follows a conditional jump; 0 where the interpreter follows. */
  #blockBehind(at: number): number {
    const kind = this.#code.u16(at)
    if (kind === KIND.go) return this.#code.blockAt(this.#code.u32(at + 4))
    return kind === KIND.leave ? 0 : at
  }

  #goBehind(at: number): number | undefined {
    const block = this.#blockBehind(at)
    if (block !== 0) return block
    const offset = this.#code.u32(at + 4)
    return this.#code.u16(at) === KIND.leave ? this.#leaveAt(offset) : this.#goTo(offset)
  }
}
