import type { Address } from '#primitives/hex.ts'
import type { Callable, CallableKind } from '#solidity/source/outline.ts'
import type { Place } from '#solidity/source/source-index.ts'

/** One line of a stack trace. */
export interface StackFrame {
  /** Index of its frame in the trace. */
  readonly frame: number
  /** The step that it is at; `undefined` if the frame has none. */
  readonly step: number | undefined
  /** The account whose code runs. */
  readonly address: Address
  /** Name of the contract whose code runs; `undefined` if it is not recognised. */
  readonly code: string | undefined
  /** Name of the contract that defines the function, which is a base for inherited ones. */
  readonly contract: string | undefined
  /** Empty for unnamed ones; `undefined` if unknown. */
  readonly function: string | undefined
  readonly kind: CallableKind | undefined
  readonly file: string | undefined
  /** From 1; `undefined` if it is not certain. */
  readonly line: number | undefined
  /** From 1, in UTF-16 units. */
  readonly column: number | undefined
  /** The line itself, trimmed. */
  readonly text: string | undefined
}

/** The fields of a stack frame that do not depend on its place. */
export type FrameBase = Pick<StackFrame, 'frame' | 'step' | 'address' | 'code'>

/** A frame whose line is known. */
export function frameAtPlace(base: FrameBase, place: Place): StackFrame {
  const { source, start, callable, variable } = place
  const { line, column } = source.text.positionAt(start)
  return {
    ...base,
    ...(callable
      ? namesOf(callable)
      : { contract: variable?.contract?.name, function: '', kind: 'constructor' as const }),
    file: source.path,
    line,
    column,
    text: source.text.lineText(line).trim(),
  }
}

/** A frame whose line is not known. */
export function frameWithoutLine(base: FrameBase, callable?: Callable, file?: string): StackFrame {
  const names = callable ? namesOf(callable) : { contract: undefined, function: undefined, kind: undefined }
  return { ...base, ...names, file, line: undefined, column: undefined, text: undefined }
}

function namesOf({ contract, name, kind }: Callable): Pick<StackFrame, 'contract' | 'function' | 'kind'> {
  return { contract: contract?.name, function: name, kind }
}

/** A frame as stack traces print it: `Token.transfer (src/Token.sol:12:5)`. */
export function describeFrame(frame: StackFrame): string {
  const { code, address, file, line, column } = frame
  const owner = frame.contract ?? code
  const name = owner === undefined ? `unknown contract ${address}` : [owner, nameOf(frame)].filter(Boolean).join('.')
  if (file === undefined) return name
  return `${name} (${file}${line === undefined ? ', line not known' : `:${line}:${column}`})`
}

function nameOf({ function: name, kind }: StackFrame): string | undefined {
  return name === '' ? kind : name
}
