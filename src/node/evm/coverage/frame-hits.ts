/** Frames deeper than this count in a map: they are many, and each runs little. */
const MAX_ARRAYS_DEPTH = 32
const MAX_COUNT = 0xffffffff

/** How often each step of a code ran in a frame, and in the frames of the same code that ended below it. */
export class FrameHits {
  readonly #jumps: Uint8Array
  /** By offset; `undefined` in a deep frame. */
  #counts: Uint32Array | undefined
  /** Offsets that ran. */
  readonly #touched: number[] = []
  readonly #sparse = new Map<number, number>()
  readonly #passed = new Map<number, number>()
  #last = -1

  readonly #spare: Uint32Array[]

  /**
   * @param code - 1 at each JUMPI of the code, 2 at one before a JUMPDEST; arrays of zeros to count in.
   * @param depth - Of its frame, from 1.
   */
  constructor({ jumps, spare }: { readonly jumps: Uint8Array; readonly spare: Uint32Array[] }, depth: number) {
    this.#jumps = jumps
    this.#spare = spare
    if (depth <= MAX_ARRAYS_DEPTH) this.#counts = spare.pop() ?? new Uint32Array(jumps.length)
  }

  /** @param pcs - Offsets, big-endian, 4 bytes each. */
  add(pcs: Uint8Array): void {
    const jumps = this.#jumps
    const counts = this.#counts
    const size = jumps.length
    let last = this.#last
    for (let at = 0; at < pcs.length; at += 4) {
      const pc = ((pcs[at + 1] as number) << 16) | ((pcs[at + 2] as number) << 8) | (pcs[at + 3] as number)
      if (last >= 0 && pc === last + 1 && jumps[last] === 2) this.#passed.set(last, (this.#passed.get(last) ?? 0) + 1)
      last = pc
      // Running past the end is a STOP that no code has.
      if (pc >= size) continue
      if (!counts) this.#sparse.set(pc, (this.#sparse.get(pc) ?? 0) + 1)
      else if ((counts[pc] as number)++ === 0) this.#touched.push(pc)
    }
    this.#last = last
  }

  /** The frame ends. @param isHalted - Its last step has failed; a JUMPI that did went nowhere. */
  end(isHalted: boolean): void {
    const last = this.#last
    this.#last = -1
    if (!isHalted || last < 0 || !this.#jumps[last]) return
    if (this.#counts) (this.#counts[last] as number)--
    else this.#sparse.set(last, (this.#sparse.get(last) ?? 1) - 1)
  }

  /** Adds another's, which is used up. */
  addAll(other: FrameHits): void {
    for (const [pc, count] of other.#all()) {
      const counts = this.#counts
      if (!counts) this.#sparse.set(pc, (this.#sparse.get(pc) ?? 0) + count)
      else {
        if (counts[pc] === 0) this.#touched.push(pc)
        counts[pc] = (counts[pc] as number) + count
      }
    }
    for (const [pc, count] of other.#passed) this.#passed.set(pc, (this.#passed.get(pc) ?? 0) + count)
    other.#giveBack()
  }

  /** Adds them to totals, and is used up. */
  addTo(totals: Uint32Array, passed: Map<number, number>): void {
    for (const [pc, count] of this.#all()) totals[pc] = Math.min(MAX_COUNT, (totals[pc] as number) + count)
    for (const [pc, count] of this.#passed) passed.set(pc, (passed.get(pc) ?? 0) + count)
    this.#giveBack()
  }

  #giveBack(): void {
    if (!this.#counts) return
    for (const pc of this.#touched) this.#counts[pc] = 0
    this.#spare.push(this.#counts)
    this.#counts = undefined
  }

  *#all(): Iterable<[number, number]> {
    const counts = this.#counts
    if (!counts) yield* this.#sparse
    else for (const pc of this.#touched) yield [pc, counts[pc] as number]
  }
}
