import type { MappedCode } from '#solidity/code/source-map.ts'
import type { Place } from '#solidity/source/source-index.ts'
import type { FrameCode } from './traced-code.ts'

const JUMPDEST = 0x5b
const JUMP_OP = 0x56
const JUMPI_OP = 0x57
const PUSH0 = 0x5f
/** STOP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, 0xfe, 0xff])
/** Most rounds until nothing more is found: each goes once through the code. */
const ROUNDS = 64

/** Where a block can be entered from. */
interface Reference {
  /** Block that it stands in. */
  readonly from: number
  /** The instruction that pushes the block's offset; `undefined` if the block before it runs on into it. */
  readonly push: number | undefined
}

export const LOG: any[] = []
const MERGED = new WeakMap<MappedCode, Uint8Array>()

/**
 * For each instruction of optimised code, 1 if its place may be that of other code that does the same: of such blocks the
 * optimizer keeps one. Whoever led to a block that was left out now leads to the one that was kept, from a place that has
 * nothing to do with it. So a block is certain if each way into it comes from the construct that it belongs to (an `if` and
 * the code after it have the same place in the source map), or if there is only one; and if the code that these ways come
 * from is certain itself. Whole functions that became one are not counted: the caller tells which of them runs.
 */
export function mergedIn(code: FrameCode): Uint8Array {
  const { mapped } = code
  if (!mapped) return new Uint8Array(0)
  const known = MERGED.get(mapped)
  if (known) return known
  const made = findMerged(code, mapped)
  MERGED.set(mapped, made)
  return made
}

function findMerged(code: FrameCode, mapped: MappedCode): Uint8Array {
  const { ops } = mapped
  const { blockOf, starts } = blocksOf(mapped)
  const references = referencesOf(code.bytes, mapped, blockOf, starts)
  /** 1 if what runs there may be another's. */
  const isMerged = new Uint8Array(starts.length)
  starts.forEach((start, block) => {
    const into = references[block] ?? []
    if (into.length < 2) return
    const bad = into.filter(({ push }) => !(push === undefined || belongs(code, mapped, push, start)))
    if (bad.length > 0) { isMerged[block] = 1; LOG.push({ start, into, bad }) }
  })
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    changed = false
    references.forEach((into, block) => {
      if (isMerged[block] === 1 || !into.some(({ from }) => isMerged[from] === 1)) return
      isMerged[block] = 1
      changed = true
    })
  }
  const merged = new Uint8Array(ops.length)
  for (let i = 0; i < ops.length; i++) merged[i] = isMerged[blockOf[i] as number] as number
  return merged
}

/** Blocks begin at jump targets, and after each jump. */
function blocksOf({ ops }: MappedCode): { readonly blockOf: Int32Array; readonly starts: readonly number[] } {
  const blockOf = new Int32Array(ops.length)
  const starts: number[] = []
  for (let i = 0; i < ops.length; i++) {
    const before = ops[i - 1]
    if (before === undefined || ops[i] === JUMPDEST || before === JUMP_OP || before === JUMPI_OP || ENDS.has(before)) {
      starts.push(i)
    }
    blockOf[i] = starts.length - 1
  }
  return { blockOf, starts }
}

function referencesOf(
  bytes: Uint8Array,
  mapped: MappedCode,
  blockOf: Int32Array,
  starts: readonly number[],
): readonly (readonly Reference[])[] {
  const { ops, pcs, at } = mapped
  const references: Reference[][] = starts.map(() => [])
  starts.forEach((start, block) => {
    const before = ops[start - 1]
    if (before !== undefined && before !== JUMP_OP && !ENDS.has(before)) {
      references[block]?.push({ from: block - 1, push: undefined })
    }
  })
  const width = widthOfOffsets(bytes, mapped)
  ops.forEach((op, i) => {
    if (op !== PUSH0 + width) return
    const target = at[pushedAt(bytes, pcs[i] as number, width)] ?? -1
    if (target < 0 || ops[target] !== JUMPDEST) return
    references[blockOf[target] as number]?.push({ from: blockOf[i] as number, push: i })
  })
  return references
}

/** The assembler pushes all offsets with the same number of bytes; a number of another width is no offset. */
function widthOfOffsets(bytes: Uint8Array, { ops, pcs, at }: MappedCode): number {
  const counts = [0, 0, 0, 0]
  ops.forEach((op, i) => {
    const width = op - PUSH0
    if (width < 1 || width > 3 || (ops[i + 1] !== JUMP_OP && ops[i + 1] !== JUMPI_OP)) return
    if (ops[at[pushedAt(bytes, pcs[i] as number, width)] ?? -1] === JUMPDEST) counts[width] = (counts[width] ?? 0) + 1
  })
  return counts.indexOf(Math.max(...counts))
}

function pushedAt(bytes: Uint8Array, pc: number, width: number): number {
  let value = 0
  for (let byte = pc + 1; byte <= pc + width; byte++) value = value * 256 + (bytes[byte] ?? 0)
  return value
}

/** Whether the code that pushes a block's offset belongs to the same construct, or calls the function that begins there. */
function belongs(code: FrameCode, mapped: MappedCode, push: number, start: number): boolean {
  const { starts, lengths, files } = mapped
  const isSame = starts[push] === starts[start] && lengths[push] === lengths[start] && files[push] === files[start]
  if (isSame) return true
  const [from, to] = [code.placeOf(push), code.placeOf(start)]
  // Whether a function stands for another is another question: it is told by who calls it.
  if (to && !to.isInside) return true
  return Boolean(from && to && isEndOf(from, to))
}

/** Whether a place is the last in another, as that of a call is in an `if` that ends with it: both go on at the same point. */
function isEndOf({ source, start, end }: Place, last: Place): boolean {
  if (source !== last.source || last.start < start || last.end > end) return false
  return end - last.end <= END_LIMIT && /^[\s;}]*$/.test(source.text.slice(last.end, end))
}

/** Most characters from the end of a statement to that of the block that it ends. */
const END_LIMIT = 1_000
