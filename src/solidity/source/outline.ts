import { partitionPoint } from '#primitives/partition-point.ts'

/** Kinds of code that can be on the call stack. */
export type CallableKind = 'function' | 'constructor' | 'fallback' | 'receive' | 'modifier'

/** A range of a source, in bytes of UTF-8. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

export interface ContractOutline extends SourceRange {
  readonly name: string
  readonly kind: 'contract' | 'interface' | 'library'
  /** AST id. */
  readonly id: number | undefined
  /** AST ids of itself and its bases, most derived first. */
  readonly bases: readonly number[]
}

export interface Callable extends SourceRange {
  readonly kind: CallableKind
  /** Empty for constructors and the like. */
  readonly name: string
  /** `undefined` for free functions. */
  readonly contract: ContractOutline | undefined
  /** `undefined` if it is not implemented. */
  readonly body: SourceRange | undefined
  /** Modifiers and the base constructors that it names. */
  readonly invocations: readonly Invocation[]
  /** AST id. */
  readonly id: number | undefined
  /** Four bytes in hex, without `0x`; `undefined` if it cannot be called from outside, or is unknown. */
  readonly selector: string | undefined
  /** AST ids of the functions or modifiers that it overrides directly. */
  readonly overrides: readonly number[]
}

export interface Invocation extends SourceRange {
  readonly name: string
  /** AST id of the modifier. */
  readonly target: number | undefined
}

/** A variable of a contract. Its range includes the initial value, which the constructor sets. */
export interface StateVariable extends SourceRange {
  readonly name: string
  readonly contract: ContractOutline | undefined
  /** Whether it has a getter. */
  readonly isPublic: boolean
  readonly id: number | undefined
  /** Selector of its getter. */
  readonly selector: string | undefined
}

/** A call in the source. */
export interface SourceCall extends SourceRange {
  /** Last name of the callee: `transfer` in `token.transfer(…)`. */
  readonly name: string
  readonly kind: 'call' | 'conversion' | 'struct'
  /** AST id of the function, if the type says which one. */
  readonly target: number | undefined
  /** Whether it calls through a variable of a function type. */
  readonly isPointer: boolean
  /** Which of the functions that override each other it runs: the most derived, the next after its own contract, or the named. */
  readonly dispatch: 'virtual' | 'super' | 'exact'
  /** Whether another contract runs, or this one in a frame of its own. */
  readonly isExternal: boolean
  /** What stands before the name: `super`, `Maths`. Only where there is no AST. */
  readonly qualifier?: string
}

/** A statement. `type` is the AST's name: `InlineAssembly`, `RevertStatement` and so on. */
export interface Statement extends SourceRange {
  readonly type: string
}

/** The declarations, statements and calls of one source, with their places. */
export interface SourceOutline {
  readonly contracts: readonly ContractOutline[]
  readonly callables: readonly Callable[]
  readonly variables: readonly StateVariable[]
  /** Empty without an AST. */
  readonly statements: readonly Statement[]
  readonly calls: readonly SourceCall[]
  /** AST ids of internal functions that are used as values: what a variable of a function type may hold. */
  readonly taken: readonly number[]
  /** Whether it was read from a whole AST. */
  readonly isComplete: boolean
}

/** Ranges prepared for lookups. */
interface Nested<Range> {
  /** By start, outer ranges first. */
  readonly sorted: readonly Range[]
  /** Index of the range around each; −1 if there is none. */
  readonly around: Int32Array
}

/** Deepest nesting that a lookup follows outwards. */
const NESTING_LIMIT = 1_000

const NESTED = new WeakMap<readonly SourceRange[], Nested<SourceRange>>()

function nest<Range extends SourceRange>(all: readonly Range[]): Nested<Range> {
  const sorted = all.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const around = new Int32Array(sorted.length).fill(-1)
  const open: number[] = []
  sorted.forEach(({ end }, index) => {
    while (open.length > 0 && (sorted[open.at(-1) as number] as Range).end < end) open.pop()
    around[index] = open.at(-1) ?? -1
    open.push(index)
  })
  return { sorted, around }
}

/**
 * The smallest range that contains `start` to `end`. A list is sorted at its first lookup: a source may have a thousand
 * functions, and there is one lookup per instruction.
 *
 * @param all - Ranges of which any two are disjoint or nested.
 */
export function innermost<Range extends SourceRange>(
  all: readonly Range[],
  start: number,
  end: number,
): Range | undefined {
  const nested = (NESTED.get(all) as Nested<Range> | undefined) ?? nest(all)
  NESTED.set(all, nested)
  const { sorted, around } = nested
  let at = partitionPoint(sorted, (range) => range.start <= start) - 1
  for (let left = NESTING_LIMIT; at >= 0 && left > 0; left--) {
    const range = sorted[at] as Range
    if (range.end >= end) return range
    at = around[at] as number
  }
  return undefined
}
