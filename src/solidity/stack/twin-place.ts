import type { CallGraph } from '#solidity/source/graph.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { rangeInSameShape } from '#solidity/source/shape.ts'
import type { Place } from '#solidity/source/source-index.ts'

/**
 * The place in the running function that corresponds to one in another of the same shape, with which the compiler merged it.
 *
 * @returns `undefined` if the two differ in more than names and numbers.
 */
export function placeInTwin(
  place: Place,
  running: Callable | undefined,
  graph: CallGraph | undefined,
): Place | undefined {
  const source = running && graph?.sourceOf(running)
  const from = place.callable?.body
  const to = running?.body
  if (!running || !source || !from || !to) return undefined
  const range = rangeInSameShape(
    { start: place.start - from.start, end: place.end - from.start },
    place.source.text.slice(from.start, from.end),
    source.text.slice(to.start, to.end),
  )
  if (!range) return undefined
  const [start, end] = [range.start + to.start, range.end + to.start]
  return { source, start, end, callable: running, variable: undefined, isInside: true }
}
