import { JUMP, type MappedCode } from '#solidity/code/source-map.ts'
import type { CallGraph } from '#solidity/source/call-graph.ts'
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

const MERGED = new WeakMap<MappedCode, Uint8Array>()

/**
 * For each instruction of optimised code, 1 if its place may be that of other code that does the same: of such blocks the
 * optimizer keeps one. Whoever led to a block that was left out now leads to the one that was kept, from a place that has
 * nothing to do with it. So a block is certain if each way into it comes from the construct that it belongs to (an `if` and
 * the code after it have the same place in the source map), from a call of this function, or if there is only one; and if
 * the code that these ways come from is certain itself.
 */
export function mergedIn(code: FrameCode, graph: CallGraph | undefined): Uint8Array {
  const { mapped } = code
  if (!mapped) return new Uint8Array(0)
  const known = MERGED.get(mapped)
  if (known) return known
  const made = findMerged(code, mapped, graph)
  MERGED.set(mapped, made)
  return made
}

function findMerged(code: FrameCode, mapped: MappedCode, graph: CallGraph | undefined): Uint8Array {
  const { ops } = mapped
  const { blockOf, starts } = blocksOf(mapped)
  const references = referencesOf(code.bytes, mapped, blockOf, starts)
  /** 1 if what runs there may be another's. */
  const isMerged = new Uint8Array(starts.length)
  starts.forEach((start, block) => {
    const into = references[block] ?? []
    if (into.length < 2) return
    if (!into.every(({ push }) => push === undefined || belongs(code, mapped, push, start, graph))) isMerged[block] = 1
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
  { ops, pcs, at }: MappedCode,
  blockOf: Int32Array,
  starts: readonly number[],
): readonly (readonly Reference[])[] {
  const references: Reference[][] = starts.map(() => [])
  starts.forEach((start, block) => {
    const before = ops[start - 1]
    if (before !== undefined && before !== JUMP_OP && !ENDS.has(before)) {
      references[block]?.push({ from: block - 1, push: undefined })
    }
  })
  // The assembler pushes all offsets with the same width; a number of another width is no offset.
  const width = bytes.length < 0x100 ? 1 : bytes.length < 0x10000 ? 2 : 3
  ops.forEach((op, i) => {
    if (op !== PUSH0 + width) return
    const pc = pcs[i] as number
    let value = 0
    for (let byte = pc + 1; byte <= pc + width; byte++) value = value * 256 + (bytes[byte] ?? 0)
    const target = at[value] ?? -1
    if (target < 0 || ops[target] !== JUMPDEST) return
    references[blockOf[target] as number]?.push({ from: blockOf[i] as number, push: i })
  })
  return references
}

/** Whether the code that pushes a block's offset belongs to the same construct, or calls the function that begins there. */
function belongs(
  code: FrameCode,
  mapped: MappedCode,
  push: number,
  start: number,
  graph: CallGraph | undefined,
): boolean {
  const { starts, lengths, files, jumps } = mapped
  const isSame = starts[push] === starts[start] && lengths[push] === lengths[start] && files[push] === files[start]
  if (isSame) return true
  const [from, to] = [code.placeOf(push), code.placeOf(start)]
  if (!to?.callable || to.isInside) return false
  // A `return` leads to the end of its function.
  if (from?.callable === to.callable && jumps[push + 1] !== JUMP.into) return true
  return from !== undefined && isCallOf(from, to, graph)
}

/** Whether a place calls the function at another, as far as its text tells. */
function isCallOf(from: Place, to: Place, graph: CallGraph | undefined): boolean {
  const { callable } = to
  if (!callable) return false
  if (from.callable && graph) {
    const calls = graph.callsBetween(from.callable, callable)
    return calls.some(({ start, end }) => start <= from.start && end >= from.end)
  }
  const text = from.source.text.slice(from.start, from.end)
  return /^(?:[\w$]+\s*\.\s*)*([\w$]+)\s*(?:\(|$)/.exec(text)?.[1] === callable.name
}
