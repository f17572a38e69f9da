import type { Hex } from '#primitives/hex.ts'

/** `0x1234…abcd`: enough of a hash or an address to tell it from its neighbours. */
export function shortHex(hex: Hex): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** The same with more digits, for places with room. */
export function mediumHex(hex: Hex): string {
  return hex.length <= 24 ? hex : `${hex.slice(0, 12)}…${hex.slice(-8)}`
}

/** A word for what a transaction does, from its fields alone: a selector stands in for an unknown name. */
export function describeCall(tx: { readonly to: Hex | null; readonly input: Hex }): string {
  if (tx.to === null) return 'Deploy'
  if (tx.input === '0x') return 'Transfer'
  return tx.input.length >= 10 ? tx.input.slice(0, 10) : 'Call'
}
