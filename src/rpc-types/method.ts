import type { Address, Hash } from '#primitives/hex.ts'

/**
 * Whether a call that may have run already can be made again without harm. `true` for methods that only read, that belong
 * to the node that has gone (subscriptions, filters) or that sign, and for `eth_sendRawTransaction`, which the chain knows
 * by its hash. Decide when you add a method.
 */
export type RepeatableOf<Methods> = { readonly [Name in keyof Methods]: boolean }

/** Things that are there on this chain, for examples. */
export interface ExampleContext {
  readonly account: Address
  readonly other: Address
  readonly blockHash: Hash
  readonly transactionHash: Hash
}

/** Parameters that the console proposes for a method, where its types alone do not say what makes sense. */
export type ExamplesOf<Methods> = {
  readonly [Name in keyof Methods]?: (
    context: ExampleContext,
  ) => Methods[Name] extends { readonly params: infer Params } ? Params : never
}
