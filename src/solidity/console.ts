import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { utf8 } from '#primitives/utf8.ts'
import { type ConsoleValue, formatConsoleValues } from './console-format.ts'
import { selectorOf } from './keccak.ts'
import { elementaryType, TEXT_LIMIT, withRest, wordText } from './value-words.ts'

/** One call of `console.log`. Its text is untrusted: it may contain line breaks and control characters. */
export interface ConsoleLine {
  /** The printed line: format specifiers replaced, values joined by spaces. */
  readonly text: string
  /** Each argument as text: numbers in decimal, addresses with checksum, bytes in hex; format specifiers as they are. */
  readonly values: readonly string[]
  /** `log(string,uint256)`; `undefined` if no console has such a function. */
  readonly signature: string | undefined
}

/** Every combination of up to four of these types has a function. */
export const COMBINED_TYPES = ['uint256', 'string', 'bool', 'address'] as const
export const MOST_ARGUMENTS = 4

/** Types that only have a function with a single argument. */
export const SINGLE_TYPES = ['int256', 'bytes', ...Array.from({ length: 32 }, (_, i) => `bytes${i + 1}`)]

/** All lists of `count` types, in the order of Hardhat's file. */
export function combinationsOf<Type extends string>(types: readonly Type[], count: number): readonly Type[][] {
  if (count === 0) return [[]]
  return combinationsOf(types, count - 1).flatMap((head) => types.map((type) => [...head, type]))
}

/** Types by selector; built at first use. */
let signatures: ReadonlyMap<string, readonly string[]> | undefined

/**
 * Every function of Hardhat's console.sol and forge-std's console.sol, console2.sol and safeconsole.sol. The selectors of
 * old Hardhat versions hash `uint` and `int`, which stand for `uint256` and `int256`.
 */
function allSignatures(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>()
  const add = (...types: string[]) => {
    all.set(selectorOf(`log(${types.join(',')})`), types)
    const written = types.map((type) => type.replace(/int256$/, 'int'))
    const legacy = selectorOf(`log(${written.join(',')})`)
    if (!all.has(legacy)) all.set(legacy, types)
  }
  for (let count = 0; count <= MOST_ARGUMENTS; count++) {
    for (const types of combinationsOf(COMBINED_TYPES, count)) add(...types)
  }
  for (const type of SINGLE_TYPES) add(type)
  add('string', 'int256')
  return all
}

/**
 * Decodes the input of a call of `console.log`. Never throws: the line says what cannot be decoded, and its length is
 * bounded.
 */
export function decodeConsoleCall(input: Hex): ConsoleLine {
  signatures ??= allSignatures()
  const bytes = hexToBytes(input)
  const types = signatures.get(input.slice(0, 10).toLowerCase())
  if (!types) {
    const selector = bytes.length >= 4 ? ` ${input.slice(0, 10)}` : ''
    return { text: `(unknown console call${selector}, ${bytes.length} bytes)`, values: [], signature: undefined }
  }
  const parameters = bytes.subarray(4)
  const values = types.map((type, index) => readValue(type, parameters, index * WORD))
  return {
    text: formatConsoleValues(values),
    values: values.map(({ text }) => text),
    signature: `log(${types.join(',')})`,
  }
}

const WORD = 32

function readValue(type: string, parameters: Uint8Array, at: number): ConsoleValue {
  if (at + WORD > parameters.length) return unreadable('missing')
  const word = parameters.subarray(at, at + WORD)
  const elementary = elementaryType(type)
  if (!elementary) return readDynamic(type === 'string', parameters, bytesToBigInt(word))
  const text = wordText(elementary, word)
  const isNumber = elementary.kind === 'uint' || elementary.kind === 'int'
  return { text, number: isNumber ? BigInt(text) : undefined, isText: false }
}

function readDynamic(isText: boolean, parameters: Uint8Array, offset: bigint): ConsoleValue {
  if (offset + BigInt(WORD) > BigInt(parameters.length)) return unreadable('bad offset')
  const start = Number(offset) + WORD
  const length = bytesToBigInt(parameters, Number(offset), start)
  if (length > BigInt(parameters.length - start)) return unreadable('bad length')
  const shown = Math.min(Number(length), TEXT_LIMIT)
  const content = parameters.subarray(start, start + shown)
  const text = withRest(isText ? utf8.decode(content) : bytesToHex(content), Number(length) - shown)
  return { text, number: undefined, isText }
}

function unreadable(why: string): ConsoleValue {
  return { text: `(${why})`, number: undefined, isText: false }
}
