import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { AbiEntry } from '#solidity/build/build.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import type { FailurePoint } from '#solidity/source/failure-points.ts'
import type { CallGraph } from '#solidity/source/graph.ts'
import { type Callable, innermost } from '#solidity/source/outline.ts'
import { indexSource, type Place, sourceOfCallable } from '#solidity/source/source-index.ts'
import { type ParsedTrace, parseTrace } from '#solidity/trace/parsed-trace.ts'
import { activationsAt } from './activations.ts'
import { certainSteps } from './certain-steps.ts'
import { type Failure, failure, failureOfData, failureOfError } from './failure.ts'
import { entryNameOf, frameEntry, graphOf } from './frame-entry.ts'
import { framesOf } from './frames-of.ts'
import { isAssembly, pinpoint, type Question, withinAssembly } from './pinpoint.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import { type FrameBase, frameAtPlace, frameWithoutLine, type StackFrame } from './stack-frame.ts'
import { createFrameCodes, type FrameCode, opcodeAt } from './traced-code.ts'

/** Why an execution failed, and where. */
export interface Explanation {
  readonly failure: Failure
  /** Innermost first, as stack traces are printed. Empty if no code ran. */
  readonly frames: readonly StackFrame[]
  /** Where a contract reverted again with the data of a failed call, if that is not the call itself. */
  readonly rethrownAt: StackFrame | undefined
}

/**
 * Explains why an execution failed; `undefined` if it did not. A line is either right or left out.
 *
 * @param index - Code of all known builds.
 * @throws {TraceError} If the trace is inconsistent.
 */
export function explainFailure(trace: RpcExecutionTrace, index: CodeIndex): Explanation | undefined {
  const parsed = parseTrace(trace)
  if (trace.frames[0]?.error === null) return undefined
  return new Explainer(parsed, createFrameCodes(parsed, index)).explain(0)
}

/** Calls and reverts in inline assembly. */
const CALLS = /\b(?:call|callcode|delegatecall|staticcall|create2?)\s*\(/g
const REVERTS = /\b(?:revert|invalid)\s*\(/g
const EXTCODESIZE = 0x3b
const RETURNDATACOPY = 0x3e
const MSTORE = 0x52
const MSTORE8 = 0x53
const MCOPY = 0x5e
/** Most steps from a call to the check of its return data. */
const DECODING_STEPS = 200
/** Most steps from EXTCODESIZE to the revert if there is no code. */
const NO_CODE_STEPS = 16

class Explainer {
  readonly #parsed: ParsedTrace
  readonly #codeOf: (frame: number) => FrameCode | undefined

  constructor(parsed: ParsedTrace, codeOf: (frame: number) => FrameCode | undefined) {
    this.#parsed = parsed
    this.#codeOf = codeOf
  }

  /** Follows the failure inwards. A loop, as frames may be a thousand deep. */
  explain(outermost: number): Explanation {
    const around: StackFrame[][] = []
    let rethrownAt: StackFrame | undefined
    for (let frame = outermost; ; ) {
      const cause = this.#causeOf(frame)
      if (cause === undefined) {
        const own = this.#own(frame)
        return { failure: own.failure, frames: [...own.frames, ...around.toReversed().flat()], rethrownAt }
      }
      around.push(this.#framesAt(frame, this.#callStep(cause.child), isCallPoint))
      rethrownAt ??= cause.rethrownAt
      frame = cause.child
    }
  }

  #frame(frame: number): RpcExecutionFrame {
    return this.#parsed.trace.frames[frame] as RpcExecutionFrame
  }

  /** The failed call that made a frame fail, if it did not fail by itself. */
  #causeOf(frame: number): { child: number; rethrownAt: StackFrame | undefined } | undefined {
    const { error, output, endStep } = this.#frame(frame)
    const children = this.#parsed.children[frame] ?? []
    const child = children.findLast((each) => this.#frame(each).error !== null)
    if (child === undefined || error !== 'execution reverted') return undefined
    const inner = this.#frame(child)
    if (inner.output !== output) return undefined
    const passed = this.#passingOn(frame, inner.endStep)
    if (passed === 'directly') return { child, rethrownAt: undefined }
    if (passed === 'not' || output === '0x') return undefined
    // The data went through memory: it was rethrown, or a statement of the source reverts with the same data.
    const last = endStep - 1
    const end = this.#placeAt(frame, last, pointOf(this.#toldBy(frame)))
    if (end ? this.#isOwnRevert(frame, end) : this.#mayRevertItself(frame)) return undefined
    const call = this.#placeAt(frame, this.#callStep(child), isCallPoint)
    if (!end || !call || this.#isSameStatement(end, call)) return { child, rethrownAt: undefined }
    return { child, rethrownAt: frameAtPlace(this.#base(frame, last), end) }
  }

  /**
   * Whether a frame reverted with the data of its last call, which it has to copy first. If it writes nothing to memory
   * afterwards, it passes on the copy unchanged.
   */
  #passingOn(frame: number, from: number): 'directly' | 'through memory' | 'not' {
    const code = this.#codeOf(frame)
    if (!code) return 'not'
    let passing: 'directly' | 'through memory' | 'not' = 'not'
    for (const { start, end } of this.#parsed.segmentsOf(frame)) {
      for (let step = Math.max(start, from); step < end; step++) {
        const op = code.bytes[this.#parsed.pcs[step] as number]
        if (op === RETURNDATACOPY) passing = 'directly'
        else if (passing === 'directly' && (op === MSTORE || op === MSTORE8 || op === MCOPY)) passing = 'through memory'
      }
    }
    return passing
  }

  #isCallPlace(frame: number, place: Place): boolean {
    const graph = this.#graph(frame)
    const { callable, start, end } = place
    if (!graph || !callable) return false
    return graph.pointsIn(callable).some((point) => point.kind === 'call' && point.start === start && point.end === end)
  }

  #isOwnRevert(frame: number, place: Place): boolean {
    const { source, callable, start, end } = place
    const graph = this.#graph(frame)
    if (!callable) return false
    const text = source.text.slice(start, end)
    // Data that panics can only be passed on in assembly.
    if (this.#toldBy(frame).kind === 'panic') return !isAssembly(place) && !/^(?:assembly|revert)\b/.test(text)
    if (!graph) return isRevert(text)
    return graph
      .pointsIn(callable)
      .some((point) => (point.kind === 'reason' || point.kind === 'custom') && point.start <= start && point.end >= end)
  }

  /** Whether some statement that can run in a frame reverts with data like that of the frame. */
  #mayRevertItself(frame: number): boolean {
    const { graph, starts } = frameEntry(this.#frame(frame), this.#codeOf(frame))
    const matches = pointOf(this.#toldBy(frame))
    if (!graph || !matches) return false
    return [...graph.reachableFrom(starts)].some((callable) =>
      graph.pointsIn(callable).some((point) => REVERTING.has(point.kind) && matches(point)),
    )
  }

  #isSameStatement(one: Place, other: Place): boolean {
    if (one.source !== other.source) return false
    const { statements } = one.source.outline
    const [a, b] = [one, other].map(({ start, end }) => innermost(statements, start, end))
    if (statements.length === 0 || !a || !b)
      return one.source.text.lineAt(one.start) === one.source.text.lineAt(other.start)
    return a === b
  }

  /** The step of the call that entered a frame: the one before its first. */
  #callStep(child: number): number {
    return this.#frame(child).firstStep - 1
  }

  #base(frame: number, step: number | undefined): FrameBase {
    const recognised = this.#codeOf(frame)?.recognised
    return { frame, step, address: this.#frame(frame).codeAddress, code: recognised?.contract.name }
  }

  #graph(frame: number): CallGraph | undefined {
    return graphOf(this.#frame(frame), this.#codeOf(frame))
  }

  #question(frame: number, step: number, matches: ((point: FailurePoint) => boolean) | undefined) {
    const code = this.#codeOf(frame)
    if (!code) return undefined
    const into = frameEntry(this.#frame(frame), code)
    const { graph, entry, starts, entryName } = into
    const certainty = certainSteps(this.#parsed, frame, code, step)
    const activations = activationsAt(this.#parsed, frame, code, step, certainty, into)
    const known = { parsed: this.#parsed, frame, code, graph, activations, certainty, entry: starts, entryName }
    const question = { ...known, step, matches, isCall: matches === isCallPoint }
    return { question, activations, entry, graph, code }
  }

  #placeAt(frame: number, step: number, matches: ((point: FailurePoint) => boolean) | undefined): Place | undefined {
    const asked = this.#question(frame, step, matches)
    return asked && this.#place(asked.question)
  }

  #place(question: Question): Place | undefined {
    const { code, parsed, step } = question
    const { isCall } = question
    // A call in assembly is a failure point of its own.
    const own = code.placeOf(code.mapped?.at[parsed.pcs[step] as number] ?? -1)
    const place = isCall && own?.isInside && isAssembly(own) ? own : pinpoint(question)
    return place && withinAssembly(place, isCall ? CALLS : REVERTS)
  }

  #framesAt(frame: number, step: number, matches: ((point: FailurePoint) => boolean) | undefined): StackFrame[] {
    const base = this.#base(frame, step)
    const asked = this.#question(frame, step, matches)
    if (!asked?.code.recognised) return asked ? [frameWithoutLine(base)] : []
    const { question, activations, entry, graph, code } = asked
    const { build } = asked.code.recognised
    const sourceOf = (callable: Callable) => graph?.sourceOf(callable) ?? sourceOfCallable(build, callable)
    return framesOf({
      base,
      activations,
      entry,
      graph,
      sourceOf,
      place: this.#place(question),
      isOptimized: code.isOptimized,
    })
  }

  /** A failure of the frame itself. */
  #own(frame: number): Pick<Explanation, 'failure' | 'frames'> {
    const { error, output, endStep, firstStep } = this.#frame(frame)
    const code = this.#codeOf(frame)
    const recognised = code?.recognised
    if (error !== 'execution reverted') {
      const words = failureOfError(error ?? '')
      if (endStep === firstStep || !code) return { failure: words, frames: [] }
      // The constructor has finished; it was its result that was refused.
      if (words.kind === 'code-size' || words.kind === 'creation') {
        return { failure: words, frames: [frameWithoutLine(this.#base(frame, endStep - 1))] }
      }
      return { failure: words, frames: this.#framesAt(frame, endStep - 1, undefined) }
    }
    const refused = output === '0x' && recognised ? this.#refusal(frame, recognised) : undefined
    if (refused && recognised)
      return { failure: refused.failure, frames: [this.#refusedFrame(frame, recognised, refused)] }
    const told = this.#toldBy(frame)
    const frames = this.#framesAt(frame, endStep - 1, pointOf(told))
    return { failure: told.kind === 'bare' ? this.#bare(frame, told) : told, frames }
  }

  #toldBy(frame: number): Failure {
    const recognised = this.#codeOf(frame)?.recognised
    return failureOfData(this.#frame(frame).output, recognised ? abisOf(recognised) : [])
  }

  #refusal(frame: number, recognised: RecognisedCode): Refusal | undefined {
    const graph = this.#graph(frame)
    const isLibrary = graph ? graph.contracts[0]?.kind === 'library' : isLibraryCode(recognised)
    return refusalOf(this.#frame(frame), recognised, isLibrary)
  }

  /** The line of the function or contract that refused the call. */
  #refusedFrame(frame: number, recognised: RecognisedCode, { entry, selector }: Refusal): StackFrame {
    const { build, contract } = recognised
    const base = this.#base(frame, this.#frame(frame).endStep - 1)
    const graph = this.#graph(frame)
    const built = build.sources.find(({ path }) => path === contract.path)
    const source = built && indexSource(built)
    const outline = source?.outline.contracts.find(({ name }) => name === contract.name)
    if (!source || !outline) return frameWithoutLine(base)
    const named = selector === undefined ? undefined : graph?.bySelector(selector)
    const name = entryNameOf(this.#frame(frame), recognised)
    const alike = source.outline.callables.filter(
      (callable) => callable.contract === outline && callable.kind === entry && callable.name === name,
    )
    const inherited = entry === 'fallback' || entry === 'receive' ? graph?.ofKind(entry) : undefined
    const [only] = alike.length === 1 ? alike.map((callable) => ({ callable, source })) : []
    const found = (named && 'callable' in named ? named : inherited) ?? only
    if (found) {
      const { start, end } = found.callable
      return frameAtPlace(base, { ...found, start, end, variable: undefined, isInside: false })
    }
    if (named && !('callable' in named)) {
      return frameAtPlace(base, {
        source,
        start: named.start,
        end: named.end,
        callable: undefined,
        variable: named,
        isInside: true,
      })
    }
    if (entry === 'function' || alike.length > 1) return frameWithoutLine(base)
    const position = source.text.positionAt(outline.start)
    const text = source.text.lineText(position.line).trim()
    return {
      ...base,
      contract: contract.name,
      function: undefined,
      kind: undefined,
      file: source.path,
      ...position,
      text,
    }
  }

  /** A revert without data may come from a check that the compiler added. */
  #bare(frame: number, told: Failure): Failure {
    const { endStep } = this.#frame(frame)
    const code = this.#codeOf(frame)
    const { pcs } = this.#parsed
    const [segment] = this.#parsed.segmentsOf(frame).slice(-1)
    if (!code || !segment) return told
    for (let step = endStep - 1; step >= Math.max(segment.start, endStep - NO_CODE_STEPS); step--) {
      if (opcodeAt(code, pcs[step] as number) === EXTCODESIZE) {
        return failure('non-contract', 'an account without code was called as a contract')
      }
    }
    const last = this.#parsed.children[frame]?.at(-1)
    if (last === undefined || endStep - segment.start > DECODING_STEPS) return told
    const inner = this.#frame(last)
    if (inner.error !== null || inner.type.startsWith('CREATE')) return told
    const call = this.#placeAt(frame, this.#callStep(last), isCallPoint)
    const end = this.#placeAt(frame, endStep - 1, ({ kind }) => kind === 'bare' || kind === 'call')
    if (!call || !end || !this.#isCallPlace(frame, end) || !this.#isSameStatement(call, end)) return told
    return inner.code === null && inner.output === '0x'
      ? failure('non-contract', 'an account without code was called as a contract')
      : failure('invalid-return-data', 'the called contract returned data of another type than expected')
  }
}

/** Points that fail with data of their own. */
const REVERTING: ReadonlySet<FailurePoint['kind']> = new Set(['reason', 'custom', 'panic'])

/** Whether a text is a statement that reverts; in assembly `revert` has two arguments. */
function isRevert(text: string): boolean {
  return /^require\s*\(|^revert\s+[\w$.]+\s*\(|^revert\s*\((?:[^,"'()]|\([^()]*\)|"[^"]*"|'[^']*')*\)$/.test(text)
}

function isCallPoint({ kind }: FailurePoint): boolean {
  return kind === 'call' || kind === 'low-level call'
}

/** Matches the failure points that fail like this; `undefined` if any of them can. */
function pointOf({ kind, message, error, panicCode }: Failure): ((point: FailurePoint) => boolean) | undefined {
  switch (kind) {
    case 'reason':
      return (point) => point.kind === 'reason' && (point.text === undefined || point.text === message)
    case 'custom-error':
      return (point) => point.kind === 'custom' && point.error === error?.name
    case 'unknown-error':
      return ({ kind: at }) => at === 'custom'
    case 'panic':
      // Many places allocate memory or read storage.
      if (panicCode === 0x41 || panicCode === 0x22) return undefined
      return (point) => point.kind === 'panic' && point.code === panicCode
    case 'bare':
      return ({ kind: at }) => at === 'bare' || at === 'call'
    default:
      return undefined
  }
}

/** ABI entries of the contract, then of its build, for errors of libraries and called contracts. */
function* abisOf({ build, contract }: RecognisedCode): Generator<readonly AbiEntry[]> {
  yield contract.abi
  for (const { abi } of build.contracts) yield abi
}

/** A library's code begins with its own address. */
function isLibraryCode({ code }: RecognisedCode): boolean {
  return !code.bytes.subarray(1, 21).some((byte) => byte !== 0) && code.bytes[0] === 0x73
}
