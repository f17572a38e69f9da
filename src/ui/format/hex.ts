import type { Hex } from '#primitives/hex.ts'

/** `0x1234…abcd`: enough of a hash or an address to distinguish it from others nearby. */
export function shortHex(hex: Hex): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** Shortened hex with more digits, for wider places. */
export function mediumHex(hex: Hex): string {
  return hex.length <= 24 ? hex : `${hex.slice(0, 12)}…${hex.slice(-8)}`
}

/** A transaction's kind in one word, from its fields alone; an unknown function is shown by its selector. */
export function describeCall(tx: { readonly to: Hex | null; readonly input: Hex }): string {
  if (tx.to === null) return 'Deploy'
  if (tx.input === '0x') return 'Transfer'
  return tx.input.length >= 10 ? tx.input.slice(0, 10) : 'Call'
}
