import type { Address, Hex } from '#primitives/hex.ts'
import { indexOf } from './abi-index.ts'
import { decodeParameters } from './decode-values.ts'
import type { Argument, Decoded } from './decoded.ts'
import { type Contracts, knowledgeOf } from './knowledge.ts'

/** Characters of a selector with `0x`. */
const SELECTOR_END = 10
/** Characters of a word with `0x`. */
const WORD_END = 66

export interface DecodedCall extends Decoded {
  /** Whether the bytes contain exactly these arguments. */
  readonly exact: boolean
}

/**
 * Decodes a call by the ABI of the called contract, otherwise by a standard.
 *
 * @returns `undefined` if nothing known matches.
 */
export function decodeCall(contracts: Contracts, to: Address | null, input: Hex): DecodedCall | undefined {
  const called = to ? contracts.get(to) : undefined
  if (called?.wellKnown?.isDeployer) return decodeDeployment(called.name, input)
  if (input.length < SELECTOR_END) return undefined
  const selector = input.slice(0, SELECTOR_END).toLowerCase() as Hex
  const data: Hex = `0x${input.slice(SELECTOR_END)}`
  for (const { abi, source } of knowledgeOf(contracts, to, selector)) {
    const entry = indexOf(abi).functions.get(selector)
    const decoded = entry && decodeParameters(entry.inputs, data)
    // A selector is only four bytes: a guess must explain all other bytes, too.
    if (!decoded || (source.kind === 'standard' && !decoded.exact)) continue
    return { name: entry.name, signature: entry.signature, source, ...decoded }
  }
  return undefined
}

/** The values that a function returned. */
export function decodeResult(
  contracts: Contracts,
  to: Address | null,
  input: Hex,
  output: Hex,
): readonly Argument[] | undefined {
  const call = decodeCall(contracts, to, input)
  if (!call || output === '0x') return undefined
  const selector = input.slice(0, SELECTOR_END).toLowerCase() as Hex
  for (const { abi, source } of knowledgeOf(contracts, to, selector)) {
    const entry = indexOf(abi).functions.get(selector)
    const decoded = entry && decodeParameters(entry.item.outputs, output)
    // Another function with this selector may return something else.
    if (decoded && (source.kind !== 'standard' || decoded.exact)) return decoded.args
  }
  return undefined
}

/** A salt, then the initcode of the contract. */
function decodeDeployment(name: string, input: Hex): DecodedCall | undefined {
  if (input.length < WORD_END) return undefined
  return {
    name: 'deploy',
    signature: 'a salt of 32 bytes, then the code to deploy',
    source: { kind: 'well-known', name },
    exact: true,
    args: [
      { name: 'salt', type: 'bytes32', value: { kind: 'bytes', bytes: input.slice(0, WORD_END) as Hex } },
      { name: 'initcode', type: 'bytes', value: { kind: 'bytes', bytes: `0x${input.slice(WORD_END)}` } },
    ],
  }
}
