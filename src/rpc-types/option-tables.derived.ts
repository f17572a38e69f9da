import { type NodeOptions, OPTIONS } from './node-options.ts'
import type { OptionFacts, OptionKind } from './option.ts'

type Options = typeof OPTIONS
type OptionName = keyof NodeOptions
type OfKind<Is extends OptionKind['is']> = {
  [Name in keyof Options]: Options[Name]['kind']['is'] extends Is ? Name : never
}[keyof Options]

/** The options that are numbers. */
export type RangedOption = OfKind<'number'>

const options = Object.entries(OPTIONS) as readonly (readonly [OptionName, OptionFacts])[]

/** What each option's value may be. An option whose facts are missing is reported at {@link OPTIONS} alone. */
export const OPTION_KINDS = Object.fromEntries(options.map(([name, { kind }]) => [name, kind])) as {
  readonly [Name in OptionName]-?: Name extends keyof Options ? Options[Name]['kind'] : OptionKind
}

/** The options that are numbers. */
export const NUMBERS: readonly RangedOption[] = options.flatMap(([name, { kind }]) =>
  kind.is === 'number' ? [name as RangedOption] : [],
)

/** The options that a chain's blocks depend on. */
export const IN_BLOCKS: readonly OptionName[] = options.flatMap(([name, { inBlocks }]) => (inBlocks ? [name] : []))

/** The options that are chosen at each start. */
export const AT_EACH_START: readonly OptionName[] = options.flatMap(([name, { eachStart }]) =>
  eachStart ? [name] : [],
)

/** The engines that execute transactions and calls, the default first. */
export const ENGINE_NAMES = OPTIONS.engine.kind.words
