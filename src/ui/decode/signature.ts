import { type AbiParameter, keccak256, stringToHex } from 'viem'
import type { Hash, Hex } from '#primitives/hex.ts'

/** The type as it is hashed: a tuple is the types of its members. */
function canonicalType(parameter: AbiParameter): string {
  if (!parameter.type.startsWith('tuple') || !('components' in parameter)) return parameter.type
  return `(${parameter.components.map(canonicalType).join(',')})${parameter.type.slice('tuple'.length)}`
}

/** `transfer(address,uint256)`, of a function, an event or an error. */
export function signatureOf(item: { readonly name: string; readonly inputs: readonly AbiParameter[] }): string {
  return `${item.name}(${item.inputs.map(canonicalType).join(',')})`
}

/** The first topic of an event; its first four bytes select functions and errors. */
export function hashOf(signature: string): Hash {
  return keccak256(stringToHex(signature))
}

export function selectorOf(signature: string): Hex {
  return hashOf(signature).slice(0, 10) as Hex
}
