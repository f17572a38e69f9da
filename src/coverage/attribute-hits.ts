import { type MappedCode, mapCode } from '#solidity/code/source-map.ts'
import { innermost, type SourceRange } from '#solidity/source/outline.ts'
import type { CodeHits } from './code-hits.ts'
import type { BranchItem, SourceItems, StatementItem } from './source-items.ts'

/** How often something was executed. */
export interface Hits {
  /** In frames whose effects were kept, and in all. */
  kept: number
  all: number
}

/** How often each item of a source was executed. */
export interface ItemHits {
  /** `undefined` where no instruction of executed code tells. */
  readonly statements: (Hits | undefined)[]
  readonly functions: Hits[]
  /** The condition held, and it did not; `undefined` where the code does not tell. */
  readonly branches: ([number, number] | undefined)[]
  /** Whether instructions of the function were found in executed code. */
  readonly isCompiled: boolean[]
}

const OP = { JUMP: 0x56, JUMPI: 0x57, JUMPDEST: 0x5b, REVERT: 0xfd, INVALID: 0xfe, PUSH1: 0x60, PUSH32: 0x7f } as const

export function noHits({ statements, functions, branches }: SourceItems): ItemHits {
  return {
    statements: statements.map(() => undefined),
    functions: functions.map(() => ({ kept: 0, all: 0 })),
    branches: branches.map(() => undefined),
    isCompiled: functions.map(() => false),
  }
}

/** A source of a build, with what is counted of it. */
export interface CountedSource {
  readonly items: SourceItems
  readonly hits: ItemHits
  /** A statement's text without its names and numbers. */
  readonly shapeOf: (statement: StatementItem) => string
}

/**
 * Adds what one code has executed to the items of its sources.
 *
 * @param sourceOf - By index in source maps.
 */
export function addCode(code: CodeHits, sourceOf: (id: number) => CountedSource | undefined): void {
  const { build, contract, code: compiled } = code.recognised
  if (compiled.sourceMap === '') return
  const mapped = mapCode(compiled)
  const byFile = new Map<number, number[]>()
  mapped.files.forEach((file, index) => {
    if (file < 0) return
    const others = byFile.get(file)
    if (others) others.push(index)
    else byFile.set(file, [index])
  })
  const { optimizer, viaIR } = build.settings
  const sources = [...byFile].flatMap(([file, instructions]) => {
    const source = sourceOf(file)
    if (!source) return []
    const own = new SourceCode(code, mapped, instructions)
    return { source, own, found: statementsIn(source, own) }
  })
  const lacking = optimizer || viaIR ? shapesLacking(sources, contract.name) : undefined
  for (const { source, own, found } of sources) {
    addStatements(source, found, lacking)
    addFunctions(source, own)
    // The optimiser by way of Yul moves jumps away from what they decide.
    if (!viaIR) addBranches(source, own, optimizer)
  }
}

/** The instructions of one code that come from one source. */
class SourceCode {
  readonly #code: CodeHits
  readonly #mapped: MappedCode
  readonly instructions: readonly number[]

  constructor(code: CodeHits, mapped: MappedCode, instructions: readonly number[]) {
    this.#code = code
    this.#mapped = mapped
    this.instructions = instructions
  }

  rangeOf(instruction: number): SourceRange {
    const start = this.#mapped.starts[instruction] as number
    return { start, end: start + (this.#mapped.lengths[instruction] as number) }
  }

  hitsOf(instruction: number): Hits {
    const pc = this.#mapped.pcs[instruction] as number
    const kept = this.#code.kept[pc] as number
    return { kept, all: kept + (this.#code.undone[pc] as number) }
  }

  opOf(instruction: number): number | undefined {
    return this.#mapped.ops[instruction]
  }

  /** How often a JUMPI has not jumped. */
  passedAt(instruction: number): number {
    if (this.opOf(instruction + 1) !== OP.JUMPDEST) return this.#has(instruction + 1) ? this.hitsOf(instruction + 1).all : 0
    return this.#code.passed.get(this.#mapped.pcs[instruction] as number) ?? 0
  }

  #has(instruction: number): boolean {
    return instruction < this.#mapped.ops.length
  }

  /** Where a JUMPI jumps to, if the instruction before it says so. */
  targetOf(instruction: number): number | undefined {
    const { ops, pcs, at } = this.#mapped
    const op = ops[instruction - 1] ?? 0
    if (op < OP.PUSH1 || op > OP.PUSH32) return undefined
    const { bytes } = this.#code.recognised.code
    let target = 0
    for (let pc = (pcs[instruction - 1] as number) + 1; pc < (pcs[instruction] as number); pc++) {
      target = target * 256 + (bytes[pc] as number)
    }
    const found = at[target] ?? -1
    return found < 0 ? undefined : found
  }

  isFrom(instruction: number): boolean {
    return this.#mapped.files[instruction] === this.#mapped.files[this.instructions[0] as number]
  }
}

/**
 * A statement ran as often as its first instruction, summed over the copies that the compiler has made of it: modifiers stand
 * in each function that has them. Between two copies there is another statement.
 */
function statementsIn({ items }: CountedSource, code: SourceCode): Map<StatementItem, Hits> {
  const found = new Map<StatementItem, Hits>()
  let current: StatementItem | undefined
  let first: Hits = { kept: 0, all: 0 }
  let most = first
  const end = () => {
    if (!current) return
    const counted = first.all > 0 ? first : most
    const known = found.get(current)
    if (known) add(known, counted)
    else found.set(current, { ...counted })
  }
  for (const instruction of code.instructions) {
    const { start, end: to } = code.rangeOf(instruction)
    const statement = innermost(items.statements, start, to)
    if (!statement) continue
    const counted = code.hitsOf(instruction)
    if (statement !== current) {
      end()
      current = statement
      first = counted
      most = counted
    } else if (counted.all > most.all) most = counted
  }
  end()
  return found
}

function addStatements(
  { items, hits, shapeOf }: CountedSource,
  found: ReadonlyMap<StatementItem, Hits>,
  lacking: ReadonlySet<string> | undefined,
): void {
  items.statements.forEach((statement, index) => {
    const counted = found.get(statement)
    if (!counted) return
    hits.isCompiled[statement.owner] = true
    // Which of those that do the same has run, the code does not tell; that none has, it does.
    if (counted.all > 0 && lacking?.has(shapeOf(statement))) return
    const known = hits.statements[index]
    if (known) add(known, counted)
    else hits.statements[index] = { ...counted }
  })
}

/**
 * Shapes of statements that a contract has, and for which its optimised code has no instructions of their own: they may have
 * been merged with others of the same shape.
 */
function shapesLacking(
  sources: readonly { readonly source: CountedSource; readonly found: ReadonlyMap<StatementItem, Hits> }[],
  contract: string,
): ReadonlySet<string> {
  const bases = new Set<number>()
  for (const { source } of sources) {
    for (const { name, bases: ids } of source.items.contracts) if (name === contract) for (const id of ids) bases.add(id)
  }
  const shapes = new Set<string>()
  for (const { source, found } of sources) {
    const { items, shapeOf } = source
    for (const statement of items.statements) {
      const holder = items.functions[statement.owner]?.contract
      if (!found.has(statement) && (holder === undefined || bases.has(holder))) shapes.add(shapeOf(statement))
    }
  }
  return shapes
}

function add(to: Hits, { kept, all }: Hits): void {
  to.kept += kept
  to.all += all
}

/** A function ran as often as the code that has its whole place; without any, as its first statement. */
function addFunctions({ items, hits }: CountedSource, code: SourceCode): void {
  const byStart = new Map(items.functions.map((item, index) => [item.start, index]))
  const most = new Map<number, Hits>()
  for (const instruction of code.instructions) {
    const { start, end } = code.rangeOf(instruction)
    const index = byStart.get(start)
    if (index === undefined || items.functions[index]?.end !== end) continue
    hits.isCompiled[index] = true
    const counted = code.hitsOf(instruction)
    if (counted.all > (most.get(index)?.all ?? -1)) most.set(index, counted)
  }
  for (const [index, counted] of most) add(hits.functions[index] as Hits, counted)
}

/** The jumps with exactly the place of a decision are those that decide it. */
function addBranches({ items, hits }: CountedSource, code: SourceCode, isOptimized: boolean): void {
  const byPlace = new Map(items.branches.map((item, index) => [`${item.start} ${item.end}`, index]))
  const open = new Set<number>()
  const sums = new Map<number, [number, number]>()
  for (const instruction of code.instructions) {
    if (code.opOf(instruction) !== OP.JUMPI) continue
    const { start, end } = code.rangeOf(instruction)
    const index = byPlace.get(`${start} ${end}`)
    const branch = index === undefined ? undefined : items.branches[index]
    if (index === undefined || !branch) continue
    const jumpsIfTrue = isOptimized ? directionOf(branch, instruction, code) : branch.jumpsIfTrue
    if (jumpsIfTrue === undefined) {
      open.add(index)
      continue
    }
    const passed = code.passedAt(instruction)
    const jumped = Math.max(0, code.hitsOf(instruction).all - passed)
    const [held, failed] = jumpsIfTrue ? [jumped, passed] : [passed, jumped]
    const known = sums.get(index) ?? [0, 0]
    sums.set(index, [known[0] + held, known[1] + failed])
  }
  for (const [index, [held, failed]] of sums) {
    if (open.has(index)) continue
    const known = hits.branches[index] ?? [0, 0]
    hits.branches[index] = [known[0] + held, known[1] + failed]
  }
}

/**
 * Whether an optimised jump is made when the condition holds: the optimiser turns some around. Told by the code that
 * follows: the body of an `if`, or the failure of a `require`; `undefined` if neither is there.
 */
function directionOf(branch: BranchItem, jump: number, code: SourceCode): boolean | undefined {
  const target = code.targetOf(jump)
  const { body } = branch
  if (branch.kind === 'if' && body) {
    const isBody = (instruction: number | undefined) => {
      if (instruction === undefined || !code.isFrom(instruction)) return false
      const { start, end } = code.rangeOf(instruction)
      return start >= body.start && end <= body.end
    }
    const [passes, jumps] = [isBody(jump + 1), target !== undefined && isBody(target + 1)]
    return passes === jumps ? undefined : jumps
  }
  if (branch.kind !== 'require') return undefined
  for (let next = jump + 1; ; next++) {
    const op = code.opOf(next)
    if (op === OP.REVERT || op === OP.INVALID) return true
    if (op === undefined || op === OP.JUMP || op === OP.JUMPI || op === OP.JUMPDEST) return undefined
  }
}
