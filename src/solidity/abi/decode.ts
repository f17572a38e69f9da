import { bytesToBigInt } from '#primitives/bytes.ts'
import type { AbiParameter } from '#solidity/build/build.ts'
import { contentText, cut, elementaryType, isClean, TEXT_LIMIT, wordText } from '#solidity/value-words.ts'

/** A value as text. */
export interface DecodedValue {
  readonly name: string
  readonly type: string
  /** Numbers in decimal, addresses with checksum, values of enums by name, bytes in hex, texts in quotes, arrays as `[1, 2]`, structs as `(1, 2)`. */
  readonly text: string
}

/** Most values in one list of arguments; nested arrays may share their bytes, so the input does not bound them. */
const VALUE_LIMIT = 10_000
/** Deepest nesting of arrays and structs. */
const DEPTH_LIMIT = 32
const WORD = 32

/** The bytes do not encode values of the given types. */
class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** Decodes arguments, bounded in number and length; `undefined` if the bytes do not encode these types. */
export function decodeValues(parameters: readonly AbiParameter[], bytes: Uint8Array): DecodedValue[] | undefined {
  try {
    const reader: Reader = { bytes, left: VALUE_LIMIT }
    const texts = readTuple(
      reader,
      parameters.map((parameter) => layoutOf(parameter, 0)),
      0,
    )
    return parameters.map(({ name, type }, i) => ({ name, type, text: texts[i] ?? '' }))
  } catch (error) {
    if (error instanceof DecodeError) return undefined
    throw error
  }
}

interface Reader {
  readonly bytes: Uint8Array
  /** Values that may still be read. */
  left: number
}

/** How values of a type are encoded. */
interface Layout {
  readonly type: string
  /** Whether the head holds an offset instead of the value. */
  readonly isDynamic: boolean
  /** Bytes in the head. */
  readonly size: number
  /** Layout of an array's items; `undefined` for other types. */
  readonly item: Layout | undefined
  /** Number of items; `undefined` if it is encoded with them. */
  readonly length: number | undefined
  /** Layouts of a struct's members. */
  readonly components: readonly Layout[]
  /** Names of an enum's values. */
  readonly names: readonly string[]
}

const ARRAY = /^(.*)\[(\d*)\]$/s

function layoutOf({ type, components = [], enumNames: names = [] }: AbiParameter, depth: number): Layout {
  if (depth > DEPTH_LIMIT) throw new DecodeError('too deep')
  const [, itemType, digits] = ARRAY.exec(type) ?? []
  if (itemType !== undefined) {
    const item = layoutOf({ name: '', type: itemType, components, enumNames: names }, depth + 1)
    const length = digits ? Number(digits) : undefined
    const isDynamic = length === undefined || item.isDynamic
    return { type, isDynamic, size: isDynamic ? WORD : (length ?? 0) * item.size, item, length, components: [], names }
  }
  if (type !== 'tuple') {
    const isDynamic = type === 'string' || type === 'bytes'
    return { type, isDynamic, size: WORD, item: undefined, length: undefined, components: [], names }
  }
  const parts = components.map((component) => layoutOf(component, depth + 1))
  const isDynamic = parts.some((part) => part.isDynamic)
  const size = isDynamic ? WORD : parts.reduce((sum, part) => sum + part.size, 0)
  return { type, isDynamic, size, item: undefined, length: undefined, components: parts, names }
}

/** @param base - Start of the tuple; offsets are relative to it. */
function readTuple(reader: Reader, layouts: readonly Layout[], base: number): string[] {
  let head = base
  return layouts.map((layout) => {
    const at = layout.isDynamic ? base + readSize(reader, head) : head
    head += layout.size
    return readValue(reader, layout, at)
  })
}

function readValue(reader: Reader, { type, item, length: fixed, components, names }: Layout, at: number): string {
  if (reader.left-- <= 0) throw new DecodeError('too many values')
  if (item) {
    const length = fixed ?? readSize(reader, at)
    if (length > reader.left) throw new DecodeError('too many values')
    const texts = readTuple(reader, new Array<Layout>(length).fill(item), fixed === undefined ? at + WORD : at)
    return cut(`[${texts.join(', ')}]`)
  }
  if (type === 'tuple') return cut(`(${readTuple(reader, components, at).join(', ')})`)
  if (type === 'string' || type === 'bytes') {
    const length = readSize(reader, at)
    const content = slice(reader, at + WORD, length).subarray(0, TEXT_LIMIT)
    return contentText(type === 'string', content, length)
  }
  const text = strictText(type, slice(reader, at, WORD))
  return names[Number(text)] ?? text
}

function slice({ bytes }: Reader, start: number, length: number): Uint8Array {
  if (!(start + length <= bytes.length)) throw new DecodeError('the data ends too early')
  return bytes.subarray(start, start + length)
}

/** A length or an offset. */
function readSize(reader: Reader, at: number): number {
  const value = bytesToBigInt(slice(reader, at, WORD))
  if (value > BigInt(reader.bytes.length))
    throw new DecodeError('a length or an offset points past the end of the data')
  return Number(value)
}

/** A value of an elementary type. @throws {DecodeError} If the word does not encode the type, or the type is unknown. */
function strictText(name: string, word: Uint8Array): string {
  const type = elementaryType(name)
  if (!type) throw new DecodeError(`unknown type ${name}`)
  if (!isClean(type, word)) throw new DecodeError(`not of the type ${name}`)
  return wordText(type, word)
}
