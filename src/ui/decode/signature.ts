import { type AbiParameter, keccak256, stringToHex } from 'viem'
import type { Hash, Hex } from '#primitives/hex.ts'

/** The canonical type for hashing: a tuple lists the types of its members. */
function canonicalType(parameter: AbiParameter): string {
  if (!parameter.type.startsWith('tuple') || !('components' in parameter)) return parameter.type
  return `(${parameter.components.map(canonicalType).join(',')})${parameter.type.slice('tuple'.length)}`
}

/** The canonical signature of a function, event or error: `transfer(address,uint256)`. */
export function signatureOf(item: { readonly name: string; readonly inputs: readonly AbiParameter[] }): string {
  return `${item.name}(${item.inputs.map(canonicalType).join(',')})`
}

/** The hash of a signature: an event's first topic. Its first four bytes are the selector of a function or error. */
export function hashOf(signature: string): Hash {
  return keccak256(stringToHex(signature))
}

export function selectorOf(signature: string): Hex {
  return hashOf(signature).slice(0, 10) as Hex
}
