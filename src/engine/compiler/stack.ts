/** The stack along a path: words that are not, or not only, in their places in memory. */
import { BIAS, type CompiledFunction, FRAME } from './function.ts'
import { OWN } from './imports.ts'
import { OP, TYPE } from './opcodes.ts'
import { type Home, type Limb, valueOf, type Word } from './word.ts'
import { Words } from './words.ts'

export interface StackSnapshot {
  readonly places: Map<number, Word>
  readonly shift: number
  readonly loads: number
}

/** Words by their places: bytes from the top of the stack at the beginning of the path, upwards below 0. */
export class Stack {
  readonly words: Words
  /** Bytes by which the top has moved: what is at lower places is not on the stack. */
  shift = 0
  /** Bytes that the path needs on the stack and above it. */
  need = 0
  growth = 0
  readonly #function: CompiledFunction
  #places = new Map<number, Word>()

  constructor(fn: CompiledFunction) {
    this.#function = fn
    this.words = new Words(fn.code, fn.locals, OWN, (home, limb) => this.#loadLimb(home, limb))
  }

  /** @param need - Bytes that must be on the stack from here. @param growth - Bytes by which it may grow. */
  require(need: number, growth: number): void {
    this.need = Math.max(this.need, need + this.shift)
    this.growth = Math.max(this.growth, growth - this.shift)
  }

  get(place: number): Word {
    let word = this.#places.get(place)
    if (!word) {
      word = { limbs: [undefined, undefined, undefined, undefined], home: { kind: 'stack', place } }
      this.#places.set(place, word)
    }
    return word
  }

  set(place: number, word: Word): void {
    this.#places.set(place, word)
  }

  /** The words on the stack that the path has read or written. */
  *entries(): Iterable<readonly [place: number, word: Word]> {
    for (const entry of this.#places) if (entry[0] >= this.shift) yield entry
  }

  /** Words that differ from what memory has in their places. */
  #changed(): Map<number, Word> {
    return new Map([...this.entries()].filter(([place, word]) => isChanged(place, word)))
  }

  snapshot(): StackSnapshot {
    return { places: new Map(this.#places), shift: this.shift, loads: this.words.loads }
  }

  restore({ places, shift, loads }: StackSnapshot): void {
    this.#places = places
    this.shift = shift
    this.words.undo(loads)
  }

  /**
   * Known words that `isAddress` takes for addresses to return to, as a key: a function that is called twice on the path is no
   * loop.
   */
  returns(isAddress: (value: number) => boolean): string {
    const found: string[] = []
    for (const [place, word] of this.entries()) {
      const value = valueOf(word)
      if (value !== undefined && value > 0n && value <= 0xff_ffffn && isAddress(Number(value)))
        found.push(`${place - this.shift}:${value}`)
    }
    return found.toSorted().join()
  }

  /**
   * Writes the words that have changed to their places.
   *
   * @param kept - Places that are not written to.
   * @returns The words that have changed there.
   */
  flush(kept?: ReadonlyMap<number, unknown>): (readonly [place: number, word: Word])[] {
    const fn = this.#function
    const mark = fn.locals.mark()
    const changed = this.#changed()
    // A word that lies where another one goes is loaded first.
    for (const [place, word] of changed) {
      const { home } = word
      if (home?.kind !== 'stack' || !changed.has(home.place)) continue
      const limbs = word.limbs.map((limb, i): Limb => {
        if (limb !== undefined) return limb
        this.words.pushLimb(word, i)
        const local = fn.locals.take(TYPE.i64)
        fn.code.set(local)
        return local
      })
      changed.set(place, { limbs })
    }
    const left: (readonly [place: number, word: Word])[] = []
    for (const [place, word] of changed) {
      if (kept?.has(place)) left.push([place, word])
      else this.store(word, place)
    }
    fn.locals.reset(mark)
    return left
  }

  /** Writes a word to a place in memory. */
  store(word: Word, place: number): void {
    const fn = this.#function
    for (let i = 0; i < 4; i++) {
      fn.code.get(fn.base)
      this.words.pushLimb(word, i)
      fn.code.memory(OP.i64Store, place + BIAS + 8 * i)
    }
  }

  #loadLimb(home: Home, limb: number): void {
    const { code, base } = this.#function
    if (home.kind === 'stack') {
      code.get(base)
      code.memory(OP.i64Load, home.place + BIAS + 8 * limb)
    } else if (home.kind === 'fixed') {
      code.i32(0)
      code.memory(OP.i64Load, home.address + 8 * limb)
    } else {
      code.get(FRAME)
      if (home.isPointer) code.memory(OP.i32Load, home.field)
      code.memory(OP.i64Load, (home.isPointer ? 0 : home.field) + 8 * limb)
    }
  }
}

/** Whether another word is in the place in memory. */
export function isChanged(place: number, { home }: Word): boolean {
  return home?.kind !== 'stack' || home.place !== place
}
