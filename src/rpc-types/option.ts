import { momentSeconds } from '#primitives/unix-time.ts'

/** A number within a range. */
export interface NumberKind {
  readonly is: 'number'
  readonly min: number
  readonly max: number
  readonly default: number
  /** Fractions are allowed, and `min` itself is not. */
  readonly fractional?: boolean
  /** A moment in seconds since the Unix epoch, which may be given in milliseconds. */
  readonly isMoment?: boolean
}

/** One of some words, the default first. */
export interface WordKind<Word extends string = string> {
  readonly is: 'word'
  readonly words: readonly Word[]
  /** Whether it may also be a moment in seconds since the Unix epoch. */
  readonly orMoment?: boolean
}

interface SwitchKind {
  readonly is: 'switch'
}

/** A text that {@link WordKind} does not describe: 1 to 100 visible ASCII characters, or an address. */
type TextKind = { readonly is: 'name' } | { readonly is: 'address'; readonly default: string }

interface AccountsKind {
  readonly is: 'accounts' | 'genesis' | 'balances'
}

/** What an option's value may be. */
export type OptionKind = NumberKind | WordKind | SwitchKind | TextKind | AccountsKind

/** The kinds of options whose values have that type. */
type KindOf<Value> = [Value] extends [number]
  ? NumberKind
  : [Value] extends [boolean]
    ? SwitchKind
    : [Value] extends [string | number]
      ? WordKind<Extract<Value, string>> | TextKind
      : AccountsKind

/** An option on the command line. */
export interface OptionFlag {
  /** Without its dashes. */
  readonly name: string
  /** The heading in `--help` below which it stands. */
  readonly group: string
  /** Argument of the flag, for `--help`; `N` for a number unless it says otherwise. */
  readonly takes?: string
  /** Whether several arguments may follow it, and it may be given more than once. */
  readonly several?: true
  /** Aliases. */
  readonly also?: readonly string[]
  /** Whether `blinknet open` takes it, too. */
  readonly inFilm?: true
  /** Effect of the flag, for `--help`. The default follows, unless `{default}` stands for it within. */
  readonly help: string
  /** What documents say beyond that, in Markdown. */
  readonly details?: string
}

/** All that is to know of an option besides its meaning. */
export interface OptionFacts {
  readonly kind: OptionKind
  readonly flag?: OptionFlag
  /** Name of the option in the page's address, if it has one there. */
  readonly parameter?: string
  /** Whether a chain with another value has other blocks; then `devnet_status` tells it where it is not the default. */
  readonly inBlocks?: true
  /** Whether it is chosen at each start: a stored chain does not keep it. */
  readonly eachStart?: true
}

/** The facts of all options. Does not compile while one is missing, or has the kind of another type. */
export type OptionFactsOf<Options> = {
  readonly [Name in keyof Options]-?: OptionFacts & { readonly kind: KindOf<NonNullable<Options[Name]>> }
}

/** The line of `--help` with the default, where it has one: in place of `{default}`, or at the end. */
export function withDefault(help: string, kind: OptionKind | undefined): string {
  const usual =
    kind?.is === 'word' ? kind.words[0] : kind?.is === 'number' || kind?.is === 'address' ? kind.default : ''
  if (help.includes('{default}')) return help.replace('{default}', String(usual))
  return usual === '' || usual === undefined ? help : `${help} (default ${usual})`
}

export const number = <const Range extends Omit<NumberKind, 'is'>>(range: Range) =>
  ({ is: 'number', ...range }) as const
export const wordOf = <const Words extends readonly string[]>(words: Words) => ({ is: 'word', words }) as const
export const onOrOff = { is: 'switch' } as const

/** The number that `text` spells in decimal, if it is of that kind; else `undefined`. */
export function parseNumber({ min, max, fractional, isMoment }: NumberKind, text: string): number | undefined {
  if (!(fractional ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text)) return undefined
  const value = isMoment ? momentSeconds(Number(text)) : Number(text)
  if (value > max) return undefined
  return (fractional ? value > min : value >= min) ? value : undefined
}

/** The range in words: `a whole number from 1 to 100`. */
export function numberInWords({ min, max, fractional }: NumberKind): string {
  return fractional ? `a number above ${min} and up to ${max}` : `a whole number from ${min} to ${max}`
}
