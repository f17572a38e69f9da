import type { CoveredFile } from '#coverage/coverage-map.ts'

/** Hits of each line that something begins on, by line. */
export function lineHits({ data: { statementMap, s } }: CoveredFile): ReadonlyMap<number, number> {
  const hits = new Map<number, number>()
  for (const [id, { start }] of Object.entries(statementMap)) {
    hits.set(start.line, Math.max(hits.get(start.line) ?? 0, s[id] ?? 0))
  }
  return new Map([...hits].toSorted(([a], [b]) => a - b))
}

/** Hits of each function, by name. */
export function functionHits({ data: { fnMap, f } }: CoveredFile): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(fnMap).map(([id, { name }]) => [name, f[id] ?? 0]))
}

/** How often each decision went each way: `14 if: 0, 1`. */
export function branchHits({ data: { branchMap, b } }: CoveredFile): readonly string[] {
  return Object.entries(branchMap).map(([id, { line, type }]) => `${line} ${type}: ${b[id]?.join(', ')}`)
}
