import { type AbiParameter, BaseError, decodeAbiParameters, encodeAbiParameters, slice } from 'viem'
import type { Address, Hex } from '#primitives/hex.ts'
import type { Argument, ShownValue } from './decoded.ts'
import { encodedType } from './encode-values.ts'
import { enumNamesOf, typeNameOf } from './signature.ts'

/** Values decoded from bytes. */
interface DecodedParameters {
  readonly args: readonly Argument[]
  /** Whether encoding the values gives exactly the same bytes; otherwise there is extra data or odd padding. */
  readonly exact: boolean
}

/** Decodes bytes as parameters; `undefined` if they do not fit. */
export function decodeParameters(parameters: readonly AbiParameter[], data: Hex): DecodedParameters | undefined {
  const types = parameters.map(encodedType)
  const values = attempt<readonly unknown[]>(() => decodeAbiParameters(types, data))
  if (!values) return undefined
  const again = attempt(() => encodeAbiParameters(types, values))
  return {
    args: parameters.map((parameter, i) => argumentOf(parameter, values[i])),
    exact: again === data.toLowerCase(),
  }
}

const ADDRESS_BYTES = 20

/** Values that do not fit the ABI are not a failure of the page. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}

function argumentOf(parameter: AbiParameter, value: unknown): Argument {
  return { name: parameter.name ?? '', type: typeNameOf(parameter), value: valueOf(parameter, value) }
}

function valueOf(parameter: AbiParameter, value: unknown): ShownValue {
  const { type } = parameter
  if (type.endsWith(']')) {
    const item = { ...parameter, type: type.slice(0, type.lastIndexOf('[')) }
    return { kind: 'list', items: (value as readonly unknown[]).map((each) => valueOf(item, each)) }
  }
  if (type === 'tuple' && 'components' in parameter) {
    const values = value as readonly unknown[]
    return { kind: 'tuple', members: parameter.components.map((member, i) => argumentOf(member, values[i])) }
  }
  if (type === 'address') return { kind: 'address', address: String(value).toLowerCase() as Address }
  if (type === 'bool') return { kind: 'boolean', boolean: value === true }
  if (type === 'string') return { kind: 'text', text: String(value) }
  if (type.startsWith('bytes')) return { kind: 'bytes', bytes: value as Hex }
  if (type === 'function') {
    const bytes = value as Hex
    return { kind: 'function', address: slice(bytes, 0, ADDRESS_BYTES), selector: slice(bytes, ADDRESS_BYTES) }
  }
  const integer = BigInt(value as bigint | number)
  const name = enumNamesOf(parameter)[Number(integer)]
  return { kind: 'integer', integer, ...(name !== undefined && { name }) }
}
