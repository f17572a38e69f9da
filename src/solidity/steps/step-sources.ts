import type { Hash } from '#primitives/hex.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { canRunIn, frameEntry } from '#solidity/stack/frame-entry.ts'
import { InternalCalls } from '#solidity/stack/internal-calls.ts'
import { createFrameCodes } from '#solidity/stack/traced-code.ts'
import { parseTrace } from '#solidity/trace/parsed-trace.ts'
import { createPlaceTable, type FrameNames, type StepPlace, type StepSource } from './place-table.ts'
import { sweepSteps } from './sweep.ts'

/** Code of a run that belongs to a known contract. */
export interface KnownCode {
  readonly contract: string
  readonly path: string
  readonly compiler: string
  /** Whether the sources match to the last comment. */
  readonly isExact: boolean
  /** Whether the compiler merged code, so that a place may stand for another that does the same. */
  readonly isOptimized: boolean
}

/** The place of each step of a run in the sources. */
export interface StepSources {
  readonly sources: readonly StepSource[]
  /** The first stands for unknown places. */
  readonly places: readonly StepPlace[]
  /** Names of functions. */
  readonly names: readonly string[]
  /** For each step, an index into `places`. */
  readonly placeOf: Uint32Array
  /** Call depth of each step, counting frames and the functions inside them. */
  readonly depths: Uint16Array
  readonly codes: Readonly<Record<Hash, KnownCode>>
}

/** Largest depth that fits; deeper calls count as this deep. */
const DEEPEST = 0xffff

/**
 * Looks up every step of a run. Code that is not recognised has no places.
 *
 * @throws {TraceError} If the trace is inconsistent.
 */
export function stepSources(trace: RpcExecutionTrace, index: CodeIndex): StepSources {
  const { steps, frames } = trace
  const parsed = parseTrace(trace)
  const codeOf = createFrameCodes(parsed, index)
  const table = createPlaceTable()
  const placeOf = new Uint32Array(steps)
  const depths = new Uint16Array(steps)
  const known: Record<Hash, KnownCode> = {}
  const codes = frames.map(({ code: hash }, frame) => {
    const code = codeOf(frame)
    if (hash !== null && code?.recognised) known[hash] = describe(code.recognised)
    return code
  })
  const names = new Map<string, FrameNames>()
  const namesOf = frames.map((frame, at) => {
    // A loop may call the same function many times.
    const key = `${frame.type}:${frame.code}:${frame.input.slice(0, 10)}`
    const before = names.get(key)
    if (before) return before
    const made = { canRun: canRunIn(frame, codes[at]), entry: frameEntry(frame, codes[at]).entry }
    names.set(key, made)
    return made
  })
  const calls = codes.map((code) => code?.mapped && new InternalCalls(code.mapped))
  /** Depth at which each frame began. */
  const bases = new Uint16Array(frames.length)

  sweepSteps(parsed, {
    enter(frame, callStep) {
      bases[frame] = callStep === undefined ? 0 : Math.min(DEEPEST, (depths[callStep] as number) + 1)
    },
    step(frame, step, pc) {
      const code = codes[frame]
      const stack = calls[frame]
      depths[step] = bases[frame] as number
      if (!code?.mapped || !stack) return
      const instruction = code.mapped.at[pc] ?? -1
      stack.step(step, instruction)
      placeOf[step] = table.placeOf(code, instruction, namesOf[frame] as FrameNames)
      depths[step] = Math.min(DEEPEST, (bases[frame] as number) + stack.calls.length)
    },
  })
  return {
    sources: table.sources,
    places: table.places,
    names: table.names,
    placeOf,
    depths,
    codes: known,
  }
}

function describe({ build, contract, isExact }: RecognisedCode): KnownCode {
  const { optimizer, viaIR } = build.settings
  return {
    contract: contract.name,
    path: contract.path,
    compiler: build.compiler,
    isExact,
    isOptimized: optimizer || viaIR,
  }
}
