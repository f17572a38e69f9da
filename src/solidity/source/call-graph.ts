import { partitionPoint } from '#primitives/partition-point.ts'
import type { Build, BuildContract } from '#solidity/build/build.ts'
import { type FailurePoint, failurePoints } from './failure-points.ts'
import type { CallGraph, Located } from './graph.ts'
import type { Callable, ContractOutline, Invocation, SourceCall, StateVariable } from './outline.ts'
import { type IndexedSource, indexSource } from './source-index.ts'
import { textGraph } from './text-graph.ts'

const GRAPHS = new WeakMap<Build, Map<BuildContract, CallGraph | undefined>>()

/** `undefined` if the contract's source has no AST, and its text does not show enough. Cached as long as the build lives. */
export function callGraph(build: Build, contract: BuildContract): CallGraph | undefined {
  const graphs = GRAPHS.get(build) ?? new Map<BuildContract, CallGraph | undefined>()
  GRAPHS.set(build, graphs)
  if (!graphs.has(contract)) graphs.set(contract, makeGraph(build, contract) ?? textGraph(build, contract))
  return graphs.get(contract)
}

function makeGraph(build: Build, { name, path }: BuildContract): CallGraph | undefined {
  const sources = new Map(build.sources.map((source) => [source.path, source]))
  const own = sources.get(path)
  const indexed = own && own.ast !== undefined ? indexSource(own) : undefined
  const outline = indexed?.outline.contracts.find((contract) => contract.name === name)
  if (!indexed || !outline) return undefined
  const index = indexBuild(build)
  const contracts = [...new Set(outline.bases)].flatMap((id) => index.contracts.get(id) ?? [])
  if (contracts.length === 0) return undefined
  const inherited = contracts.flatMap((contract) => index.members.get(contract) ?? [])
  const constructors = inherited.filter(({ callable }) => callable.kind === 'constructor')
  const ownContracts = new Set(contracts)
  const isInherited = ({ contract }: Callable) => contract !== undefined && ownContracts.has(contract)
  const constructorsOf = new Map<ContractOutline | undefined, Callable[]>()
  for (const { callable } of constructors) append(constructorsOf, callable.contract, callable)
  const byName = new Map<string, Callable[]>()
  for (const { callable } of inherited) if (callable.name !== '') append(byName, callable.name, callable)
  const reached = new Map<Callable, ReadonlySet<Callable>>()

  /** The function that a call of one of a family of overriding functions runs. */
  const dispatched = (found: Callable, from: Callable, dispatch: SourceCall['dispatch']): Callable | undefined => {
    if (dispatch === 'exact' || !found.contract || !ownContracts.has(found.contract)) return found
    const family = familyOf(found, index)
    const after = dispatch === 'super' ? contracts.findIndex((contract) => contract === from.contract) : -1
    return contracts
      .slice(after + 1)
      .flatMap((contract) => index.members.get(contract) ?? [])
      .map(({ callable }) => callable)
      .find((callable) => callable.body && [...familyOf(callable, index)].some((id) => family.has(id)))
  }
  const targetsOf = (from: Callable, call: SourceCall | Invocation): Targets => {
    const { target, name: called } = call
    const found = target === undefined ? undefined : index.callables.get(target)?.callable
    const base = target === undefined ? undefined : index.contracts.get(target)
    const constructed = base ? (constructorsOf.get(base) ?? NONE) : NONE
    if (!found) return { exact: constructed, group: NONE }
    const only = dispatched(found, from, 'dispatch' in call ? call.dispatch : 'virtual')
    return only ? { exact: [only], group: NONE } : { exact: [found], group: byName.get(called) ?? NONE }
  }
  const callsIn = (callable: Callable) => (index.callsIn.get(callable) ?? []).filter(({ isExternal }) => !isExternal)
  const callsPointer = (calls: readonly SourceCall[]) =>
    calls.some(({ isPointer, target }) => isPointer && !index.callables.has(target ?? -1))

  /** What variables of function types may hold; an overridden function stands for those that override it. */
  const heldByVariables = () =>
    index.taken.flatMap(({ callable }) => [
      callable,
      ...(inherited.some((each) => each.callable === callable) ? (byName.get(callable.name) ?? NONE) : NONE),
    ])

  /** Adds each group of functions with the same name once: a contract may have thousands that call each other. */
  const closure = (start: Callable): ReadonlySet<Callable> => {
    const found = new Set([start])
    const added = new Set<readonly Callable[]>()
    let isAny = false
    // Iterating over a set also visits what is added along the way.
    for (const callable of found) {
      const calls = callsIn(callable)
      if (callsPointer(calls)) {
        if (!isAny) for (const any of heldByVariables()) found.add(any)
        isAny = true
      }
      for (const call of [...calls, ...callable.invocations]) {
        const { exact, group } = targetsOf(callable, call)
        for (const callee of exact) found.add(callee)
        if (added.has(group)) continue
        added.add(group)
        for (const callee of group) found.add(callee)
      }
    }
    return found
  }
  return {
    hasIds: true,
    byName: () => [],
    contracts,
    constructors,
    byId: (id) => index.callables.get(id),
    bySelector(selector) {
      const found = inherited.find(({ callable }) => callable.selector === selector && callable.body)
      if (found) return found
      const variables = contracts.flatMap((contract) => index.variables.get(contract) ?? [])
      return variables.find((variable) => variable.isPublic && variable.selector === selector)
    },
    ofKind: (kind) => inherited.find(({ callable }) => callable.kind === kind && callable.body),
    reachableFrom(starts) {
      const all = new Set<Callable>()
      for (const start of starts) {
        const known = reached.get(start) ?? closure(start)
        if (known.size <= KEPT_LIMIT) reached.set(start, known)
        for (const callable of known) all.add(callable)
      }
      return all
    },
    callsBetween: (caller, callee) =>
      callsIn(caller).filter((call) => {
        const { exact, group } = targetsOf(caller, call)
        return exact.includes(callee) || (group.length > 0 && group === byName.get(callee.name) && isInherited(callee))
      }),
    pointsIn: (callable) => index.pointsIn(callable),
    sourceOf: (callable) => index.sources.get(callable),
  }
}

/** AST ids of a function and of all that it overrides. */
function familyOf(callable: Callable, index: BuildIndex): ReadonlySet<number> {
  const known = FAMILIES.get(callable)
  if (known) return known
  const ids = new Set(callable.id === undefined ? [] : [callable.id])
  // Iterating over a set also visits what is added along the way.
  for (const id of ids) for (const base of index.callables.get(id)?.callable.overrides ?? NO_IDS) ids.add(base)
  FAMILIES.set(callable, ids)
  return ids
}

const FAMILIES = new WeakMap<Callable, ReadonlySet<number>>()
const NO_IDS: readonly number[] = []

/** The functions that a call may run. */
interface Targets {
  /** The function that it names, or constructors. */
  readonly exact: readonly Callable[]
  /** Every function of that name, if it can be overridden. */
  readonly group: readonly Callable[]
}

const NONE: readonly Callable[] = []
/** Largest set of functions that is cached. */
const KEPT_LIMIT = 10_000

interface BuildIndex {
  readonly callables: ReadonlyMap<number, Located>
  readonly contracts: ReadonlyMap<number, ContractOutline>
  readonly members: ReadonlyMap<ContractOutline, readonly Located[]>
  readonly variables: ReadonlyMap<ContractOutline, readonly StateVariable[]>
  readonly callsIn: ReadonlyMap<Callable, readonly SourceCall[]>
  /** Functions that are used as values. */
  readonly taken: readonly Located[]
  readonly sources: ReadonlyMap<Callable, IndexedSource>
  readonly pointsIn: (callable: Callable) => readonly FailurePoint[]
}

const INDICES = new WeakMap<Build, BuildIndex>()

function indexBuild(build: Build): BuildIndex {
  const known = INDICES.get(build)
  if (known) return known
  const callables = new Map<number, Located>()
  const contracts = new Map<number, ContractOutline>()
  const members = new Map<ContractOutline, Located[]>()
  const variables = new Map<ContractOutline, StateVariable[]>()
  const callsIn = new Map<Callable, SourceCall[]>()
  const sources = new Map<Callable, IndexedSource>()
  const asts = new Map<IndexedSource, unknown>()
  for (const built of build.sources) {
    const source = indexSource(built)
    if (!source?.outline.isComplete) continue
    asts.set(source, built.ast)
    for (const contract of source.outline.contracts) if (contract.id !== undefined) contracts.set(contract.id, contract)
    for (const callable of source.outline.callables) {
      sources.set(callable, source)
      if (callable.id !== undefined) callables.set(callable.id, { callable, source })
      if (callable.contract) append(members, callable.contract, { callable, source })
    }
    for (const variable of source.outline.variables)
      if (variable.contract) append(variables, variable.contract, variable)
    groupBy(source.outline.calls, source.outline.callables, (callable, call) => append(callsIn, callable, call))
  }
  const points = new Map<IndexedSource, ReadonlyMap<Callable, readonly FailurePoint[]>>()
  const index: BuildIndex = {
    taken: [...asts.keys()].flatMap(({ outline }) => outline.taken.flatMap((id) => callables.get(id) ?? [])),
    callables,
    contracts,
    members,
    variables,
    callsIn,
    sources,
    pointsIn(callable) {
      const source = sources.get(callable)
      if (!source) return []
      let grouped = points.get(source)
      if (!grouped) {
        const made = new Map<Callable, FailurePoint[]>()
        groupBy(
          failurePoints(asts.get(source), source.text, (id) => callables.has(id)),
          source.outline.callables,
          (owner, point) => append(made, owner, point),
        )
        grouped = made
        points.set(source, grouped)
      }
      return grouped.get(callable) ?? []
    },
  }
  INDICES.set(build, index)
  return index
}

/** Groups ranges by the function that they are in. */
function groupBy<Range extends { readonly start: number; readonly end: number }>(
  ranges: readonly Range[],
  callables: readonly Callable[],
  add: (callable: Callable, range: Range) => void,
): void {
  const sorted = callables.toSorted((a, b) => a.start - b.start)
  for (const range of ranges) {
    const owner = sorted[partitionPoint(sorted, ({ start }) => start <= range.start) - 1]
    if (owner && owner.end >= range.end) add(owner, range)
  }
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = map.get(key)
  if (items) items.push(item)
  else map.set(key, [item])
}
