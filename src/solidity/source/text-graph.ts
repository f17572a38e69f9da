import type { Build, BuildContract } from '#solidity/build/build.ts'
import type { CallGraph, Located } from './graph.ts'
import type { Callable, ContractOutline, SourceCall } from './outline.ts'
import { innermost } from './outline.ts'
import { type IndexedSource, indexSource } from './source-index.ts'
import { findInText, type TextPoint } from './text-points.ts'

/** Sources above this are not searched by their text, in bytes. */
const SIZE_LIMIT = 4 << 20
/** What text alone cannot follow: variables that hold functions, and operators that are functions. */
const UNREADABLE =
  /\bfunction\s*\([^)]*\)\s*(?:internal|private|pure|view|external|payable|returns|\s)*[^{;\s]|\busing\s*\{[^}]*\bas\b/

/** Members of addresses that call. */
const LOW_LEVEL: ReadonlySet<string> = new Set(['call', 'delegatecall', 'staticcall', 'transfer', 'send'])

interface Texts {
  readonly byName: ReadonlyMap<string, readonly Located[]>
  readonly callsIn: ReadonlyMap<Callable, readonly SourceCall[]>
  readonly pointsIn: ReadonlyMap<Callable, readonly TextPoint[]>
  readonly sources: ReadonlyMap<Callable, IndexedSource>
  /** Names of contracts, interfaces and libraries. */
  readonly contracts: ReadonlySet<string>
}

const TEXTS = new WeakMap<Build, { readonly texts: Texts | undefined }>()

/**
 * A call graph without an AST: every function of a name that is used may be called. `undefined` if the sources have what
 * cannot be followed like this.
 */
export function textGraph(build: Build, { name, path }: BuildContract): CallGraph | undefined {
  let read = TEXTS.get(build)
  if (!read) TEXTS.set(build, (read = { texts: readTexts(build) }))
  const { texts } = read
  const built = build.sources.find((source) => source.path === path)
  const own = built && indexSource(built)
  const contract = own?.outline.contracts.find((each) => each.name === name)
  if (!texts || !own || !contract) return undefined
  const family = withBases(build, contract, own)
  if (!family) return undefined
  const { contracts, isLine } = family
  const isInherited = ({ contract: owner }: Callable) => owner !== undefined && contracts.includes(owner)
  const targets = new Map<SourceCall, readonly Callable[]>()
  /** The functions that a call may run. */
  const targetsOf = (caller: Callable, call: SourceCall): readonly Callable[] => {
    const known = targets.get(call)
    if (known) return known
    const { name: called, qualifier } = call
    const all = (texts.byName.get(called) ?? []).map(({ callable }) => callable).filter(({ body }) => body)
    const isNamed = qualifier !== undefined && texts.contracts.has(qualifier)
    const found = all.filter((callee) => {
      const { contract: owner } = callee
      if (qualifier === undefined) return !owner || isInherited(callee) || owner === caller.contract
      if (qualifier === 'this') return false
      if (qualifier === 'super') return isInherited(callee) && owner !== caller.contract
      if (isNamed)
        return (
          owner?.name === qualifier || (isInherited(callee) && contracts.some(({ name: base }) => base === qualifier))
        )
      return !owner || owner.kind === 'library'
    })
    const made = isLine ? dispatched(found, caller, call, contracts, texts) : found
    targets.set(call, made)
    return made
  }
  return {
    hasIds: false,
    contracts,
    constructors: [],
    byId: () => undefined,
    bySelector: () => undefined,
    byName(called) {
      const all = (texts.byName.get(called) ?? []).filter(
        ({ callable }) => callable.kind === 'function' && isInherited(callable) && callable.body,
      )
      const [any] = all
      if (!isLine || !any) return all
      const callables = all.map(({ callable }) => callable)
      const runs = dispatched(callables, any.callable, { dispatch: 'virtual' }, contracts, texts)
      return all.filter(({ callable }) => runs.includes(callable))
    },
    ofKind(kind) {
      const all = (texts.byName.get(kind) ?? []).filter(({ callable }) => isInherited(callable) && callable.body)
      return all.length === 1 ? all[0] : undefined
    },
    reachableFrom(starts) {
      const found = new Set(starts)
      // Iterating over a set also visits what is added along the way.
      for (const callable of found) {
        for (const call of texts.callsIn.get(callable) ?? []) {
          for (const callee of targetsOf(callable, call)) found.add(callee)
        }
        for (const { name: modifier } of callable.invocations) {
          for (const { callable: callee } of texts.byName.get(modifier) ?? []) {
            if (callee.body && callee.kind === 'modifier') found.add(callee)
          }
        }
      }
      return found
    },
    callsBetween: (caller, callee) =>
      (texts.callsIn.get(caller) ?? []).filter((call) => targetsOf(caller, call).includes(callee)),
    pointsIn: (callable) => texts.pointsIn.get(callable) ?? [],
    sourceOf: (callable) => texts.sources.get(callable),
  }
}

function readTexts(build: Build): Texts | undefined {
  const indexed = build.sources.flatMap((built) => indexSource(built) ?? [])
  if (indexed.length < build.sources.length || indexed.some(({ outline }) => outline.isComplete)) return undefined
  if (indexed.reduce((sum, { text }) => sum + text.size, 0) > SIZE_LIMIT) return undefined
  const byName = new Map<string, Located[]>()
  const sources = new Map<Callable, IndexedSource>()
  for (const source of indexed) {
    for (const callable of source.outline.callables) {
      sources.set(callable, source)
      const name = callable.name === '' ? callable.kind : callable.name
      const others = byName.get(name)
      if (others) others.push({ callable, source })
      else byName.set(name, [{ callable, source }])
    }
  }
  const callsIn = new Map<Callable, SourceCall[]>()
  const pointsIn = new Map<Callable, TextPoint[]>()
  const names = indexed.flatMap(({ outline }) => outline.contracts.map(({ name }) => name))
  const enums = new Set(
    indexed.flatMap(({ text }) =>
      [...text.slice(0, text.size).matchAll(/\benum\s+([\w$]+)/g)].map(([, name]) => name ?? ''),
    ),
  )
  const isExternal = (name: string) => {
    const all = byName.get(name) ?? []
    return all.length > 0 && all.every(({ callable: { contract } }) => contract && contract.kind !== 'library')
  }
  for (const { text, outline } of indexed) {
    const whole = text.slice(0, text.size)
    if (UNREADABLE.test(whole)) return undefined
    const { points, calls } = findInText(whole, {
      isFunction: (name) => byName.has(name),
      isExternal: (name) => LOW_LEVEL.has(name) || isExternal(name),
      isEnum: (name) => enums.has(name),
    })
    for (const point of points) {
      const owner = innermost(outline.callables, point.start, point.end)
      if (owner) append(pointsIn, owner, point)
    }
    for (const call of calls) {
      const owner = innermost(outline.callables, call.start, call.end)
      if (owner) append(callsIn, owner, call)
    }
  }
  return { byName, callsIn, pointsIn, sources, contracts: new Set(names) }
}

/** The one that a call runs, of functions that override each other along a line of contracts. */
function dispatched(
  found: readonly Callable[],
  { contract: from }: Callable,
  { dispatch }: Pick<SourceCall, 'dispatch'>,
  contracts: readonly ContractOutline[],
  { sources }: Texts,
): readonly Callable[] {
  if (dispatch === 'exact' || found.length < 2) return found
  const owners = new Set(found.map(({ contract }) => contract))
  // Overloads, or functions outside the contracts.
  if (owners.size < found.length || found.some(({ contract }) => !contract || !contracts.includes(contract)))
    return found
  const overrides = found.every((callable) => {
    const head = sources.get(callable)?.text.slice(callable.start, callable.body?.start ?? callable.end) ?? ''
    return /\b(?:virtual|override)\b/.test(head)
  })
  if (!overrides) return found
  const after = dispatch === 'super' ? contracts.findIndex((contract) => contract === from) : -1
  const next = contracts.slice(after + 1).find((contract) => owners.has(contract))
  return found.filter(({ contract }) => contract === next)
}

/** The names of bases in the text of a contract. */
function basesIn({ start, end }: ContractOutline, { text }: IndexedSource): string[] {
  const head = text.slice(start, end).split('{', 1)[0] ?? ''
  const bases = /\bis\b([^]*)$/.exec(head.replaceAll(/\/\/[^\n\r]*|\/\*[^]*?\*\//g, ''))?.[1] ?? ''
  const names = bases.replaceAll(/\([^)]*\)/g, '').matchAll(/(?:[\w$]+\s*\.\s*)*([\w$]+)/g)
  return [...names].map(([, base = '']) => base)
}

/** A contract and all contracts that its text names as bases; `undefined` if a name is not clear. */
function withBases(
  build: Build,
  contract: ContractOutline,
  own: IndexedSource,
): { readonly contracts: readonly ContractOutline[]; readonly isLine: boolean } | undefined {
  const all = build.sources.flatMap((built) => {
    const source = indexSource(built)
    return source?.outline.contracts.map((each) => ({ contract: each, source })) ?? []
  })
  const found = new Map([[contract, own]])
  let isLine = true
  // Iterating over a map also visits what is added along the way.
  for (const [each, source] of found) {
    const bases = basesIn(each, source)
    if (bases.length > 1) isLine = false
    for (const base of bases) {
      const named = all.filter(({ contract: other }) => other.name === base)
      const [only] = named
      if (!only || named.length > 1) return undefined
      found.set(only.contract, only.source)
    }
  }
  return { contracts: [...found.keys()], isLine }
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = map.get(key)
  if (items) items.push(item)
  else map.set(key, [item])
}
