import { JUMP, type MappedCode } from '#solidity/code/source-map.ts'
import type { SourceRange } from '#solidity/source/outline.ts'
import type { IndexedSource } from '#solidity/source/source-index.ts'
import type { FrameCode } from './traced-code.ts'

const SITES = new WeakMap<MappedCode, ReadonlyMap<IndexedSource, ReadonlyMap<string, number>>>()

/** How many calls of functions or of generated code have exactly this place. */
export function callSitesAt(code: FrameCode, source: IndexedSource, { start, end }: SourceRange): number {
  const { mapped } = code
  if (!mapped) return 0
  const known = SITES.get(mapped) ?? countSites(code, mapped)
  SITES.set(mapped, known)
  return known.get(source)?.get(`${start}:${end}`) ?? 0
}

function countSites(code: FrameCode, { jumps }: MappedCode): ReadonlyMap<IndexedSource, ReadonlyMap<string, number>> {
  const all = new Map<IndexedSource, Map<string, number>>()
  jumps.forEach((kind, i) => {
    const place = kind === JUMP.into ? code.placeOf(i) : undefined
    if (!place) return
    const sites = all.get(place.source) ?? new Map<string, number>()
    all.set(place.source, sites)
    const key = `${place.start}:${place.end}`
    sites.set(key, (sites.get(key) ?? 0) + 1)
  })
  return all
}
