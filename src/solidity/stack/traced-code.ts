import type { FunctionEntry } from '#solidity/build/build.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { type MappedCode, mapCode, readInstructions } from '#solidity/code/source-map.ts'
import { type Place, placeAt, sourceById } from '#solidity/source/source-index.ts'
import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'

/** The code of a frame, and what the builds say about it. */
export interface FrameCode {
  readonly recognised: RecognisedCode | undefined
  /** `undefined` if the code is not recognised. */
  readonly mapped: MappedCode | undefined
  readonly bytes: Uint8Array
  /** Whether the compiler merged code, so that a place may stand for another that does the same. */
  readonly isOptimized: boolean
  readonly isViaIr: boolean
  /** Internal functions by the offset of their first instruction; several may share one. */
  readonly entries: ReadonlyMap<number, readonly FunctionEntry[]>
  /** Place of an instruction; `undefined` if it is in no function, or unknown. */
  readonly placeOf: (instruction: number) => Place | undefined
}

/** Looks up the codes of a trace, each once. */
export function createFrameCodes(parsed: ParsedTrace, index: CodeIndex): (frame: number) => FrameCode | undefined {
  const known = new Map<string, FrameCode>()
  const byFrame = new Map<number, FrameCode | undefined>()
  const lookUpFrame = (frame: number): FrameCode | undefined => {
    const { code, type } = parsed.trace.frames[frame] ?? {}
    if (!code || type === undefined) return undefined
    const isCreation = type.startsWith('CREATE')
    const key = `${isCreation}${code}`
    const before = known.get(key)
    if (before) return before
    const bytes = parsed.codeOf(code)
    if (!bytes) return undefined
    const made = frameCode(bytes, isCreation ? index.creation(bytes) : index.deployed(bytes))
    known.set(key, made)
    return made
  }
  return (frame) => {
    if (!byFrame.has(frame)) byFrame.set(frame, lookUpFrame(frame))
    return byFrame.get(frame)
  }
}

function frameCode(bytes: Uint8Array, recognised: RecognisedCode | undefined): FrameCode {
  const none = {
    recognised,
    mapped: undefined,
    bytes,
    isOptimized: true,
    isViaIr: false,
    entries: new Map<number, FunctionEntry[]>(),
    placeOf: () => undefined,
  }
  if (!recognised || recognised.code.sourceMap === '') return none
  const mapped = mapCode(recognised.code)
  const { optimizer, viaIR } = recognised.build.settings
  const places = new Map<number, Place | undefined>()
  return {
    recognised,
    mapped,
    bytes,
    isOptimized: optimizer,
    isViaIr: viaIR,
    entries: entriesOf(recognised.code.functions),
    placeOf(instruction) {
      if (!places.has(instruction)) places.set(instruction, lookUp(recognised, mapped, instruction))
      return places.get(instruction)
    },
  }
}

function entriesOf(functions: readonly FunctionEntry[]): ReadonlyMap<number, readonly FunctionEntry[]> {
  const entries = new Map<number, FunctionEntry[]>()
  for (const each of functions) {
    const others = entries.get(each.entry)
    if (others) others.push(each)
    else entries.set(each.entry, [each])
  }
  return entries
}

function lookUp({ build }: RecognisedCode, mapped: MappedCode, instruction: number): Place | undefined {
  const source = sourceById(build, mapped.files[instruction] ?? -1)
  const start = mapped.starts[instruction] ?? -1
  return source && placeAt(source, start, start + (mapped.lengths[instruction] ?? 0))
}

/** The opcode at an offset, whether the code is recognised or not. */
export function opcodeAt({ bytes, mapped }: FrameCode, pc: number): number | undefined {
  const { at, ops } = mapped ?? readInstructions(bytes)
  return ops[at[pc] ?? -1]
}
