import { type NumberKind, numberInWords, parseNumber } from '#rpc-types/option.ts'
import { FLAGS, type FlagName, type NumberFlagName } from './flags.ts'
import type { Given, GivenFlags } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** @throws {UsageError} If the flag is given and `parse` rejects it. */
export function read<Value>(
  given: GivenFlags,
  flag: FlagName,
  takes: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const last = given.get(flag)?.at(-1)
  return last && parseFlag(last, takes, parse)
}

/** The number of a flag, if it is given. @throws {UsageError} If it is none of its kind. */
export function givenNumber(given: GivenFlags, flag: NumberFlagName): number | undefined {
  const kind = numberKindOf(flag)
  return read(given, flag, numberInWords(kind), (text) => parseNumber(kind, text))
}

/** The number of a flag, or its default. @throws {UsageError} If it is none of its kind. */
export function numberOf(given: GivenFlags, flag: NumberFlagName): number {
  return givenNumber(given, flag) ?? numberKindOf(flag).default
}

export function numberKindOf(flag: NumberFlagName): NumberKind {
  return FLAGS[flag].kind as NumberKind
}

/** The values of a flag that may be repeated. @throws {UsageError} If `parse` rejects one. */
export function readAll<Value>(
  given: GivenFlags,
  flag: FlagName,
  takes: string,
  parse: (text: string) => Value | undefined,
): readonly Value[] {
  return (given.get(flag) ?? []).map((each) => parseFlag(each, takes, parse))
}

function parseFlag<Value>({ as, text }: Given, takes: string, parse: (text: string) => Value | undefined): Value {
  const value = parse(text)
  if (value !== undefined) return value
  throw new UsageError(`${as} takes ${takes}, not ${text === '' ? 'nothing' : `"${text}"`}.`)
}
