import { isObject } from '#primitives/json-object.ts'
import { isNestedDeeperThan, MAX_JSON_LEVELS } from '#primitives/json-text.ts'
import type { RpcTypedData } from '#rpc-types/methods/eth.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'

type Types = RpcTypedData['types']

/** Most characters of the types as JSON. Those of the largest known protocols have a few thousand. */
const MAX_TYPES_CHARACTERS = 65_536
/** Most values in the message and the domain, at any depth. */
const MAX_VALUES = 10_000
/** Most characters of all texts in the message and the domain. */
const MAX_TEXT_CHARACTERS = 1_048_576
/**
 * Limit for values times characters of types: each struct's type is hashed again, so the time grows with the product.
 */
const MAX_WORK = 16_000_000

/** EIP-712 typed data: an object or its JSON text. Whether the message matches its type shows when hashing. */
export const typedData: Param<Required<RpcTypedData>> = {
  parse(value) {
    const { types, primaryType, domain = {}, message = {} } = asObject(parseText(value), 'TypedData')
    if (typeof primaryType !== 'string') {
      throw cannotUnmarshal(jsonType(primaryType), 'struct field TypedData.primaryType of type string')
    }
    const typed = {
      types: parseTypes(types),
      primaryType,
      domain: asObject(domain, 'TypedData.domain'),
      message: asObject(message, 'TypedData.message'),
    }
    checkSize(typed)
    return typed
  },
}

/** Hashing does not pause, so its work is limited in advance. */
function checkSize({ types, primaryType, domain, message }: Required<RpcTypedData>): void {
  const { length } = JSON.stringify(types) + primaryType
  if (length > MAX_TYPES_CHARACTERS) throw tooLarge(`types of ${length} characters`, MAX_TYPES_CHARACTERS)
  const { values, characters } = measure([domain, message])
  if (values > MAX_VALUES) throw tooLarge(`${values} values`, MAX_VALUES)
  if (characters > MAX_TEXT_CHARACTERS) throw tooLarge(`texts of ${characters} characters`, MAX_TEXT_CHARACTERS)
  if (values * length > MAX_WORK) {
    throw tooLarge(`${values} values with types of ${length} characters, a product of ${values * length}`, MAX_WORK)
  }
}

function tooLarge(what: string, most: number): ParamError {
  return new ParamError(`typed data is too large: ${what}, the limit is ${most}: send less`)
}

/** Number of values at any depth, and total length of their texts and names. */
function measure(roots: readonly unknown[]): { readonly values: number; readonly characters: number } {
  const waiting = [...roots]
  let values = 0
  let characters = 0
  while (waiting.length > 0) {
    const value = waiting.pop()
    values++
    if (typeof value === 'string') characters += value.length
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) characters += name.length
      waiting.push(inner)
    }
  }
  return { values, characters }
}

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (isNestedDeeperThan(value, MAX_JSON_LEVELS)) {
    throw new ParamError(`typed data has more than ${MAX_JSON_LEVELS} levels of arrays and objects`)
  }
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new ParamError('typed data is not valid JSON', { cause: error })
  }
}

function parseTypes(value: unknown): Types {
  const types = asObject(value, 'TypedData.types')
  return Object.fromEntries(
    Object.entries(types).map(([name, members]) => {
      if (!Array.isArray(members)) {
        throw cannotUnmarshal(jsonType(members), `struct field TypedData.types.${name} of type []apitypes.Type`)
      }
      return [name, members.map((member: unknown) => parseMember(member, `TypedData.types.${name}`))]
    }),
  )
}

function parseMember(value: unknown, field: string): Types[string][number] {
  const { name, type } = asObject(value, field)
  if (typeof name === 'string' && typeof type === 'string') return { name, type }
  throw new ParamError(`${field} has a member without name and type`)
}

function asObject(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw cannotUnmarshal(value === undefined ? 'undefined' : jsonType(value), `struct field ${field} of type object`)
}
