import { type AbiFunction, type AbiParameter, concatHex, encodeAbiParameters } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import { selectorOf, signatureOf } from './signature.ts'

/**
 * A parameter as it is encoded. A function of a contract, which the library does not know, is its address and its selector
 * in 24 bytes. Without names the library takes the members of tuples from lists, so no name in an ABI becomes a property.
 */
export function encodedType(parameter: AbiParameter): AbiParameter {
  const type = parameter.type.replace(/^function(?=$|\[)/, 'bytes24')
  return 'components' in parameter ? { type, components: parameter.components.map(encodedType) } : { type }
}

/** Encodes values, with the members of tuples as lists. @throws {BaseError} If they are not of these types. */
export function encodeValues(parameters: readonly AbiParameter[], values: readonly unknown[]): Hex {
  return encodeAbiParameters(parameters.map(encodedType), values)
}

/** The data of a call. @throws {BaseError} If the values are not of the function's types. */
export function encodeCallOf(item: Pick<AbiFunction, 'name' | 'inputs'>, values: readonly unknown[]): Hex {
  return concatHex([selectorOf(signatureOf(item)), encodeValues(item.inputs, values)])
}
