import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** A value as its ABI type reads it. */
export type DecodedValue =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'integer'; readonly integer: bigint }
  | { readonly kind: 'boolean'; readonly boolean: boolean }
  | { readonly kind: 'bytes'; readonly bytes: Hex }
  /** Text that a contract or its caller wrote: never markup, and of any length. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly DecodedValue[] }
  | { readonly kind: 'tuple'; readonly members: readonly Argument[] }
  /** An indexed value that is too long for a topic: all that is left of it is its hash. */
  | { readonly kind: 'hashed'; readonly hash: Hash }

/** A value with its place in a signature; the name may be empty. */
export interface Argument {
  readonly name: string
  readonly type: string
  readonly value: DecodedValue
}

/** The source of the ABI by which bytes were decoded. */
export type Source =
  /** The ABI that somebody gave for this very address. */
  | { readonly kind: 'contract'; readonly name: string }
  /** A contract with the same address on every chain. */
  | { readonly kind: 'preinstalled'; readonly name: string }
  /** The address is not known, but its bytes are as a standard has them: a guess. */
  | { readonly kind: 'standard'; readonly name: string }

/** A call, an event or an error by its name. */
export interface Decoded {
  readonly name: string
  /** `transfer(address,uint256)`. */
  readonly signature: string
  readonly args: readonly Argument[]
  readonly source: Source
}

/** The page's words for that source. */
export function sourceWords({ kind, name }: Source): string {
  switch (kind) {
    case 'contract':
      return `by the ABI of ${name}`
    case 'preinstalled':
      return `by the ABI of ${name}, which has this address on every chain`
    case 'standard':
      return `a guess: the bytes are as ${name} has them`
  }
}
