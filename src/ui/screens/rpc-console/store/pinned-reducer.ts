/** The node's answer to a request. */
export type PinnedAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string }

/** The newest partial block at a moment, as seen by the page. */
export interface ChainMoment {
  readonly blockNumber: number
  readonly partialIndex: number
}

/** A request that runs again at every new partial block. */
export interface PinnedRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  /** `undefined` before the first answer. */
  readonly answer: PinnedAnswer | undefined
  /** Number of answers. */
  readonly runs: number
  /** How often the answer changed. */
  readonly changes: number
  /** The last time it changed, and what changed then. */
  readonly lastChange: { readonly at: ChainMoment; readonly places: readonly Change[] } | undefined
  /** Whether the newest answer differed from the one before. */
  readonly changedNow: boolean
}

/** More than a handful would keep the node busy. */
export const MAX_PINS = 5
/** How many changed paths are named. */
const MAX_PLACES = 4

/** A request that has just been pinned. */
export function pinOf(id: number, method: string, params: readonly unknown[]): PinnedRequest {
  return { id, method, params, answer: undefined, runs: 0, changes: 0, lastChange: undefined, changedNow: false }
}

/** The pinned request after one more answer. */
export function withAnswer(pin: PinnedRequest, answer: PinnedAnswer, at: ChainMoment): PinnedRequest {
  const runs = pin.runs + 1
  const places = pin.answer ? changedPaths(contentOf(pin.answer), contentOf(answer), MAX_PLACES) : []
  if (places.length === 0) return { ...pin, answer, runs, changedNow: false }
  return { ...pin, answer, runs, changes: pin.changes + 1, lastChange: { at, places }, changedNow: true }
}

function contentOf(answer: PinnedAnswer): unknown {
  return answer.ok ? answer.result : { error: answer.message }
}

/** A path at which two answers to the same request differ. */
export interface Change {
  /** A place such as `gasUsed` or `transactions[0].hash`; empty for the whole value. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Paths at which two JSON values differ, in the later value's order.
 *
 * @param limit - The most paths to find.
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
