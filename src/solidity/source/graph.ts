import type { FailurePoint } from './failure-points.ts'
import type { Callable, ContractOutline, SourceCall, StateVariable } from './outline.ts'
import type { IndexedSource } from './source-index.ts'

/** A function with its source. */
export interface Located {
  readonly callable: Callable
  readonly source: IndexedSource
}

/** The functions of a contract, its bases and libraries, and which calls which. */
export interface CallGraph {
  /** Whether it was read from an AST, whose ids the compiler also gives for the beginnings of functions. */
  readonly hasIds: boolean
  /** The contract's functions of a name, if there is no AST to find them by selector. */
  readonly byName: (name: string) => readonly Located[]
  /** A function by its AST id. */
  readonly byId: (id: number) => Located | undefined
  /** The function that an external call enters, or the variable that it reads. @param selector - Without `0x`. */
  readonly bySelector: (selector: string) => Located | StateVariable | undefined
  readonly ofKind: (kind: 'fallback' | 'receive') => Located | undefined
  /** Constructors of the contract and its bases, the most derived first. */
  readonly constructors: readonly Located[]
  /** The contract and its bases, the most derived first. */
  readonly contracts: readonly ContractOutline[]
  /** Every function that may run within these, themselves included. Errs on the side of too many. */
  readonly reachableFrom: (starts: readonly Callable[]) => ReadonlySet<Callable>
  /** The calls in one function's code that may run another. */
  readonly callsBetween: (caller: Callable, callee: Callable) => readonly SourceCall[]
  readonly pointsIn: (callable: Callable) => readonly FailurePoint[]
  readonly sourceOf: (callable: Callable) => IndexedSource | undefined
}
