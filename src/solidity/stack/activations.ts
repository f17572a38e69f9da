import type { CallGraph } from '#solidity/source/graph.ts'
import type { Callable } from '#solidity/source/outline.ts'
import type { Place } from '#solidity/source/source-index.ts'
import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'
import type { Certainty } from './certain-steps.ts'
import type { FrameEntry } from './frame-entry.ts'
import { type InternalCall, internalCallsAt } from './internal-calls.ts'
import type { FrameCode } from './traced-code.ts'
import { hasTwin, placeInTwin, shapeOfBody, withoutTwins } from './twins.ts'

/** A running function, and the jump that entered it. */
export interface Activation {
  readonly callable: Callable
  /** Where it was called, if known; `undefined` for the first of a frame. */
  readonly site: Place | undefined
  /** Step of the jump. */
  readonly step: number
}

/** A jump into generated code. */
export interface Trailing {
  /** Where it was written; `undefined` if that is not certain. */
  readonly place: Place | undefined
  readonly step: number
  /** Whether nothing on the way there was shared. */
  readonly isStrict: boolean
}

export interface Activations {
  /** Outermost first. */
  readonly running: readonly Activation[]
  /** Jumps, since the last activation, into generated code that has not returned; outermost first. */
  readonly trailing: readonly Trailing[]
  /** Whether some running function could not be identified. */
  readonly isIncomplete: boolean
}

/** The functions that are running at a step. */
export function activationsAt(
  parsed: ParsedTrace,
  frame: number,
  code: FrameCode,
  last: number,
  { isCertain, isStrict }: Certainty,
  entry: FrameEntry,
): Activations {
  const running: Activation[] = []
  let trailing: Trailing[] = []
  let isIncomplete = false
  for (const call of internalCallsAt(parsed, frame, code, last)) {
    const place = code.placeOf(call.site)
    // Via IR equal calls share code that goes on elsewhere.
    const isOwn = code.isViaIr && code.isOptimized ? isStrict(call.step) : isCertain(call.step)
    const inside = place?.isInside && isCertain(call.step) ? place : undefined
    const callees = calleesOf(call, code, entry.graph)
    const { callable, site } = code.isOptimized
      ? certainCallee(callees, isOwn ? inside : undefined, running.at(-1)?.callable, entry, code.isViaIr)
      : { callable: callees[0], site: inside }
    const again = callable ? running.findIndex((each) => each.callable === callable) : -1
    if (callable && again >= 0 && code.isOptimized && entry.graph && !isRecursive(callable, entry.graph)) {
      // A loop at its beginning.
      running.length = again + 1
      trailing = []
    } else if (callable) {
      running.push({ callable, site, step: call.step })
      trailing = []
    } else {
      isIncomplete ||= callees.length > 0
      if (place?.isInside) trailing.push({ place: inside, step: call.step, isStrict: isStrict(call.step) })
    }
  }
  return { running, trailing, isIncomplete }
}

/** Whether a function may call itself, directly or through others. */
function isRecursive(callable: Callable, graph: CallGraph): boolean {
  return [...graph.reachableFrom([callable])].some((caller) => graph.callsBetween(caller, callable).length > 0)
}

/** The functions that a jump may enter: those that the compiler reports or else the one at its target's place. */
function calleesOf({ target }: InternalCall, code: FrameCode, graph: CallGraph | undefined): Callable[] {
  const pc = code.mapped?.pcs[target]
  const told = (pc === undefined ? undefined : code.entries.get(pc)) ?? []
  const callees = told.flatMap(({ id }) => (id === undefined ? [] : (graph?.byId(id)?.callable ?? [])))
  if (callees.length > 0) return callees
  if (graph?.hasIds && code.isOptimized && code.entries.size > 0) return []
  const place = code.placeOf(target)
  return place?.callable && !place.isInside ? [place.callable] : []
}

interface CertainCallee {
  readonly callable: Callable | undefined
  readonly site: Place | undefined
}

/**
 * The optimizer keeps one of several functions that do the same, whose name then stands for all. So in optimised code a function
 * counts only if the sources call it from the running one.
 */
function certainCallee(
  callees: readonly Callable[],
  found: Place | undefined,
  caller: Callable | undefined,
  { graph, entry, starts, entryName }: FrameEntry,
  isViaIr: boolean,
): CertainCallee {
  const none = { callable: undefined, site: undefined }
  const [first] = callees
  if (!first) return none
  if (!graph) {
    if (!caller && first.name === entryName) return { callable: first, site: found }
    // The place of the call may be that of another function that does the same.
    const isIn = found?.callable && (caller ? found.callable === caller : found.callable.name === entryName)
    return isIn && isCallOf(found, first) ? { callable: first, site: found } : none
  }
  const from = caller ?? entry
  if (!from) {
    const [only, ...others] = graph.hasIds ? [first] : callees.filter((callee) => starts.includes(callee))
    return only && others.length === 0 && !caller ? { callable: only, site: undefined } : none
  }
  if (!caller && callees.includes(from)) return { callable: from, site: undefined }
  const reachable = graph.reachableFrom([from])
  const possible = callees.filter((callee) => reachable.has(callee))
  // The called function shares its code with others.
  if (possible.length === 0 && !caller) return { callable: from, site: undefined }
  /** Whether what was entered may be a function: it is one of those there, or does the same. */
  const isLikeAny = (callable: Callable) =>
    callees.some((callee) => callee === callable || shapeOfBody(callee, graph) === shapeOfBody(callable, graph))
  const isOther = found?.callable !== undefined && !reachable.has(found.callable)
  const site = isOther ? placeInTwin(found, from, graph) : found && withoutTwins(found, from, reachable, graph)
  const written = site ? calledAt(site, reachable, graph, isViaIr ? isLikeAny : undefined) : []
  const [meant, ...others] = written
  if (meant && others.length === 0 && isLikeAny(meant)) {
    return { callable: meant, site: site && isViaIr ? onlyCallWithin(site, meant, graph) : site }
  }
  const [only] = possible
  if (!only || possible.length > 1 || hasTwin(only, reachable, graph)) return none
  return { callable: only, site: site && onlyCallWithin(site, only, graph) }
}

/** The only call of a function in an expression, whose place the jump has via IR. */
function onlyCallWithin(site: Place, callee: Callable, graph: CallGraph): Place | undefined {
  if (!site.callable) return undefined
  const calls = graph
    .callsBetween(site.callable, callee)
    .filter(({ start, end }) => start >= site.start && end <= site.end)
  const [only] = calls
  return only && calls.length === 1 ? { ...site, start: only.start, end: only.end } : undefined
}

/**
 * The functions that the source calls at a place: several if it can be overridden.
 *
 * @param isPossible - Given if the place may be that of an expression around the call: which functions it may be then.
 */
function calledAt(
  { callable, start, end }: Place,
  reachable: ReadonlySet<Callable>,
  graph: CallGraph,
  isPossible?: (callable: Callable) => boolean,
): Callable[] {
  if (!callable) return []
  return [...reachable].filter((callee) =>
    graph
      .callsBetween(callable, callee)
      .some((call) =>
        isPossible
          ? call.start >= start && call.end <= end && isPossible(callee)
          : call.start === start && call.end === end,
      ),
  )
}

/** Whether a place is a call of a function of this name. */
function isCallOf({ source, start, end }: Place, { name }: Callable): boolean {
  const [, called] = /^(?:[\w$]+\s*\.\s*)*([\w$]+)\s*\(/.exec(source.text.slice(start, end)) ?? []
  return called !== undefined && called === name
}
