import type { Hex } from '#primitives/hex.ts'
import { describeCall } from '#ui/format/hex.ts'
import { KNOWN_SELECTORS } from './known-selectors.ts'

/** The functions of a contract by their selectors, as `indexOf` makes them. */
type Functions = ReadonlyMap<Hex, { readonly name: string }>

/**
 * What a transaction does, in a word: the name of the function as far as one is known, else its selector.
 *
 * @param own - Of the contract that is called, where they are known.
 */
export function methodName(tx: { readonly to: Hex | null; readonly input: Hex }, own: Functions | undefined): string {
  const described = describeCall(tx)
  if (!described.startsWith('0x')) return described
  const selector = described.toLowerCase() as Hex
  return own?.get(selector)?.name ?? KNOWN_SELECTORS.get(selector) ?? described
}
