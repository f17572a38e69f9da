import type { Build, BuildSource } from '#solidity/build/build.ts'
import { outlineOfAst } from './ast-outline.ts'
import { type SourceText, sourceText } from './lines.ts'
import type { Callable, SourceOutline, StateVariable } from './outline.ts'
import { innermost } from './outline.ts'
import { outlineOfText } from './text-outline.ts'

/** A source prepared for lookups. */
export interface IndexedSource {
  readonly path: string
  readonly text: SourceText
  readonly outline: SourceOutline
}

/** A place in a source, as precisely as it is known. */
export interface Place {
  readonly source: IndexedSource
  /** In bytes, like `end`. */
  readonly start: number
  readonly end: number
  /** The function or modifier that it is in. */
  readonly callable: Callable | undefined
  /** The state variable whose initial value it is in. */
  readonly variable: StateVariable | undefined
  /** Whether it is only part of the function. The whole function stands for its entry. */
  readonly isInside: boolean
}

const SOURCES = new WeakMap<BuildSource, IndexedSource>()
const BY_ID = new WeakMap<Build, ReadonlyMap<number, BuildSource>>()

/** A source by its index in source maps; `undefined` if the build does not have it, or not its text. */
export function sourceById(build: Build, id: number): IndexedSource | undefined {
  let byId = BY_ID.get(build)
  if (!byId) {
    byId = new Map(build.sources.map((source) => [source.id, source]))
    BY_ID.set(build, byId)
  }
  const source = byId.get(id)
  return source && indexSource(source)
}

/** Prepares a source. Cached as long as the build lives. */
export function indexSource(source: BuildSource): IndexedSource | undefined {
  if (source.content === undefined) return undefined
  const known = SOURCES.get(source)
  if (known) return known
  const outline = source.ast === undefined ? outlineOfText(source.content) : outlineOfAst(source.ast)
  const indexed = { path: source.path, text: sourceText(source.content), outline }
  SOURCES.set(source, indexed)
  return indexed
}

/** The function or state variable that a range is in; `undefined` if there is none, or it reaches past the end. */
export function placeAt(source: IndexedSource, start: number, end: number): Place | undefined {
  const { outline, text } = source
  if (start < 0 || end < start || end > text.size) return undefined
  const callable = innermost(outline.callables, start, end)
  const variable = callable ? undefined : innermost(outline.variables, start, end)
  if (!callable && !variable) return undefined
  const whole = callable && callable.start === start && callable.end === end
  return { source, start, end, callable, variable, isInside: !whole }
}

/** The source of a function, among those prepared so far. */
export function sourceOfCallable(build: Build, callable: Callable): IndexedSource | undefined {
  for (const source of build.sources) {
    const indexed = SOURCES.get(source)
    if (indexed?.outline.callables.includes(callable)) return indexed
  }
  return undefined
}
