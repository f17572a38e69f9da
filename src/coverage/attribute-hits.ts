import { mapCode } from '#solidity/code/source-map.ts'
import { innermost } from '#solidity/source/outline.ts'
import type { CodeHits } from './code-hits.ts'
import { isRough } from './shapes.ts'
import { type Hits, OP, SourceCode } from './source-code.ts'
import type { BranchItem, SourceItems, StatementItem } from './source-items.ts'

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
  /** Whether it may have run in a constructor that does not tell. */
  readonly isHidden: boolean[]
}

/**
 * How much code tells of its sources. `plain`: all. `optimized`: blocks that do the same may be one, and jumps turned around. `moved`, by way of
 * Yul: what has no effect may also run elsewhere, or not at all.
 */
type Clarity = 'plain' | 'optimized' | 'moved'

/** Steps with an effect of their own, which stay where they are; but for those that end a frame, which many statements share. */
const EFFECTS: ReadonlySet<number> = new Set([
  ...[0x55, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
  ...[0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff],
])
/** Steps that stay in code in which a function is inlined; and those of a statement that fails. */
const LASTING: ReadonlySet<number> = new Set([...EFFECTS, 0x3b, 0x54, 0x5c])
const REVERT = 0xfd

export function noHits({ statements, functions, branches }: SourceItems): ItemHits {
  return {
    statements: statements.map(() => undefined),
    functions: functions.map(() => ({ kept: 0, all: 0 })),
    branches: branches.map(() => undefined),
    isCompiled: functions.map(() => false),
    isUnclear: functions.map(() => false),
    isHidden: functions.map(() => false),
  }
}

/** A source of a build, with what is counted of it. */
export interface CountedSource {
  readonly items: SourceItems
  readonly hits: ItemHits
  /** What a statement does, whatever it is about: roughly, and more closely. */
  readonly shapesOf: (statement: StatementItem) => readonly string[]
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
        if (!statement || source.shapesOf(statement).some((shape) => unclear?.has(shape))) return undefined
        return found.get(statement)
      })
    }
  }
}

const NONE: Hits = { kept: 0, all: 0 }

/** What is found of the statements of one shape. */
interface ShapeUse {
  count: number
  /** Whether one has no instructions. */
  lacks: boolean
  /** Whether one ran, and whether one seems not to have. */
  ran: boolean
  rested: boolean
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
  let first: Hits = NONE
  let most: Hits = NONE
  let effect: Hits | undefined
  let lasts = false
  const end = () => {
    if (!current) return
    const counted = clearHits(clarity, first, most, effect, lasts)
    const known = found.get(current)
    if (!found.has(current)) found.set(current, counted && { ...counted })
    else if (known && counted) add(known, counted)
    else found.set(current, undefined)
  }
  for (const instruction of code.instructions) {
    const { start, end: to } = code.rangeOf(instruction)
    const statement = innermost(items.statements, start, items.isByLine ? start : to)
    if (!statement) continue
    const counted = code.jumpHits(instruction) ?? code.hitsOf(instruction)
    if (statement !== current) {
      end()
      current = statement
      first = most = counted
      effect = undefined
      lasts = false
    }
    const op = code.opOf(instruction) ?? 0
    if (counted.all > most.all) most = counted
    if (EFFECTS.has(op) && (!effect || counted.all > effect.all)) effect = counted
    lasts ||= LASTING.has(op) || (op === REVERT && statement.fails)
  }
  end()
  return found
}

/** How often one copy of a statement ran; `undefined` if that is not clear. */
function clearHits(
  clarity: Clarity,
  first: Hits,
  most: Hits,
  effect: Hits | undefined,
  lasts: boolean,
): Hits | undefined {
  if (clarity === 'plain') return first.all > 0 ? first : most
  // A copy that did not run may be what is left where others were inlined.
  if (most.all === 0) return lasts && (clarity === 'optimized' || effect) ? NONE : undefined
  if (clarity === 'moved') return effect && effect.all > 0 ? effect : undefined
  return first.all > 0 ? first : undefined
}

function addStatements(
  { items, hits, shapesOf }: CountedSource,
  found: Found,
  unclear: ReadonlySet<string> | undefined,
): void {
  items.statements.forEach((statement, index) => {
    if (!found.has(statement)) return
    hits.isCompiled[statement.owner] = true
    const counted = found.get(statement)
    if (!counted || (unclear && shapesOf(statement).some((shape) => unclear.has(shape)))) return
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
  const shapes = new Map<string, ShapeUse>()
  const noteUse = (shape: string, isFound: boolean, all: number | undefined) => {
    const use = shapes.get(shape) ?? { count: 0, lacks: false, ran: false, rested: false }
    shapes.set(shape, use)
    use.count++
    use.lacks ||= !isFound
    use.ran ||= (all ?? 0) > 0
    use.rested ||= all === undefined || all === 0
  }
  for (const { source, found } of sources) {
    const { items, hits, shapesOf } = source
    items.functions.forEach(({ contract: holder, isConstructor, isInternal }, index) => {
      if (holder !== undefined && !bases.has(holder)) return
      if (isCreation && isInternal && clarity === 'moved') hits.isHidden[index] = true
      if (isConstructor !== isCreation) return
      hits.isCompiled[index] = true
      hits.isUnclear[index] = true
    })
    for (const statement of items.statements) {
      const owner = items.functions[statement.owner]
      const isOwn = owner?.contract === undefined || bases.has(owner.contract)
      const isFound = found.has(statement)
      if (!isFound && !(isOwn && owner?.isConstructor === isCreation)) continue
      for (const shape of shapesOf(statement)) noteUse(shape, isFound, found.get(statement)?.all)
    }
  }
  // If none of them has run, the code tells so.
  const isUnclear = (shape: string, { count, lacks, ran, rested }: ShapeUse) => {
    if (!ran || count < 2) return false
    return clarity === 'moved' || (isRough(shape) ? lacks : rested)
  }
  return new Set([...shapes].filter(([shape, use]) => isUnclear(shape, use)).map(([shape]) => shape))
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
    // Either way leads to the next step.
    if (!code.tellsWays(instruction)) {
      open.add(index)
      continue
    }
    const jumpsIfTrue = statementHits
      ? directionOf(branch, instruction, code)
      : branch.jumpsIfTrue !== code.isTurned(instruction)
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
    if (code.isTurned(jump)) return true
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
