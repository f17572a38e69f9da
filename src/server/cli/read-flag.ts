import type { FlagName } from './flags.ts'
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
