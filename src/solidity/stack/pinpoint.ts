import type { FailurePoint } from '#solidity/source/failure-points.ts'
import type { CallGraph } from '#solidity/source/graph.ts'
import { type Callable, innermost, type SourceRange } from '#solidity/source/outline.ts'
import { shapeOfText } from '#solidity/source/shape.ts'
import type { IndexedSource, Place } from '#solidity/source/source-index.ts'
import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'
import type { Activations } from './activations.ts'
import type { Certainty } from './certain-steps.ts'
import type { FrameCode } from './traced-code.ts'
import { placeInTwin, withoutTwins } from './twins.ts'

/** Most steps that are searched for places, back from the end of a frame. */
const STEPS_LOOKED_AT = 4_096
const JUMPI = 0x57
const CREATE = 0xf0

/** A step of a frame to find in the sources. */
export interface Question {
  readonly parsed: ParsedTrace
  readonly frame: number
  readonly code: FrameCode
  readonly graph: CallGraph | undefined
  readonly activations: Activations
  readonly certainty: Certainty
  /** The functions that a call from outside may enter, used if no activation is known. */
  readonly entry: readonly Callable[]
  /** Name of the function that was called from outside; empty for constructors and unnamed functions. */
  readonly entryName: string | undefined
  readonly step: number
  /** Which failure points can be the answer; `undefined` if any place can. */
  readonly matches: ((point: FailurePoint) => boolean) | undefined
  /** Whether it is the call of another frame. */
  readonly isCall: boolean
}

interface Candidate {
  readonly point: FailurePoint
  readonly callable: Callable
  readonly source: IndexedSource
}

/**
 * The place of a step in the sources; `undefined` if it is not certain.
 *
 * Of several blocks that do the same, the optimizer keeps one, with the place of that one, and it inlines small functions.
 * So in optimised code a place counts only if it agrees with what happened: the function that was called and the data that
 * it reverted with. If only one failure point agrees, that is the answer.
 */
export function pinpoint(question: Question): Place | undefined {
  const { code, activations } = question
  if (!code.mapped) return undefined
  if (code.isOptimized) return question.graph ? byCandidates(question, question.graph) : byUnsharedBlock(question)
  const place = placeOfStep(question, question.step)
  if (place?.isInside) return place
  return activations.trailing.at(-1)?.place ?? (question.graph && byCandidates(question, question.graph))
}

function placeOfStep({ code, parsed }: Question, step: number): Place | undefined {
  return code.placeOf(code.mapped?.at[parsed.pcs[step] as number] ?? -1)
}

function byCandidates(question: Question, graph: CallGraph): Place | undefined {
  const { activations, entry, matches } = question
  // What a modifier is around may run as part of it.
  const newest = activations.running.findLast(({ callable }) => callable.kind !== 'modifier')?.callable
  const reachable = graph.reachableFrom(newest ? [newest] : entry)
  if (!matches) return ownPlace(question, reachable, graph)
  const candidates = [...reachable].flatMap((callable) => candidatesIn(graph, callable, question))
  const [first] = candidates
  if (first && candidates.every((other) => isSameLine(first, other))) return placeOfCandidate(first)
  return byEvidence(question, reachable, candidates, graph)
}

function candidatesIn(graph: CallGraph, callable: Callable, question: Question): Candidate[] {
  const { matches, isCall } = question
  const source = graph.sourceOf(callable)
  if (!source) return []
  return graph
    .pointsIn(callable)
    .filter((point) => {
      if (point.kind !== 'assembly') return matches?.(point)
      const text = source.text.slice(point.start, point.end)
      if (isCall) return CALLS.some((word) => text.includes(word))
      return REVERTS.some((word) => text.includes(word)) && mayRevertLike(text, question)
    })
    .map((point) => ({ point, callable, source }))
}

/** What assembly calls, and how it fails. */
const CALLS: readonly string[] = ['call', 'create']
const REVERTS: readonly string[] = ['revert', 'invalid']
/** Assembly that does nothing but revert with what the last call returned. */
const PASSES_ON =
  /^assembly\s*(?:\("[^"]*"\)\s*)?\{\s*(?:let\s+(\w+)\s*:=\s*mload\(0x40\)\s*)?returndatacopy\(\w+,\s*\w+,\s*returndatasize\(\)\)\s*revert\(\w+,\s*returndatasize\(\)\)\s*\}$/

const LENGTHS = /\brevert\s*\(\s*[\w$]+\s*,\s*(0x[\da-fA-F]+|\d+)\s*\)/g

/** Whether assembly may revert with data like that of the frame: of a call, or of the length that it names. */
function mayRevertLike(text: string, question: Question): boolean {
  if (PASSES_ON.test(text)) return hasLastData(question)
  const { error, output } = question.parsed.trace.frames[question.frame] ?? {}
  const lengths = [...text.matchAll(LENGTHS)].map(([, length]) => Number(length))
  const isAll = lengths.length === [...text.matchAll(/\b(?:revert|invalid)\b/g)].length
  return error !== 'execution reverted' || !isAll || lengths.includes(((output?.length ?? 2) - 2) / 2)
}

/** Whether a frame reverts with what its last call returned. */
function hasLastData({ parsed, frame }: Question): boolean {
  const { frames } = parsed.trace
  const last = frames[parsed.children[frame]?.at(-1) ?? -1]
  return last !== undefined && last.output === frames[frame]?.output
}

function placeOfCandidate({ point, callable, source }: Candidate): Place | undefined {
  // Found by its text, and its expression may begin on another line.
  if ('isVague' in point && point.isVague === true) return undefined
  return { source, start: point.start, end: point.end, callable, variable: undefined, isInside: true }
}

/** The instruction's own place, if no other code was merged into its block. */
function ownPlace(question: Question, reachable: ReadonlySet<Callable>, graph: CallGraph): Place | undefined {
  const place = placeOfStep(question, question.step)
  if (!place?.isInside || !place.callable || !reachable.has(place.callable)) return undefined
  return question.certainty.isCertain(question.step)
    ? withoutTwins(place, runningIn(question), reachable, graph)
    : undefined
}

/** The innermost function that is known to run. */
function runningIn({ activations, entry }: Question): Callable | undefined {
  return activations.running.at(-1)?.callable ?? (entry.length === 1 ? entry[0] : undefined)
}

/** Goes back to the last step with a known place, and takes the only candidate there. */
function byEvidence(
  question: Question,
  reachable: ReadonlySet<Callable>,
  candidates: readonly Candidate[],
  graph: CallGraph,
): Place | undefined {
  const { parsed, code, activations } = question
  if (activations.isIncomplete) return undefined
  const direct = byOwnPlace(question, reachable, candidates, graph)
  if (direct) return direct
  const newest = activations.running.at(-1)
  const least = newest?.step ?? -1
  const running = runningIn(question)
  let left = candidates
  let isNarrowed = false
  let branches = 0
  for (const step of stepsBefore(question)) {
    if (step <= least) return undefined
    const instruction = code.mapped?.at[parsed.pcs[step] as number] ?? -1
    const op = code.mapped?.ops[instruction] ?? 0
    if (op === JUMPI && step !== question.step) branches++
    if (!question.certainty.isCertain(step)) continue
    const place = code.placeOf(instruction)
    if (!place?.isInside || !place.callable || !reachable.has(place.callable)) continue
    if (
      !isNarrowed &&
      place.callable === running &&
      running.kind !== 'modifier' &&
      !isMovable(op, code.isViaIr) &&
      question.certainty.isStrict(step)
    ) {
      isNarrowed = true
      left = stillPossible(question, place, candidates)
      const [only] = left
      if (only && left.every((other) => isSameLine(only, other))) return placeOfCandidate(only)
      const called = byOwnPlace(question, reachable, left, graph)
      if (called) return called
    }
    // After a second branch, another check whose place is unknown may have failed. Via IR most checks have no place.
    const isLastBranch = branches === 1 && op === JUMPI
    const isClear =
      !code.isViaIr || (question.certainty.isStrict(step) && (isLastBranch || left.every(isRevertStatement)))
    if (branches > 1 || !isClear) {
      if (isNarrowed || branches > BRANCHES_LOOKED_AT) return undefined
      continue
    }
    const isGuarded =
      op === JUMPI && code.isViaIr && branches === 1 && left.every((each) => isBehindBranch(each, place))
    const fitting = left.filter((candidate) => (isGuarded ? isIn(candidate, place) : overlaps(candidate, place)))
    const [first] = fitting.toSorted((a, b) => a.point.end - a.point.start - (b.point.end - b.point.start))
    if (!first || !fitting.every((other) => isSameLine(first, other)) || left.some((other) => isTwin(first, other))) {
      if (isNarrowed) return undefined
      branches = 2
      continue
    }
    return placeOfCandidate(first)
  }
  return undefined
}

/** Whether it is a `revert` with an error: the branch to it has its place also via IR. */
function isRevertStatement({ point, source }: Candidate): boolean {
  return (
    point.kind === 'custom' && /^revert\s/.test(source.text.slice(point.start, Math.min(point.end, point.start + 10)))
  )
}

function isIn({ point, source }: Candidate, place: Place): boolean {
  return source === place.source && point.start >= place.start && point.end <= place.end
}

/** Whether a candidate is in an `if`: that of a place, or another, which needs a branch of its own. */
function isBehindBranch(candidate: Candidate, place: Place): boolean {
  const { point, source } = candidate
  return (
    isIn(candidate, place) ||
    source.outline.statements.some(
      ({ type, start, end }) =>
        type === 'IfStatement' &&
        start < point.start &&
        end >= point.end &&
        !(source === place.source && start <= place.start && end >= place.end),
    )
  )
}

/** Most branches to look past for a place that rules out what comes before it. */
const BRANCHES_LOOKED_AT = 64

/**
 * Whether an instruction may stand elsewhere than its place: it only puts a number on the stack, or words there in another
 * order. Via IR, arithmetic and memory may have the place where the same was first needed; branches and calls have their own.
 */
function isMovable(op: number, isViaIr: boolean): boolean {
  if (isViaIr) return op !== JUMPI && op < CREATE
  return op >= 0x50 && op <= 0x9f && op !== JUMPI && !(op >= 0x51 && op <= 0x56)
}

const LOOPS: ReadonlySet<string> = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement'])

/** What can still fail in the running function, and in what it calls, after it has reached a place. */
function stillPossible(question: Question, place: Place, candidates: readonly Candidate[]): readonly Candidate[] {
  const { graph } = question
  const { callable, source } = place
  if (!graph || !callable) return candidates
  const reached = statementAround(source, place, graph.hasIds)
  if (!reached) return candidates
  const { statements } = source.outline
  const loops = statements.filter(({ type, start, end }) => LOOPS.has(type) && start <= place.start && end >= place.end)
  const isOver = ({ start, end }: SourceRange) =>
    end <= reached.start && !loops.some((loop) => loop.start <= start && loop.end >= end)
  const later = [...graph.reachableFrom([callable])].filter(
    (callee) => callee !== callable && graph.callsBetween(callable, callee).some((call) => !isOver(call)),
  )
  const modifiers = [...graph.reachableFrom([callable])].filter(({ kind }) => kind === 'modifier')
  const called = graph.reachableFrom([...later, ...modifiers])
  return candidates.filter(
    (candidate) => called.has(candidate.callable) || (candidate.callable === callable && !isOver(candidate.point)),
  )
}

/** The statement that a place is in; without an AST only in functions without loops. */
function statementAround(source: IndexedSource, place: Place, hasStatements: boolean): SourceRange | undefined {
  if (hasStatements) return innermost(source.outline.statements, place.start, place.end)
  const body = place.callable?.body
  if (!body) return undefined
  const before = source.text.slice(body.start, place.start)
  if (/\b(?:for|while|do|assembly)\b/.test(source.text.slice(body.start, body.end)) || /["'/]/.test(before))
    return undefined
  const start = body.start + Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) + 1
  // A character may have several bytes.
  return before.length === place.start - body.start ? { start, end: place.end } : undefined
}

/**
 * The candidate at the place of the failing instruction, or of the jump into generated code that failed. Via IR, generated
 * code has the place where it was first needed.
 */
function byOwnPlace(
  question: Question,
  reachable: ReadonlySet<Callable>,
  candidates: readonly Candidate[],
  graph: CallGraph,
): Place | undefined {
  const { trailing } = question.activations
  const { isViaIr } = question.code
  // Without an AST a point is only the sign of an operation.
  const isTyped = graph.hasIds
  if (isViaIr && trailing.length === 0) return undefined
  const own = placeOfStep(question, question.step)
  const found = trailing.length > 0 ? trailing[0]?.place : question.certainty.isCertain(question.step) ? own : undefined
  if (!found?.isInside || !found.callable) return undefined
  const isOther = !reachable.has(found.callable)
  const running = runningIn(question)
  const place = isOther ? placeInTwin(found, running, graph) : withoutTwins(found, running, reachable, graph)
  if (!place) return undefined
  const fitting = candidates.filter(({ point, source }) => {
    if (source !== place.source) return false
    // Via IR the place of a call may be that of an expression around it.
    if ((isViaIr || !isTyped) && point.start >= place.start && point.end <= place.end) return true
    return point.start <= place.start && point.end >= place.end
  })
  const [first] = fitting
  if (!first || !fitting.every((other) => isSameLine(first, other))) return undefined
  const isSure = !isOther && trailing[0]?.isStrict !== false
  const twins = candidates.filter((other) => isTwin(first, other))
  // Via IR, code of a loop is merged with that of another place of its function, even if nothing else seems to lead there.
  const isLoopTwin = (other: Candidate) => other.callable === first.callable && loopOf(other) !== loopOf(first)
  if (isSure ? isViaIr && twins.some(isLoopTwin) : twins.length > 0) return undefined
  return isTyped || isViaIr ? placeOfCandidate(first) : place
}

/** The innermost loop that a candidate is in. */
function loopOf({ point, source }: Candidate): SourceRange | undefined {
  return source.outline.statements
    .filter(({ type, start, end }) => LOOPS.has(type) && start <= point.start && end >= point.end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
}

function overlaps({ point, source }: Candidate, { source: other, start, end }: Place): boolean {
  if (source !== other) return false
  if (point.start <= start && point.end >= end) return true
  // A branch has the place of the whole statement, of which it may skip what fails.
  return (
    point.start >= start && point.end <= end && !BRANCHING.test(source.text.slice(start, Math.min(end, start + 10)))
  )
}

const BRANCHING = /^(?:if|for|while|do|try|unchecked)\b|^\{/

function isSameLine(one: Candidate, other: Candidate): boolean {
  return one.source === other.source && lineOf(one) === lineOf(other)
}

function lineOf({ point, source }: Candidate): number {
  return source.text.lineAt(point.start)
}

/** Two failure points with the same text compile to the same code. */
function isTwin(one: Candidate, other: Candidate): boolean {
  if (one === other || (one.source === other.source && one.point.start === other.point.start)) return false
  return shapeOf(one) === shapeOf(other)
}

function shapeOf({ point, source }: Candidate): string {
  return shapeOfText(source.text.slice(point.start, point.end))
}

/** All that can be checked without an AST: it is the running function, in code that nothing else was merged with. */
function byUnsharedBlock(question: Question): Place | undefined {
  const { activations, entryName } = question
  if (activations.isIncomplete) return undefined
  const own = placeOfStep(question, question.step)
  const place = own?.isInside ? own : activations.trailing[0]?.place
  if (!place?.callable || (place === own && !question.certainty.isCertain(question.step))) return undefined
  const running = activations.running.at(-1)?.callable
  const isRunning = running ? running === place.callable : entryName === place.callable.name
  return isRunning && place.callable.kind !== 'modifier' ? place : undefined
}

/** The frame's own steps from the one in question, backwards. */
function* stepsBefore({ parsed, frame, step }: Question): Generator<number> {
  let left = STEPS_LOOKED_AT
  for (const { start, end } of parsed.segmentsOf(frame).toReversed()) {
    for (let at = Math.min(end - 1, step); at >= start; at--) {
      if (left-- === 0) return
      yield at
    }
  }
}

/** Whether a place is inline assembly or part of it. */
export function isAssembly({ source, start, end }: Place): boolean {
  return innermost(source.outline.statements, start, end)?.type === 'InlineAssembly'
}

/**
 * Finds the line within inline assembly, for which the via-IR pipeline has no places.
 *
 * @param words - Matches the instructions that it may be.
 * @returns `undefined` if the assembly has several lines and not exactly one match.
 */
export function withinAssembly(place: Place, words: RegExp): Place | undefined {
  const { source, start, end } = place
  if (!/^assembly\b/.test(source.text.slice(start, Math.min(end, start + 9)))) return place
  if (source.text.lineAt(start) === source.text.lineAt(end)) return place
  const found = [...source.text.slice(start, end).matchAll(words)]
  const [only] = found
  if (!only || found.length > 1) return undefined
  // Count lines rather than characters: a character may have several bytes.
  const line = source.text.lineAt(start) + only.input.slice(0, only.index).split(/\r\n|\n|\r/).length - 1
  const at = source.text.offsetOf(line)
  return { ...place, start: Math.max(start, at), end: Math.max(start, at) }
}
