/** A place where two answers to the same question differ. */
export interface Change {
  /** `gasUsed`, `transactions[0].hash`; empty where the whole value is meant. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Where two JSON values differ, in the order of the later one.
 *
 * @param limit - Finds no more than these.
 */
export function changedPaths(before: unknown, after: unknown, limit: number): readonly Change[] {
  const changes: Change[] = []
  compare(before, after, '')
  return changes

  function compare(a: unknown, b: unknown, path: string): void {
    if (changes.length >= limit || a === b) return
    if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
      changes.push({ path, before: a, after: b })
      return
    }
    for (const key of new Set([...Object.keys(b), ...Object.keys(a)])) {
      const inner = Array.isArray(b) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      compare(a[key], b[key], inner)
    }
  }
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
