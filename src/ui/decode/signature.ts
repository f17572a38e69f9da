import { type AbiParameter, keccak256, stringToHex } from 'viem'
import type { Hash, Hex } from '#primitives/hex.ts'
import { signatureOf as canonicalSignature } from '#solidity/abi/signature.ts'

/** A parameter of an ABI from compiled sources, which say what an enum's values are called. */
interface NamedValues {
  readonly enumNames?: readonly string[]
}

/** The names of the values, if it is an enum or an array of one, and if they are known; else empty. */
export function enumNamesOf(parameter: AbiParameter): readonly string[] {
  return (parameter as NamedValues).enumNames ?? []
}

/**
 * The type's name in the source: `Call[]` for an array of the struct `Call` if the ABI names it, `State` for an enum whose
 * values are known; otherwise the plain type.
 */
export function typeNameOf(parameter: AbiParameter): string {
  const { type, internalType = '' } = parameter
  const [, kind, name = ''] = /^(struct|enum) (?:[\w$]+\.)*([\w$]+)(?:\[\d*\])*$/.exec(internalType) ?? []
  if (type.startsWith('tuple')) return type.replace(/^tuple/, kind === 'struct' ? name : 'struct')
  return kind === 'enum' && enumNamesOf(parameter).length > 0 ? type.replace(/^uint\d+/, name) : type
}

/** The canonical signature of a function, event or error: `transfer(address,uint256)`. */
export function signatureOf(item: { readonly name: string; readonly inputs: readonly AbiParameter[] }): string {
  return canonicalSignature(item.name, item.inputs)
}

/** The hash of a signature: an event's first topic. Its first four bytes are the selector of a function or error. */
export function hashOf(signature: string): Hash {
  return keccak256(stringToHex(signature))
}

/** First four bytes of {@link hashOf}. Solidity's worker has one of its own (`src/solidity/keccak.ts`), without viem. */
export function selectorOf(signature: string): Hex {
  return hashOf(signature).slice(0, 10) as Hex
}
