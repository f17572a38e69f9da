import type { Assembler } from './assembler.ts'

/** The locals of a function, which its parts use one after the other. */
export class WasmLocals {
  readonly #types: number[] = []
  /** The locals of each type, and how many of them are taken. */
  readonly #pools = new Map<number, number[]>()
  readonly #taken = new Map<number, number>()
  readonly #params: number

  constructor(params: number) {
    this.#params = params
  }

  take(type: number): number {
    const taken = this.#taken.get(type) ?? 0
    this.#taken.set(type, taken + 1)
    let pool = this.#pools.get(type)
    if (!pool) this.#pools.set(type, (pool = []))
    const known = pool[taken]
    if (known !== undefined) return known
    const local = this.#params + this.#types.push(type) - 1
    pool.push(local)
    return local
  }

  /** What is taken now. */
  mark(): ReadonlyMap<number, number> {
    return new Map(this.#taken)
  }

  /** Gives back what was taken since. */
  reset(mark: ReadonlyMap<number, number>): void {
    this.#taken.clear()
    for (const [type, taken] of mark) this.#taken.set(type, taken)
  }

  /** Writes the declarations, in runs of the same type. */
  declare(to: Assembler): void {
    const runs: [count: number, type: number][] = []
    for (const type of this.#types) {
      const last = runs.at(-1)
      if (last?.[1] === type) last[0]++
      else runs.push([1, type])
    }
    to.unsigned(runs.length)
    for (const [count, type] of runs) {
      to.unsigned(count)
      to.byte(type)
    }
  }
}
