import type { Hex } from '#primitives/hex.ts'
import { describeCall } from '#ui/format/hex.ts'

/**
 * Names of the standards' state-changing functions by selector. Lists need only the name, and the page's first script
 * has no room for the ABIs.
 */
export const KNOWN_SELECTORS: ReadonlyMap<Hex, string> = new Map<Hex, string>([
  ['0xa9059cbb', 'transfer'],
  ['0x095ea7b3', 'approve'],
  ['0x23b872dd', 'transferFrom'],
  ['0xd505accf', 'permit'],
  ['0x42842e0e', 'safeTransferFrom'],
  ['0xb88d4fde', 'safeTransferFrom'],
  ['0xf242432a', 'safeTransferFrom'],
  ['0x2eb2c2d6', 'safeBatchTransferFrom'],
  ['0xa22cb465', 'setApprovalForAll'],
  ['0x150b7a02', 'onERC721Received'],
  ['0xf23a6e61', 'onERC1155Received'],
  ['0xbc197c81', 'onERC1155BatchReceived'],
  ['0xf2fde38b', 'transferOwnership'],
])

/** A contract's functions by selector, from `indexOf`. */
type Functions = ReadonlyMap<Hex, { readonly name: string }>

/**
 * A transaction's method in one word: the function's name if known, otherwise its selector.
 *
 * @param own - Functions of the called contract, if known.
 */
export function methodName(tx: { readonly to: Hex | null; readonly input: Hex }, own: Functions | undefined): string {
  const described = describeCall(tx)
  if (!described.startsWith('0x')) return described
  const selector = described.toLowerCase() as Hex
  return own?.get(selector)?.name ?? KNOWN_SELECTORS.get(selector) ?? described
}
