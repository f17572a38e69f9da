import type { CallGraph } from '#solidity/source/graph.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { rangeInSameShape, shapeOfText } from '#solidity/source/shape.ts'
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

/**
 * A place, unless it may be that of a twin: in code that was inlined into the running function, the compiler may have kept one
 * of two functions that do the same.
 *
 * @param reachable - What the running function may call.
 */
export function withoutTwins(
  place: Place,
  running: Callable | undefined,
  reachable: ReadonlySet<Callable>,
  graph: CallGraph,
): Place | undefined {
  const { callable } = place
  return callable && callable !== running && hasTwin(callable, reachable, graph) ? undefined : place
}

/** Whether one of several functions does the same as another of them, so the compiler may have kept one for both. */
export function hasTwin(callable: Callable, among: Iterable<Callable>, graph: CallGraph): boolean {
  const shape = shapeOfBody(callable, graph)
  return [...among].some((other) => other !== callable && shapeOfBody(other, graph) === shape)
}

const SHAPES = new WeakMap<Callable, string>()

/** The text of a function's body with every name and number replaced by the same letter. */
export function shapeOfBody(callable: Callable, graph: CallGraph): string {
  const known = SHAPES.get(callable)
  if (known !== undefined) return known
  const { start, end } = callable.body ?? callable
  const text = graph.sourceOf(callable)?.text.slice(start, end) ?? ''
  const shape = callable.body ? shapeOfText(text) : `${callable.id}`
  SHAPES.set(callable, shape)
  return shape
}
