import type { Build, BuildContract } from '#solidity/build/build.ts'
import type { CallGraph, Located } from './call-graph.ts'
import type { Callable, ContractOutline, SourceCall } from './outline.ts'
import { innermost } from './outline.ts'
import { type IndexedSource, indexSource } from './source-index.ts'
import { findInText, type TextPoint } from './text-points.ts'

/** Sources above this are not searched by their text, in bytes. */
const SIZE_LIMIT = 4 << 20
/** What text alone cannot follow: variables that hold functions, and operators that are functions. */
const UNREADABLE = /\bfunction\s*\([^)]*\)\s*(?:internal|private|pure|view|external|payable|returns|\s)*[^{;\s]|\busing\s*\{[^}]*\bas\b/

interface Texts {
  readonly byName: ReadonlyMap<string, readonly Located[]>
  readonly callsIn: ReadonlyMap<Callable, readonly SourceCall[]>
  readonly pointsIn: ReadonlyMap<Callable, readonly TextPoint[]>
  readonly sources: ReadonlyMap<Callable, IndexedSource>
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
  const contracts = withBases(build, contract, own)
  if (!contracts) return undefined
  const isInherited = ({ contract: owner }: Callable) => owner !== undefined && contracts.includes(owner)
  const calledFrom = (callable: Callable) => [...(texts.callsIn.get(callable) ?? []), ...callable.invocations]
  return {
    hasIds: false,
    contracts,
    constructors: [],
    byId: () => undefined,
    bySelector: () => undefined,
    byName(called) {
      const all = (texts.byName.get(called) ?? []).filter(({ callable }) => callable.kind === 'function')
      return all.filter(({ callable }) => isInherited(callable) && callable.body)
    },
    ofKind(kind) {
      const all = (texts.byName.get(kind) ?? []).filter(({ callable }) => isInherited(callable) && callable.body)
      return all.length === 1 ? all[0] : undefined
    },
    reachableFrom(starts) {
      const found = new Set(starts)
      const names = new Set<string>()
      // Iterating over a set also visits what is added along the way.
      for (const callable of found) {
        for (const { name: called } of calledFrom(callable)) {
          if (names.has(called)) continue
          names.add(called)
          for (const { callable: callee } of texts.byName.get(called) ?? []) if (callee.body) found.add(callee)
        }
      }
      return found
    },
    callsBetween: (caller, callee) =>
      (texts.callsIn.get(caller) ?? []).filter((call) => call.name === callee.name && callee.name !== ''),
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
  for (const { text, outline } of indexed) {
    const whole = text.slice(0, text.size)
    if (UNREADABLE.test(whole)) return undefined
    const { points, calls } = findInText(whole, (name) => byName.has(name))
    for (const point of points) {
      const owner = innermost(outline.callables, point.start, point.end)
      if (owner) append(pointsIn, owner, point)
    }
    for (const call of calls) {
      const owner = innermost(outline.callables, call.start, call.end)
      if (owner) append(callsIn, owner, call)
    }
  }
  return { byName, callsIn, pointsIn, sources }
}

/** A contract and all contracts that its text names as bases; `undefined` if a name is not clear. */
function withBases(build: Build, contract: ContractOutline, own: IndexedSource): ContractOutline[] | undefined {
  const all = build.sources.flatMap((built) => {
    const source = indexSource(built)
    return source?.outline.contracts.map((each) => ({ contract: each, source })) ?? []
  })
  const found = new Map([[contract, own]])
  // Iterating over a map also visits what is added along the way.
  for (const [each, source] of found) {
    const head = source.text.slice(each.start, each.end).split('{', 1)[0] ?? ''
    const bases = /\bis\b([^]*)$/.exec(head.replaceAll(/\/\/[^\n\r]*|\/\*[^]*?\*\//g, ''))?.[1] ?? ''
    for (const [, base = ''] of bases.replaceAll(/\([^)]*\)/g, '').matchAll(/(?:[\w$]+\s*\.\s*)*([\w$]+)/g)) {
      const named = all.filter(({ contract: other }) => other.name === base)
      const [only] = named
      if (!only || named.length > 1) return undefined
      found.set(only.contract, only.source)
    }
  }
  return [...found.keys()]
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = map.get(key)
  if (items) items.push(item)
  else map.set(key, [item])
}
