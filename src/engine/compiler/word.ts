/** A word while code is compiled: what is known of its limbs, and where it lies. */

/** 64 bits of a word: known, or a local that has them. */
export type Limb = bigint | number
/** Whether something holds: known, or a local (i32) that is 0 or 1. */
export type Truth = boolean | number

/** Where a word lies in the engine's memory. */
export type Home =
  | { readonly kind: 'stack'; readonly place: number }
  | { readonly kind: 'fixed'; readonly address: number }
  /** At an offset from the address in a field of the frame. */
  | { readonly kind: 'frame'; readonly field: number; readonly isPointer: boolean }

export interface Word {
  /** The lowest first; `undefined` for what has not been loaded yet. */
  readonly limbs: (Limb | undefined)[]
  readonly home?: Home
  /** The word is 1 or 0. */
  readonly truth?: number
}

export const LIMB_BITS = 64n
/** All bits of a limb. */
export const MOST = (1n << LIMB_BITS) - 1n
export const low = (value: bigint) => BigInt.asUintN(64, value)

export function constant(value: bigint): Word {
  return { limbs: [0n, 1n, 2n, 3n].map((i) => low(value >> (LIMB_BITS * i))) }
}

/** The value of a word that is known. */
export function valueOf({ limbs }: Word): bigint | undefined {
  let value = 0n
  for (let i = 3; i >= 0; i--) {
    const limb = limbs[i]
    if (typeof limb !== 'bigint') return undefined
    value = (value << LIMB_BITS) | limb
  }
  return value
}

/** The position of the only bit that is set. */
export function bitOf(value: bigint): number | undefined {
  return value > 0n && (value & (value - 1n)) === 0n ? value.toString(2).length - 1 : undefined
}
