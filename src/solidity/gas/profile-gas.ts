import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { CodeIndex } from '#solidity/code/code-index.ts'
import { JUMP, type MappedCode } from '#solidity/code/source-map.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { abiSelector } from '#solidity/stack/failure.ts'
import { canRunIn } from '#solidity/stack/frame-entry.ts'
import { isLoop } from '#solidity/stack/internal-calls.ts'
import { createFrameCodes, type FrameCode } from '#solidity/stack/traced-code.ts'
import { type ParsedTrace, parseTrace } from '#solidity/trace/parsed-trace.ts'
import { type CodeLines, linesOf } from './code-lines.ts'
import { type FlameNode, GrowingNode } from './flame.ts'

/** Gas used by a source line. */
export interface GasLine {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Gas of the line's own opcodes and of the code that the compiler added for it. */
  readonly gas: number
  /** Gas of the frames that it entered. */
  readonly inner: number
  /** How often the line was reached. */
  readonly hits: number
}

/** Gas used by a function, over all its calls. */
export interface GasFunction {
  readonly name: string
  readonly runs: number
  /** Gas without the functions and frames that it called. */
  readonly self: number
  /** Gas with them; a recursion counts once. */
  readonly total: number
}

/** Where the gas of a transaction went. */
export interface GasProfile {
  /** As in the receipt, and exactly the total of the flame graph. */
  readonly gasUsed: number
  readonly flame: FlameNode
  /** Most expensive first. */
  readonly functions: readonly GasFunction[]
  /** By file and line. */
  readonly lines: readonly GasLine[]
  /** Gas of opcodes without a line: dispatch, unknown code, code deposits. Together with `lines` it is the gas of all frames. */
  readonly elsewhere: number
  /** Whether any code was optimised: lines may then share code, and its gas. */
  readonly isApproximate: boolean
}

/**
 * Counts the gas of a transaction by line, by function and by call.
 *
 * @param index - Code of all known builds.
 * @throws {TraceError} If the trace is inconsistent.
 */
export function profileGas(trace: RpcExecutionTrace, index: CodeIndex): GasProfile {
  const parsed = parseTrace(trace)
  const counter = new GasCounter(parsed, createFrameCodes(parsed, index))
  const root = new GrowingNode('transaction', 'transaction')
  root.runs = 1
  counter.count(root)
  addPart(root, 'intrinsic', Number(trace.intrinsicGas))
  addPart(root, 'floor', Number(trace.floorGas))
  addPart(root, 'refund', -Number(trace.refund))
  const flame = root.finish()
  return { gasUsed: Number(trace.gasUsed), flame, functions: functionsOf(flame), ...counter.lines() }
}

function addPart(root: GrowingNode, kind: 'intrinsic' | 'floor' | 'refund', gas: number): void {
  if (gas === 0) return
  const node = root.child(kind, kind)
  node.runs = 1
  node.self = gas
}

/** An internal call that has not returned. */
interface Level {
  readonly node: GrowingNode
  /** Instruction of the call; it returns to the next one. */
  readonly site: number
  /** Line that generated code was called from; −1 in a function of the sources. */
  readonly line: number
  /** Whether it is a function of the sources. */
  readonly isFunction: boolean
}

interface LineCount {
  gas: number
  inner: number
  hits: number
}

class GasCounter {
  readonly #parsed: ParsedTrace
  readonly #codeOf: (frame: number) => FrameCode | undefined
  readonly #files = new Map<string, Map<number, LineCount>>()
  #elsewhere = 0
  #isApproximate = false

  constructor(parsed: ParsedTrace, codeOf: (frame: number) => FrameCode | undefined) {
    this.#parsed = parsed
    this.#codeOf = codeOf
  }

  count(root: GrowingNode): void {
    this.#frame(0, root)
  }

  lines(): Pick<GasProfile, 'lines' | 'elsewhere' | 'isApproximate'> {
    const lines = [...this.#files].flatMap(([file, counts]) =>
      [...counts].map(([line, count]) => ({ file, line, ...count })).toSorted((a, b) => a.line - b.line),
    )
    return { lines, elsewhere: this.#elsewhere, isApproximate: this.#isApproximate }
  }

  /** Recursive, but at most 1,025 deep, as calls are. */
  #frame(frame: number, outer: GrowingNode): void {
    const { pcs, gas, children, trace } = this.#parsed
    const of = trace.frames[frame] as RpcExecutionFrame
    const code = this.#codeOf(frame)
    const top = outer.child('frame', nameOf(of, code))
    top.runs++
    const inner = children[frame] ?? []
    const innerGas = inner.reduce((sum, child) => sum + Number(trace.frames[child]?.gasUsed ?? 0), 0)
    let left = Number(of.gasUsed) - innerGas
    const lines = code?.mapped && linesOf(code)
    if (code?.isOptimized && lines) this.#isApproximate = true
    const canRun = canRunIn(of, code)
    const levels: Level[] = []
    let node = top
    let previous: LineCount | undefined
    let jump: { site: number; kind: number } | undefined
    let next = 0
    const end = Number(of.gas) - Number(of.gasUsed)
    const segments = this.#parsed.segmentsOf(frame)
    for (let s = 0; s < segments.length; s++) {
      const { start, end: stop } = segments[s] as (typeof segments)[number]
      for (let step = start; step < stop; step++) {
        const instruction = code?.mapped?.at[pcs[step] as number] ?? -1
        if (jump && code?.mapped && lines) {
          follow(
            levels,
            jump,
            instruction,
            { lines, mapped: code.mapped, isOther: (at) => isOtherAt(code, at, canRun) },
            node,
          )
          node = levels.at(-1)?.node ?? top
        }
        jump = undefined
        const isLast = step === stop - 1
        const after = isLast ? segments[s + 1]?.start : step + 1
        let cost = (gas[step] as number) - (after === undefined ? end : (gas[after] as number))
        const place = lineAt(lines, instruction, levels)
        let began = 0
        if (isLast) {
          for (; next < inner.length; next++) {
            const child = inner[next] as number
            const { firstStep = 0, gasUsed } = trace.frames[child] ?? {}
            if (firstStep > (after ?? of.endStep)) break
            began += Number(gasUsed)
            this.#frame(child, node)
          }
        }
        // The trace caps gas at 32 bits, so a difference may be too small; the rest is added below.
        cost = Math.max(0, Math.min(left, cost - began))
        left -= cost
        node.self += cost
        previous = this.#put(lines, place, cost, began, previous)
        const op = code?.mapped?.ops[instruction]
        if (op === 0x56 || op === 0x57)
          jump = { site: instruction, kind: code?.mapped?.jumps[instruction] ?? JUMP.none }
      }
    }
    for (const child of inner.slice(next)) this.#frame(child, node)
    top.self += left
    this.#elsewhere += left
  }

  #put(
    lines: CodeLines | undefined,
    place: number,
    cost: number,
    began: number,
    previous: LineCount | undefined,
  ): LineCount | undefined {
    if (!lines || place < 0) {
      this.#elsewhere += cost
      return undefined
    }
    const file = lines.files[lines.fileOf[place] as number] as string
    const line = lines.numberOf[place] as number
    let counts = this.#files.get(file)
    if (!counts) this.#files.set(file, (counts = new Map<number, LineCount>()))
    let count = counts.get(line)
    if (!count) counts.set(line, (count = { gas: 0, inner: 0, hits: 0 }))
    count.gas += cost
    count.inner += began
    if (count !== previous) count.hits++
    return count
  }
}

/** Index of an instruction's line; in generated code, of the line that it was called from. */
function lineAt(lines: CodeLines | undefined, instruction: number, levels: readonly Level[]): number {
  const own = lines?.lineOf[instruction] ?? -1
  return own >= 0 ? own : (levels.at(-1)?.line ?? -1)
}

/** The code that is followed. */
interface Followed {
  readonly lines: CodeLines
  readonly mapped: MappedCode
  /** Whether the function that begins at an instruction cannot run in this frame. */
  readonly isOther: (instruction: number) => boolean
}

function isOtherAt(code: FrameCode, instruction: number, canRun: (callable: Callable) => boolean): boolean {
  const callable = code.placeOf(instruction)?.callable
  return callable !== undefined && !canRun(callable)
}

/** Follows a jump into a function or out of one. */
function follow(
  levels: Level[],
  { site, kind }: { site: number; kind: number },
  landing: number,
  { lines, mapped, isOther }: Followed,
  node: GrowingNode,
): void {
  const named = lines.entries.get(landing)
  const isCall = named !== undefined && landing !== site + 1 && !isLoop(mapped, site, landing)
  if (kind === JUMP.into || isCall) {
    if (levels.length >= LEVEL_LIMIT) return
    const below = levels.at(-1)?.line ?? -1
    const own = lines.lineOf[site] ?? -1
    // Code of a function that cannot run here does the same as one whose name is not known, so its gas stays with the caller.
    const name = named !== undefined && isOther(landing) ? undefined : named
    // A frame is named after the function that it begins with.
    const isEntry = node.kind === 'frame' && node.name === name && !levels.some(({ isFunction }) => isFunction)
    const inside = name === undefined || isEntry ? node : node.child('function', name)
    if (inside !== node) inside.runs++
    const line = name === undefined ? (own >= 0 ? own : below) : -1
    levels.push({ node: inside, site, line, isFunction: name !== undefined })
  } else if (kind === JUMP.out) {
    const at = levels.findLastIndex((level) => level.site === landing - 1)
    if (at >= 0) levels.length = at
    else levels.pop()
  }
}

/** Deepest stack of internal calls: each takes at least one of the stack's 1,024 words. */
const LEVEL_LIMIT = 1_024

function nameOf({ type, input, codeAddress }: RpcExecutionFrame, code: FrameCode | undefined): string {
  const contract = code?.recognised?.contract
  if (!contract) return codeAddress
  if (type.startsWith('CREATE')) return `new ${contract.name}`
  const selector = input.slice(0, 10).toLowerCase()
  const called = contract.abi.find((entry) => entry.type === 'function' && abiSelector(entry) === selector)
  return `${contract.name}.${called?.name ?? (input === '0x' ? 'receive' : 'fallback')}`
}

/** Sums up the nodes of each name. A node inside one of the same name is already part of that one's total. */
function functionsOf(flame: FlameNode): GasFunction[] {
  const all = new Map<string, { runs: number; self: number; total: number }>()
  const visit = (node: FlameNode, around: ReadonlySet<string>) => {
    let inside = around
    if (node.kind === 'frame' || node.kind === 'function') {
      const sum = all.get(node.name) ?? { runs: 0, self: 0, total: 0 }
      all.set(node.name, sum)
      sum.runs += node.runs
      sum.self += node.self
      if (!around.has(node.name)) {
        sum.total += node.total
        inside = new Set([...around, node.name])
      }
    }
    for (const child of node.children) visit(child, inside)
  }
  visit(flame, new Set())
  return [...all].map(([name, sum]) => ({ name, ...sum })).toSorted((a, b) => b.total - a.total)
}
