/** What may be in a stack of calls. */
export type CallableKind = 'function' | 'constructor' | 'fallback' | 'receive' | 'modifier'

/** A stretch of a source, in bytes of UTF-8. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

export interface ContractOutline extends SourceRange {
  readonly name: string
  readonly kind: 'contract' | 'interface' | 'library'
  /** Of the AST. */
  readonly id: number | undefined
  /** AST ids of itself and its bases, the most derived first. */
  readonly bases: readonly number[]
}

export interface Callable extends SourceRange {
  readonly kind: CallableKind
  /** Empty for constructors and the like. */
  readonly name: string
  /** `undefined` for free functions. */
  readonly contract: ContractOutline | undefined
  /** Where its code is; `undefined` if it has none. */
  readonly body: SourceRange | undefined
  /** Where it names its modifiers and the constructors of its bases. */
  readonly invocations: readonly Invocation[]
  /** Of the AST. */
  readonly id: number | undefined
  /** Four bytes in hex, without `0x`; `undefined` if it cannot be called from outside, or is not known. */
  readonly selector: string | undefined
}

export interface Invocation extends SourceRange {
  readonly name: string
  /** AST id of the modifier. */
  readonly target: number | undefined
}

/** A variable of a contract; its initial value is set by the constructor. */
export interface StateVariable extends SourceRange {
  readonly name: string
  readonly contract: ContractOutline | undefined
  /** Whether it has a function that reads it. */
  readonly isPublic: boolean
  readonly id: number | undefined
  /** Of the function that reads it. */
  readonly selector: string | undefined
}

/** A call in the source. */
export interface SourceCall extends SourceRange {
  /** Last name of what is called: `transfer` of `token.transfer(…)`. */
  readonly name: string
  readonly kind: 'call' | 'conversion' | 'struct'
  /** AST id of the function, as far as the type says which one. */
  readonly target: number | undefined
  /** Whether it is a function that a variable holds. */
  readonly isPointer: boolean
}

/** `InlineAssembly`, `RevertStatement` and so on: the names of the AST. */
export interface Statement extends SourceRange {
  readonly type: string
}

/** What is where in one source. */
export interface SourceOutline {
  readonly contracts: readonly ContractOutline[]
  readonly callables: readonly Callable[]
  readonly variables: readonly StateVariable[]
  /** None if the source came without AST. */
  readonly statements: readonly Statement[]
  readonly calls: readonly SourceCall[]
  /** Whether it was read from an AST, to its end. */
  readonly isComplete: boolean
}

/** Ranges prepared for looking up places. */
interface Nested<Range> {
  /** By their beginning, outer ones first. */
  readonly sorted: readonly Range[]
  /** Of each range the one around it; −1 if there is none. */
  readonly around: Int32Array
}

/** Deepest nesting of ranges: what lies deeper in others than this is found in none of them. */
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
 * The smallest that the stretch lies in, or is. The ranges are sorted at the first call with a list: a source may have a
 * thousand functions, and is asked for each instruction.
 *
 * @param all - Any ranges of which one contains another or none overlaps.
 */
export function innermost<Range extends SourceRange>(
  all: readonly Range[],
  start: number,
  end: number,
): Range | undefined {
  const nested = (NESTED.get(all) as Nested<Range> | undefined) ?? nest(all)
  NESTED.set(all, nested)
  const { sorted, around } = nested
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as Range).start <= start) low = middle + 1
    else high = middle
  }
  let at = low - 1
  for (let left = NESTING_LIMIT; at >= 0 && left > 0; left--) {
    const range = sorted[at] as Range
    if (range.end >= end) return range
    at = around[at] as number
  }
  return undefined
}
