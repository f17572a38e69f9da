import type { Address } from '#primitives/hex.ts'
import type { Callable, CallableKind } from '#solidity/source/outline.ts'
import type { Place } from '#solidity/source/source-index.ts'

/** One line of a stack trace. */
export interface StackFrame {
  /** Index of the trace's frame that it is in. */
  readonly frame: number
  /** The step at which it stands; `undefined` if the frame has none. */
  readonly step: number | undefined
  /** The account whose code runs. */
  readonly address: Address
  /** Name of the contract whose code it is; `undefined` if it is not recognised. */
  readonly code: string | undefined
  /** Name of the contract in whose source the function stands: that of a base for what is inherited. */
  readonly contract: string | undefined
  /** Empty for those that have no name; `undefined` if it is not known. */
  readonly function: string | undefined
  readonly kind: CallableKind | undefined
  readonly file: string | undefined
  /** From 1; `undefined` if it is not known for certain. */
  readonly line: number | undefined
  /** From 1, in UTF-16 units. */
  readonly column: number | undefined
  /** The line itself, without the spaces around it. */
  readonly text: string | undefined
}

/** Where a frame of a stack trace is. */
export type FrameBase = Pick<StackFrame, 'frame' | 'step' | 'address' | 'code'>

/** A frame at a place, whose line is known. */
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

/** As stack traces are printed: `Token.transfer (src/Token.sol:12:5)`. */
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
