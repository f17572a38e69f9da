import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, type Hex, hexToBytes, type Quantity, toWord } from '#primitives/hex.ts'
import type { JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { optionalText } from '#solidity/build/json.ts'
import { nodeIn, nodesIn } from '#solidity/source/ast-nodes.ts'
import { typeNode, wordTypeOf } from '#solidity/types/word-type.ts'
import { contentText, cut, TEXT_LIMIT, wordText } from '#solidity/value-words.ts'

/** Most items of an array that are shown. */
const ITEM_LIMIT = 64
/** Deepest nesting of structs and arrays, and most values in one: those in memory may contain themselves. */
const DEPTH_LIMIT = 8
const VALUE_LIMIT = 512

/** Bytes of an external function: an address and a selector. */
const EXTERNAL_BYTES = 24

/** Finds the state variable that begins in a slot; `undefined` if unknown. */
export type PathAt = (slot: bigint) => string | undefined

/** What the values of a step are read from. */
export interface ValueSource {
  /** The build whose AST has the types. */
  readonly build: Build
  readonly memory: Hex
  readonly input: Hex
  readonly pathAt: PathAt
}

/**
 * A variable as text: numbers in decimal, strings in quotes, arrays as `[1, 2]`, structs as `(a: 1, b: 2)`; `undefined` if
 * unknown.
 *
 * @param typeId - The AST's type identifier.
 * @param words - Its words on the stack.
 */
export function valueText(typeId: string, words: readonly Quantity[], source: ValueSource): string | undefined {
  const word = hexToBytes(toWord(BigInt(words[0] ?? 0)))
  const value = bytesToBigInt(word)
  if (/_calldata(?:_ptr)?(?:_slice)?$/.test(typeId)) return calldataText(typeId, value, words[1], source)
  if (/_storage(?:_ptr)?$/.test(typeId) || typeId.startsWith('t_mapping')) {
    return `storage ${source.pathAt(value) ?? `slot 0x${value.toString(16)}`}`
  }
  if (typeId.startsWith('t_function_external')) return words.length === 2 ? functionText(words) : undefined
  return new MemoryReader(source).text(typeId, word)
}

/** An external function on the stack: its account's address, then its selector. */
function functionText([account = '0x0', selector = '0x0']: readonly Quantity[]): string {
  const value = (BigInt.asUintN(160, BigInt(account)) << 32n) | BigInt.asUintN(32, BigInt(selector))
  return `0x${value.toString(16).padStart(2 * EXTERNAL_BYTES, '0')}`
}

function calldataText(
  typeId: string,
  at: bigint,
  length: Quantity | undefined,
  { build, input }: ValueSource,
): string | undefined {
  if (/^t_(?:string|bytes)_/.test(typeId)) return textAt(typeId, input, at, BigInt(length ?? 0))
  const { item, count } = arrayType(typeId) ?? {}
  if (item === undefined || count === undefined) return undefined
  const wordType = wordTypeOf(build, item)
  if (!wordType) return undefined
  return itemsText(input, at, count === 'dyn' ? BigInt(length ?? 0) : BigInt(count), (word) => wordText(wordType, word))
}

/** Reads one value and those that it refers to in memory. */
class MemoryReader {
  readonly #source: ValueSource
  #left = VALUE_LIMIT

  constructor(source: ValueSource) {
    this.#source = source
  }

  /** @param word - The value, or its address in memory. */
  text(typeId: string, word: Uint8Array, depth = 0): string | undefined {
    const { build, memory } = this.#source
    if (depth > DEPTH_LIMIT || this.#left-- <= 0) return undefined
    const wordType = wordTypeOf(build, typeId)
    // In memory an external function is left-aligned, as in call data.
    if (wordType?.kind === 'function' && wordType.size === EXTERNAL_BYTES) {
      return bytesToHex(word.subarray(0, EXTERNAL_BYTES))
    }
    if (wordType) return wordText(wordType, word)
    const at = bytesToBigInt(word)
    if (/^t_(?:string|bytes)_/.test(typeId)) {
      const length = wordIn(memory, at)
      return length && textAt(typeId, memory, at + 32n, bytesToBigInt(length))
    }
    const array = arrayType(typeId)
    if (array) {
      const first = wordIn(memory, at)
      const isDynamic = array.count === 'dyn'
      if (isDynamic && !first) return undefined
      const length = isDynamic ? bytesToBigInt(first as Uint8Array) : BigInt(array.count)
      return itemsText(memory, isDynamic ? at + 32n : at, length, (each) => this.text(array.item, each, depth + 1))
    }
    const struct = typeNode(build, typeId)
    return struct?.['nodeType'] === 'StructDefinition' ? this.#members(struct, at, depth) : undefined
  }

  #members(struct: JsonObject, at: bigint, depth: number): string | undefined {
    const texts: string[] = []
    for (const [i, member] of nodesIn(struct, 'members').entries()) {
      const typeId = optionalText(nodeIn(member, 'typeDescriptions')?.['typeIdentifier']) ?? ''
      const word = wordIn(this.#source.memory, at + BigInt(32 * i))
      const text = word && this.text(typeId, word, depth + 1)
      if (text === undefined) return undefined
      texts.push(`${optionalText(member['name']) ?? ''}: ${text}`)
    }
    return cut(`(${texts.join(', ')})`)
  }
}

function arrayType(typeId: string): { readonly item: string; readonly count: string } | undefined {
  const [, item, count] =
    /^t_array\$_(.+)_\$(dyn|\d{1,30})_(?:memory|storage|calldata)(?:_ptr|_slice)?$/.exec(typeId) ?? []
  return item === undefined || count === undefined ? undefined : { item, count }
}

function textAt(typeId: string, bytes: Hex, at: bigint, length: bigint): string | undefined {
  const shown = length < BigInt(TEXT_LIMIT) ? length : BigInt(TEXT_LIMIT)
  const content = bytesIn(bytes, at, shown)
  return content && contentText(typeId.startsWith('t_string'), content, length)
}

function itemsText(
  bytes: Hex,
  at: bigint,
  length: bigint,
  textOf: (word: Uint8Array) => string | undefined,
): string | undefined {
  const shown = Number(length < BigInt(ITEM_LIMIT) ? length : BigInt(ITEM_LIMIT))
  const content = bytesIn(bytes, at, BigInt(32 * shown))
  if (!content) return undefined
  const texts: string[] = []
  for (let i = 0; i < shown; i++) {
    const text = textOf(content.subarray(32 * i, 32 * i + 32))
    if (text === undefined) return undefined
    texts.push(text)
  }
  return cut(`[${texts.join(', ')}${length > BigInt(shown) ? `, … (${length - BigInt(shown)} more)` : ''}]`)
}

function wordIn(bytes: Hex, at: bigint): Uint8Array | undefined {
  return bytesIn(bytes, at, 32n)
}

/** `undefined` if memory does not have all of them. */
function bytesIn(hex: Hex, at: bigint, length: bigint): Uint8Array | undefined {
  if (at + length > BigInt(hex.length - 2) / 2n) return undefined
  return hexToBytes(`0x${hex.slice(2 + 2 * Number(at), 2 + 2 * Number(at + length))}`)
}
