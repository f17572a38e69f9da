import { parseArgs } from 'node:util'

import { FLAGS, type Flag, type FlagName } from './flags.ts'
import { nearest } from './nearest.ts'
import { REFUSED_FLAGS } from './refused-flags.ts'
import { SUBCOMMANDS } from './subcommand-help.ts'
import { UsageError } from './usage-error.ts'

/** A flag as the command line has it. */
export interface Given {
  /** With its dashes: `--port` or `-p`. */
  readonly as: string
  /** Argument of the flag; empty if it has none. */
  readonly text: string
}

/** The flags of a command line by their names here, with all occurrences of each. */
export type GivenFlags = ReadonlyMap<FlagName, readonly Given[]>

interface Names {
  readonly short?: string
  readonly also?: readonly string[]
}

interface ParserOption {
  readonly type: 'string' | 'boolean'
  readonly multiple: true
  readonly short?: string
}

const ALL = Object.entries(FLAGS) as [FlagName, Flag][]
const REFUSED = Object.entries(REFUSED_FLAGS)

/** Name here by every name. */
const CANONICAL = new Map(ALL.flatMap(([name, { also = [] }]) => [name, ...also].map((each) => [each, name] as const)))
/** Why it is refused, by every name. */
const REASONS = new Map(
  REFUSED.flatMap(([name, { also = [], why }]) => [name, ...also].map((each) => [each, why] as const)),
)
/** Every spelling of a flag whose argument may be left out. */
const OPTIONAL = new Set([
  ...ALL.filter(([, { optional }]) => optional).flatMap(spellings),
  ...REFUSED.filter(([, { takes }]) => takes === 'maybe').flatMap(spellings),
])
/** Every spelling of a flag that several arguments may follow. */
const SEVERAL = new Set(ALL.filter(([, { several }]) => several).flatMap(spellings))
/** Every spelling of a flag with an argument. */
const TAKING = new Set(
  [...ALL, ...REFUSED].flatMap(([name, flag]: [string, Names & { takes?: unknown }]) =>
    flag.takes === undefined
      ? []
      : [...spellings([name, flag]), ...(flag.short === undefined ? [] : [`-${flag.short}`])],
  ),
)
const PARSER_OPTIONS: Readonly<Record<string, ParserOption>> = Object.fromEntries([
  ...ALL.flatMap(([name, flag]) => parserOptions(name, flag, flag.takes !== undefined)),
  ...REFUSED.flatMap(([name, flag]) => parserOptions(name, flag, flag.takes !== undefined)),
])

/**
 * Reads the flags of a command line.
 *
 * @throws {UsageError} If one is unknown, refused, given by two names, or has no argument where it needs one.
 */
export function readArguments(args: readonly string[]): GivenFlags {
  const given = new Map<FlagName, Given[]>()
  for (const { name, rawName, value } of parse(args)) {
    const why = REASONS.get(name)
    if (why !== undefined) throw new UsageError(`${rawName} is refused: ${why}`)
    const flag = CANONICAL.get(name)
    if (flag === undefined) throw new UsageError(`Unknown option '${rawName}'`)
    const others = given.get(flag) ?? []
    const [first] = others
    if (first && first.as !== rawName && !FLAGS[flag].repeatable) {
      throw new UsageError(`${first.as} and ${rawName} are the same option: give one of them.`)
    }
    given.set(flag, [...others, { as: rawName, text: argumentOf(rawName, value) }])
  }
  return given
}

function parse(args: readonly string[]) {
  try {
    const { tokens } = parseArgs({
      args: joinSeveral(joinNegatives(args)).map((arg, i, all) =>
        OPTIONAL.has(arg) && !isArgument(all[i + 1]) ? withoutArgument(arg) : arg,
      ),
      options: PARSER_OPTIONS,
      strict: true,
      allowPositionals: false,
      tokens: true,
    })
    return tokens.filter((token) => token.kind === 'option')
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(explainParserError(error), { cause: error })
    throw error
  }
}

/** Commands that come before all options. */
const COMMANDS = ['open', ...Object.keys(SUBCOMMANDS)]

/** The parser's sentence, with what may have been meant. */
function explainParserError({ message, ...error }: TypeError & { readonly code?: string }): string {
  const [, word = ''] = /'(.*?)'/.exec(message) ?? []
  switch (error.code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const meant = word.startsWith('--') ? nearest(word.slice(2), CANONICAL.keys()) : undefined
      return meant === undefined ? message : `Unknown option '${word}': did you mean --${meant}?`
    }
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL': {
      const flag = nearest(word, CANONICAL.keys())
      const meant = nearest(word, COMMANDS) ?? (flag === undefined ? undefined : `--${flag}`)
      const hint = meant === undefined ? '.' : `: did you mean ${meant}?`
      return `Unexpected argument '${word}'${hint} Options begin with dashes, and a command (${COMMANDS.join(', ')}) is the first word.`
    }
    default:
      return message
  }
}

/** The parser treats the `=` of `-p=1` as part of the argument. */
function argumentOf(rawName: string, value = ''): string {
  return rawName.startsWith('--') ? value : value.replace(/^=/, '')
}

/** The parser takes the number of `--fork-block-number -5` for an option. */
function joinNegatives(args: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1)
    if (/^-\d/.test(arg) && before !== undefined && TAKING.has(before)) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** The parser takes one argument for each flag. */
function joinSeveral(args: readonly string[]): readonly string[] {
  const joined: string[] = []
  let flag: string | undefined
  let given: string[] = []
  const finish = () => {
    if (flag !== undefined) joined.push(flag, ...(given.length > 0 ? [given.join(',')] : []))
    given = []
  }
  for (const arg of args) {
    if (flag !== undefined && isArgument(arg)) {
      given.push(arg)
      continue
    }
    finish()
    flag = SEVERAL.has(arg) ? arg : undefined
    if (flag === undefined) joined.push(arg)
  }
  finish()
  return joined
}

const isArgument = (arg: string | undefined) => arg !== undefined && !arg.startsWith('-')

/** The parser does not support optional arguments. */
const withoutArgument = (arg: string) => `${arg}=`

function spellings([name, { also = [] }]: [string, Names]): readonly string[] {
  return [name, ...also].map((each) => `--${each}`)
}

function parserOptions(name: string, { short, also = [] }: Names, takes: boolean): [string, ParserOption][] {
  const option: ParserOption = { type: takes ? 'string' : 'boolean', multiple: true }
  return [
    [name, { ...option, ...(short !== undefined && { short }) }],
    ...also.map((each): [string, ParserOption] => [each, option]),
  ]
}
