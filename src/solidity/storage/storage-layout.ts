import { isObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { BuildError, countAt, entriesAt, listAt, optionalText, textAt } from '#solidity/build/json.ts'
import { wordTypeOf } from '#solidity/types/word-type.ts'
import type { WordType } from '#solidity/value-words.ts'

/** Most variables and types of one layout, and most members of a struct. */
const LAYOUT_LIMIT = 20_000

/** A variable of a contract, or a member of a struct. */
export interface LayoutVariable {
  readonly label: string
  /** First slot; for a member, relative to the struct. */
  readonly slot: bigint
  /** In bytes, from the right end of the slot. */
  readonly offset: number
  /** Id of its type. */
  readonly type: string
}

/** A type in storage. Types refer to each other by id, as a struct may refer to itself. */
export interface LayoutType {
  /** The compiler's name, beginning with its kind: `t_uint256`, `t_struct(Item)12_storage`. */
  readonly id: string
  /** As in the source: `mapping(address => uint256)`. */
  readonly label: string
  readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
  /** From 1. */
  readonly bytes: number
  /** Type id of an array's items. */
  readonly base: string | undefined
  readonly key: string | undefined
  readonly value: string | undefined
  readonly members: readonly LayoutVariable[]
  /** How its values are written; `undefined` if they are not one word, or if the build does not tell. */
  readonly word: WordType | undefined
}

/** The variables of a contract, with those of its bases first. */
export interface StorageLayout {
  readonly variables: readonly LayoutVariable[]
  readonly types: ReadonlyMap<string, LayoutType>
}

const ENCODINGS: ReadonlySet<string> = new Set(['mapping', 'dynamic_array', 'bytes'])

/**
 * Reads `storageLayout` from the compiler's output; `undefined` if it is missing.
 *
 * @param build - Its AST says what user-defined value types stand for, and what the values of enums are called: a layout
 * has only their names.
 * @throws {BuildError} If it is malformed.
 */
export function readStorageLayout(value: unknown, build?: Build): StorageLayout | undefined {
  if (!isObject(value) || !Array.isArray(value['storage'])) return undefined
  const types = new Map<string, LayoutType>()
  for (const [id, type] of entriesAt(value['types'], 'storageLayout.types', LAYOUT_LIMIT)) {
    if (!isObject(type)) throw new BuildError('a type of storageLayout is not an object')
    const encoding = optionalText(type['encoding']) ?? ''
    types.set(id, {
      id,
      label: textAt(type['label'], 'storageLayout.types.label'),
      encoding: ENCODINGS.has(encoding) ? (encoding as LayoutType['encoding']) : 'inplace',
      bytes: Math.max(1, Number(wholeAt(type['numberOfBytes']))),
      base: optionalText(type['base']),
      key: optionalText(type['key']),
      value: optionalText(type['value']),
      members: variablesAt(type['members']),
      word: wordTypeOf(build, id),
    })
  }
  return { variables: variablesAt(value['storage']), types }
}

function variablesAt(list: unknown): LayoutVariable[] {
  return listAt(list, 'storageLayout', LAYOUT_LIMIT)
    .filter(isObject)
    .map((variable) => ({
      label: textAt(variable['label'], 'storageLayout.label'),
      slot: wholeAt(variable['slot']),
      offset: countAt(variable['offset'], 'storageLayout.offset') % 32,
      type: textAt(variable['type'], 'storageLayout.type'),
    }))
}

/** An integer of up to 256 bits, which the compiler writes in decimal. */
function wholeAt(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value))
    throw new BuildError('storageLayout has no whole number where one belongs')
  return BigInt(value)
}
