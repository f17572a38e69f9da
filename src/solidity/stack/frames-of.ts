import type { CallGraph } from '#solidity/source/graph.ts'
import type { Callable } from '#solidity/source/outline.ts'
import type { IndexedSource, Place } from '#solidity/source/source-index.ts'
import type { Activations } from './activations.ts'
import { type FrameBase, frameAtPlace, frameWithoutLine, type StackFrame } from './stack-frame.ts'

/** What is known about one frame of the trace at one step. */
export interface Situation {
  readonly base: FrameBase
  readonly activations: Activations
  /** The function that was called from outside. */
  readonly entry: Callable | undefined
  readonly graph: CallGraph | undefined
  readonly sourceOf: (callable: Callable) => IndexedSource | undefined
  /** The place of the step; `undefined` if it is not certain. */
  readonly place: Place | undefined
  /** Whether functions may have been inlined. */
  readonly isOptimized: boolean
}

/** The lines of the stack trace for one frame of the trace, innermost first. */
export function framesOf(situation: Situation): StackFrame[] {
  const { activations, base, entry, isOptimized, place } = situation
  const { running } = activations
  const functions: Running[] = withoutPlaceholders(running).filter(({ callable }, i, all) => {
    // What runs in a modifier may have been inlined into it, so only a place within it shows that it is the modifier itself.
    if (!isOptimized || callable.kind !== 'modifier') return true
    const inner = all[i + 1] ? all[i + 1]?.site : place
    return inner?.callable === callable
  })
  const outermost = functions[0]
  // The entry was inlined into the dispatcher.
  const isMissing = entry && (!outermost || (isOptimized && outermost.callable !== entry))
  if (isMissing) functions.unshift({ callable: entry, site: undefined })
  if (functions.length === 0) {
    return place ? [frameAtPlace(base, place)] : [frameWithoutLine(base)]
  }
  const frames: StackFrame[] = []
  for (let i = functions.length - 1; i >= 0; i--) {
    const { callable } = functions[i] as Running
    const next = functions[i + 1]
    frames.push(...inFunction(situation, callable, next ? next.site : place, next?.callable))
  }
  // Called by a constructor, which no jump enters.
  if (outermost?.site && !isMissing && !isPlaceholder(outermost.site)) {
    frames.push(
      ...(entry
        ? inFunction(situation, entry, outermost.site, outermost.callable)
        : [frameAtPlace(base, outermost.site)]),
    )
  }
  return frames
}

interface Running {
  readonly callable: Callable
  /** Where it was called. */
  readonly site: Place | undefined
}

/** Whether a place is the `_` of a modifier. */
function isPlaceholder({ source, start, end }: Place): boolean {
  return source.text.slice(start, end) === '_'
}

/**
 * Newer compilers turn modifiers, and the code in place of their `_`, into functions. In the sources the function itself
 * runs there, with the modifier around it.
 */
function withoutPlaceholders(running: readonly Running[]): Running[] {
  const kept: Running[] = []
  for (const next of running) {
    const { callable, site } = next
    if (!site || !isPlaceholder(site)) {
      kept.push(next)
      continue
    }
    if (callable.kind === 'modifier') {
      // The modifier before it called this one on behalf of the function.
      const before = kept.pop()
      kept.push({ callable, site: before?.site })
    } else {
      const at = kept.findLastIndex((each) => each.callable === callable)
      if (at >= 0) kept.length = at + 1
      else kept.push(next)
    }
  }
  return kept
}

/**
 * The lines for one running function: mostly one, more if the place is in a modifier or an inlined function.
 *
 * @param called - What it called; `undefined` for the innermost.
 */
function inFunction(
  situation: Situation,
  callable: Callable,
  place: Place | undefined,
  called: Callable | undefined,
): StackFrame[] {
  const { base } = situation
  if (!place) {
    const at = called && pathTo(situation, callable, called)
    return at ? at.map((each) => frameAtPlace(base, each)) : [withoutLine(situation, callable)]
  }
  if (!place.callable || place.callable === callable) return [frameAtPlace(base, place)]
  // The place is in a function that was inlined into this one.
  const path = pathTo(situation, callable, place.callable)
  const around = path ? path.map((each) => frameAtPlace(base, each)) : [withoutLine(situation, callable)]
  return [frameAtPlace(base, place), ...around]
}

function withoutLine({ base, sourceOf }: Situation, callable: Callable): StackFrame {
  return frameWithoutLine(base, callable, sourceOf(callable)?.path)
}

/** Longest chain of functions inlined into each other. */
const PATH_LIMIT = 16
/** Most functions searched for a chain, as what each of them calls has to be looked up. */
const AMONG_LIMIT = 2_000

/** The places of the calls that lead from one function to another, innermost first, if there is only one path. */
function pathTo({ graph, sourceOf, isOptimized }: Situation, from: Callable, to: Callable): Place[] | undefined {
  const source = sourceOf(from)
  if (!source || (!graph && isOptimized)) return undefined
  if (graph && (isOptimized || to.kind === 'constructor')) return onlyPath(graph, from, to, PATH_LIMIT)
  // Not inlined: it was called from here.
  const direct = directCalls(graph, from, to, source)
  return direct.length === 1 ? direct : undefined
}

function onlyPath(graph: CallGraph, from: Callable, to: Callable, depth: number): Place[] | undefined {
  const source = graph.sourceOf(from)
  if (!source || depth === 0) return undefined
  const direct = directCalls(graph, from, to, source)
  const reachable = graph.reachableFrom([from])
  if (reachable.size > AMONG_LIMIT) return undefined
  const between = [...reachable].filter(
    (callable) => callable !== from && callable !== to && graph.reachableFrom([callable]).has(to),
  )
  if (direct.length === 1 && between.every((callable) => directCalls(graph, from, callable, source).length === 0))
    return direct
  if (direct.length > 0) return undefined
  const steps = between.flatMap((callable) =>
    directCalls(graph, from, callable, source).map((place) => ({ callable, place })),
  )
  const [step] = steps
  if (!step || steps.length > 1) return undefined
  const rest = onlyPath(graph, step.callable, to, depth - 1)
  return rest && [...rest, step.place]
}

/** Places that call a function, or name it as a modifier or base constructor. */
function directCalls(graph: CallGraph | undefined, from: Callable, to: Callable, source: IndexedSource): Place[] {
  const invoked = from.invocations.filter(({ target, name }) =>
    to.kind === 'constructor'
      ? target !== undefined && target === to.contract?.id
      : to.kind === 'modifier' && name === to.name,
  )
  return [...(graph?.callsBetween(from, to) ?? []), ...invoked].map(({ start, end }) => ({
    source,
    start,
    end,
    callable: from,
    variable: undefined,
    isInside: true,
  }))
}
