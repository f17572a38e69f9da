import { bigIntToBytes, concatBytes, padLeft } from '#primitives/bytes.ts'
import { bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { utf8, utf8Bytes } from '#primitives/utf8.ts'
import { keccak256 } from '#solidity/keccak.ts'
import { wordText } from '#solidity/value-words.ts'
import { contentIn, existsIn, type SlotValues, wordIn } from './describe-slots.ts'
import { isString, memberOf, type StorageLeaf, slotsOf } from './locate.ts'
import type { LayoutType, StorageLayout } from './storage-layout.ts'

/** A key of a mapping, an index of an array or the name of a struct's member. */
export type StorageKey = bigint | number | boolean | string

/**
 * A stored value: numbers and enums as `bigint`, addresses and bytes in hex, arrays as lists, structs by their members. A
 * value of a user-defined type is the unsigned number of its bytes: a layout does not say what it stands for.
 */
export type StoredValue =
  | bigint
  | boolean
  | string
  | readonly StoredValue[]
  | { readonly [member: string]: StoredValue }

/** A variable that a layout does not have, or that is too large to be read at once. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

/** Most items of an array that are read at once, most parts of a value, and longest text, in bytes. */
const MOST_ITEMS = 1_000
const MOST_PARTS = 10_000
const LONGEST_TEXT = 64 * 1024
/** Deepest nesting of a value: a struct of a hostile layout may contain itself. */
const DEEPEST = 16
/** How many variables an error names. */
const NAMED = 50

/**
 * Finds a variable, or a part of one.
 *
 * @param path - From the outside in: a key of each mapping, an index of each array, the name of a member of each struct.
 * @throws {VariableError} If there is no such variable or part; the message has those that there are.
 */
export function placeVariable(layout: StorageLayout, name: string, path: readonly StorageKey[] = []): StorageLeaf {
  const { variables, types } = layout
  const variable = variables.find(({ label }) => label === name)
  if (!variable) {
    const names = variables.slice(0, NAMED).map(({ label }) => label)
    throw new VariableError(`the layout has no variable ${JSON.stringify(name)}; it has ${names.join(', ') || 'none'}`)
  }
  const { slot, offset } = variable
  let leaf: StorageLeaf = { path: name, type: typeOf(types, variable.type), slot, offset, within: [] }
  for (const key of path) leaf = partOf(types, leaf, key)
  return leaf
}

type Types = StorageLayout['types']

function typeOf(types: Types, id: string | undefined): LayoutType {
  const type = id === undefined ? undefined : types.get(id)
  if (!type) throw new VariableError(`the layout does not describe the type ${String(id)}`)
  return type
}

function partOf(types: Types, whole: StorageLeaf, key: StorageKey): StorageLeaf {
  const { type, path, slot, within } = whole
  if (type.encoding === 'mapping') {
    const bytes = keyBytes(typeOf(types, type.key), key, path)
    const base = BigInt(keccak256(concatBytes(bytes, hexToBytes(toWord(slot)))))
    return { path: `${path}[${String(key)}]`, type: typeOf(types, type.value), slot: base, offset: 0, within }
  }
  if (type.encoding === 'dynamic_array' || (type.encoding === 'inplace' && type.base !== undefined)) {
    return itemOf(types, whole, indexOf(key, path))
  }
  if (type.encoding === 'inplace' && type.members.length > 0) {
    const member = type.members.find(({ label }) => label === key)
    if (member) return memberOf(whole, member, typeOf(types, member.type))
    const names = type.members.slice(0, NAMED).map(({ label }) => label)
    throw new VariableError(`${path} has no member ${JSON.stringify(String(key))}; it has ${names.join(', ')}`)
  }
  throw new VariableError(`${path} is a ${type.label}, which has no parts: leave out the key ${String(key)}`)
}

function indexOf(key: StorageKey, path: string): bigint {
  const index = typeof key === 'bigint' ? key : Number.isSafeInteger(key) ? BigInt(key) : -1n
  if (index < 0n) throw new VariableError(`${path} is an array: its key is an index, not ${String(key)}`)
  return index
}

/** The number of items of an array that has always as many. */
function fixedLength({ label }: LayoutType): bigint {
  return BigInt(/\[(\d{1,78})\]$/.exec(label)?.[1] ?? 0)
}

function itemOf(types: Types, array: StorageLeaf, index: bigint): StorageLeaf {
  const { type, path, slot, within } = array
  const item = typeOf(types, type.base)
  const isDynamic = type.encoding === 'dynamic_array'
  if (!isDynamic && index >= fixedLength(type)) {
    throw new VariableError(`${path} is a ${type.label}: it has no item ${index}`)
  }
  const first = isDynamic ? BigInt(keccak256(hexToBytes(toWord(slot)))) : slot
  const perSlot = item.bytes < 32 ? BigInt(Math.floor(32 / item.bytes)) : 1n
  const place = perSlot > 1n ? index / perSlot : index * slotsOf(item)
  return {
    path: `${path}[${index}]`,
    type: item,
    slot: BigInt.asUintN(256, first + place),
    offset: Number(index % perSlot) * item.bytes,
    within: isDynamic ? [...within, { length: slot, index }] : within,
  }
}

/** The bytes of a key that are hashed with a mapping's slot. */
function keyBytes(type: LayoutType, key: StorageKey, path: string): Uint8Array {
  const refuse = (): never => {
    throw new VariableError(`${path} has keys of the type ${type.label}, and ${String(key)} is none`)
  }
  if (type.encoding === 'bytes') {
    if (typeof key !== 'string') return refuse()
    if (isString(type)) return utf8Bytes(key)
    return isHex(key) ? hexToBytes(key) : refuse()
  }
  const { kind, size } = type.word ?? { kind: 'any', size: type.bytes }
  if (typeof key === 'boolean') return kind === 'bool' ? wordOf(key ? 1n : 0n) : refuse()
  if (typeof key === 'string') {
    if (!isHex(key)) return refuse()
    const bytes = hexToBytes(key)
    if (kind === 'address') return bytes.length === 20 ? padLeft(bytes, 32) : refuse()
    if (kind === 'bytes') return bytes.length === size ? padRight(bytes) : refuse()
    return kind === 'any' && bytes.length === size ? padLeft(bytes, 32) : refuse()
  }
  if (typeof key === 'number' && !Number.isSafeInteger(key)) return refuse()
  const value = BigInt(key)
  const bits = kind === 'any' ? 8 * size : size
  if (kind === 'int' || (kind === 'any' && value < 0n)) {
    return BigInt.asIntN(bits, value) === value ? wordOf(BigInt.asUintN(256, value)) : refuse()
  }
  const isNumber = kind === 'uint' || kind === 'enum' || kind === 'any'
  return isNumber && BigInt.asUintN(bits, value) === value ? wordOf(value) : refuse()
}

function isHex(text: string): text is `0x${string}` {
  return /^0x([\da-f]{2})*$/i.test(text)
}

const wordOf = (value: bigint): Uint8Array => padLeft(bigIntToBytes(value), 32)

function padRight(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes)
  return word
}

/**
 * The value in a place of the storage; `undefined` if it is an item that its array does not have, or as long as `slots` lack
 * one that is needed: each of those is asked for.
 *
 * @throws {VariableError} If it is a mapping, or too large.
 */
export function readVariable({ types }: StorageLayout, leaf: StorageLeaf, slots: SlotValues): StoredValue | undefined {
  return new Reading(types, slots).value(leaf, 0)
}

class Reading {
  readonly #types: Types
  readonly #slots: SlotValues
  #partsLeft = MOST_PARTS

  constructor(types: Types, slots: SlotValues) {
    this.#types = types
    this.#slots = slots
  }

  value(leaf: StorageLeaf, depth: number): StoredValue | undefined {
    const { type, path, slot } = leaf
    if (depth > DEEPEST || this.#partsLeft-- <= 0) throw new VariableError(`${path} is too large: name a part of it`)
    if (type.encoding === 'mapping') throw new VariableError(`${path} is a ${type.label}: name a key of it`)
    if (existsIn(leaf, this.#slots) === false) return undefined
    if (type.encoding === 'inplace' && type.members.length > 0) return this.#struct(leaf, depth)
    if (type.encoding === 'inplace' && type.base !== undefined) return this.#items(leaf, fixedLength(type), depth)
    const hash = this.#slots.get(toWord(slot))
    if (hash === undefined) return undefined
    if (type.encoding === 'dynamic_array') return this.#items(leaf, BigInt(hash), depth)
    const word = hexToBytes(hash)
    if (type.encoding === 'bytes') return this.#content(leaf, word)
    return plainValue(type, wordIn(leaf, word))
  }

  /** A mapping in a struct has no value of its own, as in Solidity. */
  #struct(whole: StorageLeaf, depth: number): StoredValue | undefined {
    const parts = whole.type.members
      .map((member) => memberOf(whole, member, typeOf(this.#types, member.type)))
      .filter(({ type }) => type.encoding !== 'mapping')
      .map((part) => [part.path.slice(whole.path.length + 1), this.value(part, depth + 1)] as const)
    return isWhole(parts) ? Object.fromEntries(parts) : undefined
  }

  #items(array: StorageLeaf, length: bigint, depth: number): StoredValue | undefined {
    if (length > MOST_ITEMS) {
      throw new VariableError(`${array.path} has ${length} items, more than ${MOST_ITEMS}: name one of them`)
    }
    const items = Array.from({ length: Number(length) }, (_, i) => {
      return this.value(itemOf(this.#types, array, BigInt(i)), depth + 1)
    })
    return items.every((item) => item !== undefined) ? items : undefined
  }

  #content({ type, slot, path }: StorageLeaf, word: Uint8Array): StoredValue | undefined {
    const content = contentIn(slot, word, this.#slots, LONGEST_TEXT)
    if (!content) return undefined
    const { shown, length } = content
    if (length > BigInt(shown.length)) {
      throw new VariableError(`${path} has ${length} bytes, more than ${LONGEST_TEXT}`)
    }
    return isString(type) ? utf8.decode(shown) : bytesToHex(shown)
  }
}

type Parts = readonly (readonly [string, StoredValue | undefined])[]

function isWhole(parts: Parts): parts is readonly (readonly [string, StoredValue])[] {
  return parts.every(([, value]) => value !== undefined)
}

function plainValue({ word: type, bytes }: LayoutType, word: Uint8Array): StoredValue {
  const { kind } = type ?? {}
  if (!type) return BigInt(bytesToHex(word.subarray(32 - bytes)))
  const text = wordText(type, word)
  if (kind === 'bool') return text === 'true'
  return kind === 'int' || kind === 'uint' || (kind === 'enum' && /^\d+$/.test(text)) ? BigInt(text) : text
}

/**
 * A wish in the form in which {@link readVariable} has values of user-defined types: the unsigned number of their bytes.
 */
export function asStored({ types }: StorageLayout, type: LayoutType, wanted: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return wanted
  const item = type.base === undefined ? undefined : types.get(type.base)
  if (item && Array.isArray(wanted)) {
    return wanted.map((each: unknown) => asStored({ variables: [], types }, item, each, depth + 1))
  }
  if (type.members.length > 0 && isObject(wanted) && !('asymmetricMatch' in wanted)) {
    const idOf = new Map(type.members.map((member) => [member.label, member.type]))
    return Object.fromEntries(
      Object.entries(wanted).map(([name, each]) => {
        const member = types.get(idOf.get(name) ?? '')
        return [name, member ? asStored({ variables: [], types }, member, each, depth + 1) : each]
      }),
    )
  }
  const isUnknown = type.encoding === 'inplace' && type.word === undefined && !item && type.members.length === 0
  if (!isUnknown) return wanted
  if (typeof wanted === 'string' && isHex(wanted) && wanted.length > 2) return BigInt(wanted)
  return typeof wanted === 'bigint' && wanted < 0n ? BigInt.asUintN(8 * type.bytes, wanted) : wanted
}
