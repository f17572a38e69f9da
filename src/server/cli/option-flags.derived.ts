import { OPTIONS } from '#rpc-types/node-options.ts'
import { type OptionFacts, withDefault } from '#rpc-types/option.ts'

type Options = typeof OPTIONS
type OptionName = keyof Options

/** The flags of options. */
export type OptionFlagName = {
  [Name in OptionName]: Options[Name] extends { readonly flag: { readonly name: infer Flag } } ? Flag : never
}[OptionName]

/** A flag, the option that it sets, and its line of `--help`. */
export interface FlagOfOption {
  readonly name: OptionFlagName
  readonly option: OptionName
  readonly group: string
  readonly takes?: string
  readonly several?: true
  readonly also?: readonly string[]
  readonly inFilm?: true
  readonly help: string
}

/** The flags of all options. */
export const OPTION_FLAGS: readonly FlagOfOption[] = Object.entries<OptionFacts>(OPTIONS).flatMap(
  ([option, { kind, flag }]) =>
    flag === undefined
      ? []
      : [
          {
            name: flag.name as OptionFlagName,
            option: option as OptionName,
            group: flag.group,
            ...(kind.is !== 'switch' && { takes: flag.takes ?? 'N' }),
            ...(flag.several && { several: true as const }),
            ...(flag.also !== undefined && { also: flag.also }),
            ...(flag.inFilm && { inFilm: true as const }),
            help: withDefault(flag.help, kind),
          },
        ],
)
