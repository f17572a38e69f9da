import type { BranchMapping, FileCoverageData, FunctionMapping, Location, Range } from 'istanbul-lib-coverage'
import { isObject } from '#primitives/json-object.ts'
import type { Build, BuildSource } from '#solidity/build/build.ts'
import { type SourceText, sourceText } from '#solidity/source/lines.ts'
import type { SourceRange } from '#solidity/source/outline.ts'
import { addCode, type CountedSource, type ItemHits, noHits } from './attribute-hits.ts'
import type { CodeHits } from './code-hits.ts'
import { itemsOfLines } from './line-items.ts'
import { cleanName, isChosen, reportPath, type SourceChoice } from './own-sources.ts'
import { shapesOfText } from './shapes.ts'
import type { Hits } from './source-code.ts'
import { itemsOfAst, type SourceItems } from './source-items.ts'

/** Longest source of which something is reported, in characters, and most sources. */
const MAX_SOURCE = 2 << 20
const MAX_SOURCES = 5_000

/** Coverage of one source. */
export interface CoveredFile {
  /** As the compiler knows it. */
  readonly source: string
  readonly content: string
  readonly data: FileCoverageData
  /** Lines that ran only in frames that failed, or that were undone with one. */
  readonly undoneLines: readonly number[]
  /** Lines, and decisions, of which the executed code does not tell whether they ran. */
  readonly openLines: readonly number[]
  readonly openBranches: number
}

export interface CoveredSources {
  readonly files: readonly CoveredFile[]
  /** Sources that are left out, with why. */
  readonly leftOut: readonly { readonly source: string; readonly reason: string }[]
}

interface Candidate {
  readonly source: BuildSource
  readonly content: string
  readonly text: SourceText
  readonly counted: CountedSource
  wasExecuted: boolean
}

/**
 * Coverage of the sources of some builds.
 *
 * @param hits - What was executed of their codes.
 * @param current - The text that a source has now, `undefined` if the project has no such file: packages that are compiled
 * under a name of their own are none of its sources. By default all are.
 */
export function coverSources(
  builds: readonly Build[],
  hits: readonly CodeHits[],
  choice: SourceChoice = {},
  current?: (source: string) => string | undefined,
): CoveredSources {
  const leftOut: { source: string; reason: string }[] = []
  /** By path and text: several builds may have the same source, and one path several texts. */
  const candidates = new Map<string, Map<string, Candidate>>()
  const byBuild = new Map<Build, Map<number, Candidate>>()
  for (const build of builds) {
    const byId = new Map<number, Candidate>()
    byBuild.set(build, byId)
    for (const source of build.sources) {
      if (!isChosen(source.path, choice)) continue
      const candidate = candidateOf(build, source, candidates, leftOut)
      if (candidate) byId.set(source.id, candidate)
    }
  }
  for (const code of hits) {
    const byId = byBuild.get(code.recognised.build)
    addCode(code, (id) => {
      const candidate = byId?.get(id)
      if (candidate) candidate.wasExecuted = true
      return candidate?.counted
    })
  }
  const taken = new Set<string>()
  const files: CoveredFile[] = []
  for (const [path, texts] of [...candidates].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const all = [...texts.values()]
    const now = current?.(path)
    if (current && now === undefined && !choice.include) continue
    const chosen =
      all.findLast(({ wasExecuted }) => wasExecuted) ?? all.find(({ content }) => content === now) ?? all.at(-1)
    if (!chosen || chosen.counted.items.functions.length === 0) continue
    const others = all.filter((each) => each !== chosen && each.wasExecuted)
    if (others.length > 0) leftOut.push({ source: path, reason: 'another text of the same file was executed, too' })
    if (files.length === MAX_SOURCES)
      leftOut.push({ source: path, reason: `there are more than ${MAX_SOURCES} sources` })
    else files.push(fileOf(chosen, reportPath(path, taken)))
  }
  return { files, leftOut: uniqueOf(leftOut) }
}

function candidateOf(
  build: Build,
  source: BuildSource,
  candidates: Map<string, Map<string, Candidate>>,
  leftOut: { source: string; reason: string }[],
): Candidate | undefined {
  const { path, content, ast } = source
  const why =
    content === undefined
      ? 'its text is not in the build, or has changed since'
      : content.length > MAX_SOURCE
        ? `it has more than ${MAX_SOURCE} characters`
        : !isObject(ast) && (build.settings.optimizer || build.settings.viaIR)
          ? 'its build is optimised and has no AST: `ast = true` in foundry.toml'
          : undefined
  if (content === undefined || why !== undefined) {
    leftOut.push({ source: path, reason: why ?? '' })
    return undefined
  }
  const texts = candidates.get(path) ?? new Map<string, Candidate>()
  candidates.set(path, texts)
  const known = texts.get(content)
  if (known) return known
  const text = sourceText(content)
  const items = isObject(ast) ? itemsOfAst(ast) : itemsOfLines(build, source, content, text)
  const shapes = new Map<SourceRange, readonly string[]>()
  const shapesOf = (range: SourceRange) => {
    let found = shapes.get(range)
    if (!found) shapes.set(range, (found = shapesOfText(text.slice(range.start, range.end))))
    return found
  }
  const made = { source, text, content, counted: { items, hits: noHits(items), shapesOf }, wasExecuted: false }
  texts.set(content, made)
  return made
}

function uniqueOf(leftOut: readonly { source: string; reason: string }[]) {
  return [...new Map(leftOut.map((each) => [`${each.source} ${each.reason}`, each])).values()]
}

function fileOf({ source, content, text, counted: { items, hits } }: Candidate, path: string): CoveredFile {
  const data: FileCoverageData = { path, statementMap: {}, fnMap: {}, branchMap: {}, s: {}, f: {}, b: {} }
  const [kept, undone, open] = [new Set<number>(), new Set<number>(), new Set<number>()]
  items.statements.forEach((statement, index) => {
    const range = placeIn(text, statement.shown)
    const counted = statementHits(items, hits, index)
    if (!counted) {
      open.add(range.start.line)
      return
    }
    data.statementMap[index] = range
    data.s[index] = counted.all
    if (counted.all === 0) return
    if (counted.kept > 0) kept.add(range.start.line)
    else undone.add(range.start.line)
  })
  items.functions.forEach((item, index) => {
    const counted = functionHits(items, hits, index)
    if (counted === undefined) return
    const loc = placeIn(text, item)
    const decl = placeIn(text, item.head)
    const mapping: FunctionMapping = { name: cleanName(item.name), decl, loc, line: loc.start.line }
    data.fnMap[index] = mapping
    data.f[index] = counted
  })
  let openBranches = 0
  items.branches.forEach((branch, index) => {
    const counted = hits.branches[index]
    if (!counted && hits.isCompiled[branch.owner]) {
      openBranches++
      return
    }
    const loc = placeIn(text, branch)
    const locations = branch.ways.map((way) => placeIn(text, way))
    const mapping: BranchMapping = { loc, type: branch.kind, locations, line: loc.start.line }
    data.branchMap[index] = mapping
    data.b[index] = [...(counted ?? [0, 0])]
  })
  const told = new Set(Object.values(data.statementMap).map(({ start }) => start.line))
  return {
    source: source.path,
    content,
    data,
    undoneLines: [...undone].filter((line) => !kept.has(line)).toSorted((a, b) => a - b),
    openLines: [...open].filter((line) => !told.has(line)).toSorted((a, b) => a - b),
    openBranches,
  }
}

/** How often a statement ran: what executed code does not have did not; `undefined` if that is not clear. */
function statementHits({ statements }: SourceItems, hits: ItemHits, index: number): Hits | undefined {
  const owner = statements[index]?.owner ?? -1
  const counted = hits.statements[index]
  if (hits.isHidden[owner]) return counted && counted.all > 0 ? counted : undefined
  return counted ?? (hits.isCompiled[owner] ? undefined : { kept: 0, all: 0 })
}

/** As often as its first statement ran, or its own code if it is empty; `undefined` if that is not clear. */
function functionHits(items: SourceItems, hits: ItemHits, index: number): number | undefined {
  const own = hits.functions[index]?.all ?? 0
  const first = items.functions[index]?.first
  if (first === undefined) return hits.isUnclear[index] ? undefined : own
  const counted = statementHits(items, hits, first)?.all
  // A loop that a function begins with runs more often.
  if (counted !== undefined) return own > 0 ? Math.min(own, counted) : counted
  const inner = items.statements.flatMap(({ owner }, at) =>
    owner === index ? [statementHits(items, hits, at)?.all] : [],
  )
  if (inner.some((all) => all !== undefined && all > 0)) return 1
  return inner.every((all) => all === 0) ? 0 : undefined
}

/** Lines from 1, columns from 0, and no further than the text. */
function placeIn(text: SourceText, { start, end }: SourceRange): Range {
  const from = Math.min(start, text.size)
  return { start: locationAt(text, from), end: locationAt(text, Math.min(Math.max(from, end), text.size)) }
}

function locationAt(text: SourceText, offset: number): Location {
  const { line, column } = text.positionAt(offset)
  return { line, column: column - 1 }
}
