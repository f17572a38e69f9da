import { type NodeOptions, OPTIONS } from '#rpc-types/node-options.ts'
import type { OptionFacts, OptionKind } from '#rpc-types/option.ts'

/** An option that a page's address can have, with its name there. */
export interface OptionParameter {
  readonly parameter: string
  readonly option: keyof NodeOptions
  readonly kind: OptionKind
}

/** The options that a page's address can have. */
export const PARAMETERS: readonly OptionParameter[] = Object.entries<OptionFacts>(OPTIONS).flatMap(
  ([option, { parameter, kind }]) =>
    parameter === undefined ? [] : [{ parameter, option: option as keyof NodeOptions, kind }],
)
