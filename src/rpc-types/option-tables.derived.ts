import { OPTIONS } from './node-options.ts'
import type { OptionFacts, OptionKind } from './option.ts'

type Options = typeof OPTIONS
type OptionName = keyof Options
type OfKind<Is extends OptionKind['is']> = {
  [Name in OptionName]: Options[Name]['kind']['is'] extends Is ? Name : never
}[OptionName]

/** The options that are numbers. */
export type RangedOption = OfKind<'number'>

const options = Object.entries(OPTIONS) as readonly (readonly [OptionName, OptionFacts])[]

/** What each option's value may be. */
export const OPTION_KINDS = Object.fromEntries(options.map(([name, { kind }]) => [name, kind])) as {
  readonly [Name in OptionName]: Options[Name]['kind']
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
