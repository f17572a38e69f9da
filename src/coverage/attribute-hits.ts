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
  /** Whether the code of the function may be that of another, or none of its own. */
  readonly isUnclear: boolean[]
}

/**
 * How much code tells of its sources. `plain`: all. `optimized`: blocks that do the same may be one, and jumps turned around. `moved`, by way of
 * Yul: what has no effect may also run elsewhere, or not at all.
 */
type Clarity = 'plain' | 'optimized' | 'moved'

/** Steps with an effect of their own, which stay where they are. */
const EFFECTS: ReadonlySet<number> = new Set([
  ...[0x55, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
  ...[0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xfa, 0xfd, 0xff],
])

const OP = { JUMP: 0x56, JUMPI: 0x57, JUMPDEST: 0x5b, REVERT: 0xfd, INVALID: 0xfe, PUSH1: 0x60, PUSH32: 0x7f } as const

export function noHits({ statements, functions, branches }: SourceItems): ItemHits {
  return {
    statements: statements.map(() => undefined),
    functions: functions.map(() => ({ kept: 0, all: 0 })),
    branches: branches.map(() => undefined),
    isCompiled: functions.map(() => false),
    isUnclear: functions.map(() => false),
  }
}

/** A source of a build, with what is counted of it. */
export interface CountedSource {
  readonly items: SourceItems
  readonly hits: ItemHits
  /** What a statement does, whatever it is about. */
  readonly shapeOf: (statement: StatementItem) => string
}

/**
 * Adds what one code has executed to the items of its sources.
 *
 * @param sourceOf - By index in source maps.
 */
export function addCode(code: CodeHits, sourceOf: (id: number) => CountedSource | undefined): void {
  const { build, code: compiled } = code.recognised
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
  const clarity: Clarity = viaIR ? 'moved' : optimizer ? 'optimized' : 'plain'
  const sources = [...byFile].flatMap(([file, instructions]) => {
    const source = sourceOf(file)
    if (!source) return []
    const own = new SourceCode(code, mapped, instructions)
    return { source, own, found: statementsIn(source, own, clarity) }
  })
  const unclear = clarity === 'plain' ? undefined : unclearShapes(sources, code, clarity)
  for (const { source, own, found } of sources) {
    addStatements(source, found, unclear)
    if (clarity === 'plain') addFunctions(source, own)
    // The optimiser by way of Yul moves jumps away from what they decide.
    if (clarity === 'plain') addBranches(source, own)
    else if (clarity === 'optimized') {
      addBranches(source, own, (index) => {
        const statement = source.items.statements[index]
        return statement && unclear?.has(source.shapeOf(statement)) ? undefined : statement && found.get(statement)
      })
    }
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

/** What the instructions of a statement say: `undefined` if they contradict each other, or say nothing. */
type Found = Map<StatementItem, Hits | undefined>

/**
 * A statement ran as often as its first instruction, summed over the copies that the compiler has made of it: modifiers stand
 * in each function that has them. Between two copies there is another statement.
 */
function statementsIn({ items }: CountedSource, code: SourceCode, clarity: Clarity): Found {
  const found: Found = new Map()
  let current: StatementItem | undefined
  let first: Hits = { kept: 0, all: 0 }
  let most: Hits | undefined
  const end = () => {
    if (!current) return
    let counted: Hits | undefined = first
    if (clarity === 'moved') counted = most
    else if (first.all === 0 && most && most.all > 0) counted = clarity === 'plain' ? most : undefined
    const known = found.get(current)
    if (!found.has(current)) found.set(current, counted && { ...counted })
    else if (known && counted) add(known, counted)
    else if (clarity === 'optimized') found.set(current, undefined)
    else if (counted) found.set(current, { ...counted })
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
      most = undefined
    }
    if (clarity === 'moved' && !EFFECTS.has(code.opOf(instruction) ?? 0)) continue
    if (!most || counted.all > most.all) most = counted
  }
  end()
  return found
}

function addStatements({ items, hits, shapeOf }: CountedSource, found: Found, unclear: ReadonlySet<string> | undefined): void {
  items.statements.forEach((statement, index) => {
    if (!found.has(statement)) return
    hits.isCompiled[statement.owner] = true
    const counted = found.get(statement)
    if (!counted || unclear?.has(shapeOf(statement))) return
    const known = hits.statements[index]
    if (known) add(known, counted)
    else hits.statements[index] = { ...counted }
  })
}

/**
 * Shapes of statements of which optimised code does not tell which one has run: it may have one block for several. Also notes
 * that functions which have no instructions may have run all the same.
 */
function unclearShapes(
  sources: readonly { readonly source: CountedSource; readonly found: Found }[],
  { recognised: { contract, isCreation } }: CodeHits,
  clarity: Clarity,
): ReadonlySet<string> {
  const bases = new Set<number>()
  for (const { source } of sources) {
    for (const { name, bases: ids } of source.items.contracts) {
      if (name === contract.name) for (const id of ids) bases.add(id)
    }
  }
  const shapes = new Map<string, { count: number; lacks: boolean; ran: boolean }>()
  for (const { source, found } of sources) {
    const { items, hits, shapeOf } = source
    items.functions.forEach(({ contract: holder, isConstructor }, index) => {
      if (isConstructor !== isCreation || (holder !== undefined && !bases.has(holder))) return
      hits.isCompiled[index] = true
      hits.isUnclear[index] = true
    })
    for (const statement of items.statements) {
      const owner = items.functions[statement.owner]
      const isOwn = owner?.contract === undefined || bases.has(owner.contract)
      if (!found.has(statement) && !(isOwn && owner?.isConstructor === isCreation)) continue
      const shape = shapeOf(statement)
      const known = shapes.get(shape) ?? { count: 0, lacks: false, ran: false }
      shapes.set(shape, known)
      known.count++
      known.lacks ||= !found.has(statement)
      known.ran ||= (found.get(statement)?.all ?? 0) > 0
    }
  }
  const isUnclear = ({ count, lacks, ran }: { count: number; lacks: boolean; ran: boolean }) =>
    // That none of them has run, the code tells.
    ran && (clarity === 'moved' ? count > 1 : lacks)
  return new Set([...shapes].filter(([, each]) => isUnclear(each)).map(([shape]) => shape))
}

function add(to: Hits, { kept, all }: Hits): void {
  to.kept += kept
  to.all += all
}

/** A function ran as often as the code that has its whole place. */
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

/**
 * The jumps with exactly the place of a decision are those that decide it.
 *
 * @param statementHits - Of optimised code: how often the statement that decides ran, if that is clear.
 */
function addBranches(
  { items, hits }: CountedSource,
  code: SourceCode,
  statementHits?: (statement: number) => Hits | undefined,
): void {
  const byPlace = new Map(items.branches.map((item, index) => [`${item.start} ${item.end}`, index]))
  const open = new Set<number>()
  const sums = new Map<number, [number, number]>()
  for (const instruction of code.instructions) {
    if (code.opOf(instruction) !== OP.JUMPI) continue
    const { start, end } = code.rangeOf(instruction)
    const index = byPlace.get(`${start} ${end}`)
    const branch = index === undefined ? undefined : items.branches[index]
    if (index === undefined || !branch) continue
    const jumpsIfTrue = statementHits ? directionOf(branch, instruction, code) : branch.jumpsIfTrue
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
    const statement = items.branches[index]?.statement ?? -1
    if (open.has(index) || (statementHits && statementHits(statement)?.all !== held + failed)) continue
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
