import type { Callable } from '#solidity/source/outline.ts'
import type { IndexedSource, Place } from '#solidity/source/source-index.ts'
import type { FrameCode } from '#solidity/stack/traced-code.ts'

/** A source of a run, with its text. */
export interface StepSource {
  readonly path: string
  readonly content: string
}

/** A place in a source. Lines and columns count from 1, columns in UTF-16 units. */
export interface StepPlace {
  /** Index in the run's sources; −1 if the place is unknown. */
  readonly source: number
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** Index in the table's names, `Contract.function`; −1 if it is in no function. */
  readonly callable: number
  /** Whether it is only part of a function, so that the debugger can stop there. The whole function stands for its entry. */
  readonly isInside: boolean
}

/** The places of a run that were looked up so far. */
export interface PlaceTable {
  readonly sources: readonly StepSource[]
  readonly places: readonly StepPlace[]
  /** Names of functions. */
  readonly names: readonly string[]
  /** Index of an instruction's place; 0 if it is unknown. */
  readonly placeOf: (code: FrameCode, instruction: number, names: FrameNames) => number
}

/** Which functions a frame can be in. */
export interface FrameNames {
  readonly canRun: (callable: Callable) => boolean
  /** The function that was called from outside. */
  readonly entry: Callable | undefined
}

const NOWHERE: StepPlace = {
  ...{ source: -1, line: 0, column: 0, endLine: 0, endColumn: 0 },
  ...{ callable: -1, isInside: false },
}

/** Collects the places of a run, each once, with their sources and functions. */
export function createPlaceTable(): PlaceTable {
  const sources: StepSource[] = []
  const places: StepPlace[] = [NOWHERE]
  const names: string[] = []
  const sourceIds = new Map<IndexedSource, number>()
  const nameIds = new Map<string, number>()
  const placeIds = new Map<string, number>()
  /** For each call, the place of each instruction plus one; 0 if it was not looked up yet. */
  const found = new Map<FrameNames, Uint32Array>()

  function sourceId(source: IndexedSource): number {
    const known = sourceIds.get(source)
    if (known !== undefined) return known
    const { path, text } = source
    sources.push({ path, content: text.slice(0, text.size) })
    sourceIds.set(source, sources.length - 1)
    return sources.length - 1
  }
  function nameId({ contract, name, kind }: Callable): number {
    const text = [contract?.name, name || kind].filter(Boolean).join('.')
    const known = nameIds.get(text)
    if (known !== undefined) return known
    names.push(text)
    nameIds.set(text, names.length - 1)
    return names.length - 1
  }
  function placeId({ source, start, end, callable: written, isInside }: Place, { canRun, entry }: FrameNames): number {
    // Code with the place of a function that cannot run here does the same as one that does.
    const isOther = written !== undefined && !canRun(written)
    const callable = isOther ? (written.selector === undefined ? undefined : entry) : written
    const name = callable ? nameId(callable) : -1
    const key = `${sourceId(source)}:${start}:${end}:${name}`
    const known = placeIds.get(key)
    if (known !== undefined) return known
    const from = source.text.positionAt(start)
    const to = source.text.positionAt(end)
    places.push({
      source: sourceId(source),
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
      callable: name,
      isInside,
    })
    placeIds.set(key, places.length - 1)
    return places.length - 1
  }
  return {
    sources,
    places,
    names,
    placeOf(code, instruction, frameNames) {
      let ids = found.get(frameNames)
      if (!ids) found.set(frameNames, (ids = new Uint32Array(code.mapped?.ops.length ?? 0)))
      const known = ids[instruction]
      if (known === undefined) return 0
      if (known > 0) return known - 1
      const place = code.placeOf(instruction)
      const id = place ? placeId(place, frameNames) : 0
      ids[instruction] = id + 1
      return id
    },
  }
}
