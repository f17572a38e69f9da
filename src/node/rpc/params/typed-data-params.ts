import type { RpcTypedData } from '#rpc-types/wallet.ts'
import { cannotUnmarshal, isObject, jsonType } from './json-type.ts'
import { type Param, ParamError } from './param.ts'

type Types = RpcTypedData['types']

/** EIP-712 typed data: an object, or its JSON text. Whether the message is of its type, hashing will tell. */
export const typedData: Param<Required<RpcTypedData>> = {
  parse(value) {
    const { types, primaryType, domain = {}, message = {} } = asObject(parseText(value), 'TypedData')
    if (typeof primaryType !== 'string') {
      throw cannotUnmarshal(jsonType(primaryType), 'struct field TypedData.primaryType of type string')
    }
    return {
      types: parseTypes(types),
      primaryType,
      domain: asObject(domain, 'TypedData.domain'),
      message: asObject(message, 'TypedData.message'),
    }
  },
}

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
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
