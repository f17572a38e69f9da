import type { Code } from '#solidity/build/build.ts'

/** The kind of a jump, from the source map. */
export const JUMP = { none: 0, into: 1, out: 2 } as const

/** The instructions of code, with the place of each in the sources. */
export interface MappedCode {
  /** Opcode of each instruction. */
  readonly ops: Uint8Array
  /** Offset of each instruction. */
  readonly pcs: Int32Array
  /** Instruction at each offset; −1 inside a PUSH. */
  readonly at: Int32Array
  /** Start of the place in the source, in bytes of UTF-8. */
  readonly starts: Int32Array
  readonly lengths: Int32Array
  /** Index of the source; −1 for generated code. */
  readonly files: Int32Array
  /** A value of {@link JUMP}. */
  readonly jumps: Uint8Array
}

const JUMP_LETTERS: Readonly<Record<string, number>> = { i: JUMP.into, o: JUMP.out, '-': JUMP.none }

const MAPPED = new WeakMap<Code, MappedCode>()

/** Reads code and its source map. Cached as long as the code lives. */
export function mapCode(code: Code): MappedCode {
  const known = MAPPED.get(code)
  if (known) return known
  const mapped = readMap(code.sourceMap, readInstructions(code.bytes))
  MAPPED.set(code, mapped)
  return mapped
}

interface Instructions {
  readonly ops: Uint8Array
  readonly pcs: Int32Array
  readonly at: Int32Array
}

/** Splits code into instructions; the operands of PUSH1 (0x60) to PUSH32 (0x7f) belong to theirs. */
export function readInstructions(bytes: Uint8Array): Instructions {
  const at = new Int32Array(bytes.length).fill(-1)
  let count = 0
  for (let pc = 0; pc < bytes.length; pc++) {
    const op = bytes[pc] as number
    at[pc] = count++
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f
  }
  const ops = new Uint8Array(count)
  const pcs = new Int32Array(count)
  for (let pc = 0; pc < bytes.length; pc++) {
    const index = at[pc] as number
    if (index < 0) continue
    ops[index] = bytes[pc] as number
    pcs[index] = pc
  }
  return { ops, pcs, at }
}

/**
 * Reads `start:length:file:jump:modifierDepth;…`. A field that is left out is that of the entry before.
 *
 * @see {@link https://docs.soliditylang.org/en/latest/internals/source_mappings.html | Source mappings}
 */
function readMap(map: string, { ops, pcs, at }: Instructions): MappedCode {
  const count = ops.length
  const starts = new Int32Array(count)
  const lengths = new Int32Array(count)
  const files = new Int32Array(count).fill(-1)
  const jumps = new Uint8Array(count)
  let start = 0
  let length = 0
  let file = -1
  let jump = 0
  let position = 0
  for (let index = 0; index < count && position < map.length; index++) {
    let end = map.indexOf(';', position)
    if (end < 0) end = map.length
    if (end > position) {
      const [s, l, f, j] = map.slice(position, end).split(':', 4)
      if (s) start = whole(s)
      if (l) length = whole(l)
      if (f) file = whole(f)
      if (j) jump = JUMP_LETTERS[j] ?? JUMP.none
    }
    starts[index] = start
    lengths[index] = length
    files[index] = start < 0 || length < 0 ? -1 : file
    jumps[index] = jump
    position = end + 1
  }
  return { ops, pcs, at, starts, lengths, files, jumps }
}

function whole(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) ? number : -1
}
