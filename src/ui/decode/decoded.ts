import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** A decoded value. */
export type ShownValue =
  | { readonly kind: 'address'; readonly address: Address }
  /** With a name if it is a value of an enum. */
  | { readonly kind: 'integer'; readonly integer: bigint; readonly name?: string }
  /** A function of a contract. */
  | { readonly kind: 'function'; readonly address: Address; readonly selector: Hex }
  | { readonly kind: 'boolean'; readonly boolean: boolean }
  | { readonly kind: 'bytes'; readonly bytes: Hex }
  /** Text from a contract or its caller: never markup, and of any length. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ShownValue[] }
  | { readonly kind: 'tuple'; readonly members: readonly Argument[] }
  /** An indexed value that is too long for a topic: only its hash is known. */
  | { readonly kind: 'hashed'; readonly hash: Hash }

/** A value with its name in a signature, which may be empty, and its type as in the source, as far as it is known. */
export interface Argument {
  readonly name: string
  readonly type: string
  readonly value: ShownValue
}

/** Where the ABI for decoding came from. */
export type Source =
  /** The ABI given for this address. */
  | { readonly kind: 'contract'; readonly name: string }
  /** A contract that is known by its address and code. */
  | { readonly kind: 'well-known'; readonly name: string }
  /** A guess: the contract is unknown, but the selector and the bytes match a standard, or what others are known to have. */
  | { readonly kind: 'standard'; readonly name: string }

/** A decoded call, event or error. */
export interface Decoded {
  readonly name: string
  /** `transfer(address,uint256)`. */
  readonly signature: string
  readonly args: readonly Argument[]
  readonly source: Source
}

/** The source in words. */
export function sourceWords({ kind, name }: Source): string {
  switch (kind) {
    case 'contract':
      return `decoded with the ${name} ABI`
    case 'well-known':
      return `decoded with the ${name} ABI, known by its address and code`
    case 'standard':
      return `a guess by selector: the bytes match ${name}`
  }
}
