import type { JsonObject } from '#primitives/json-object.ts'
import { RpcRefusedError } from '../errors.ts'

/** Parses one positional argument. */
export interface Param<Value> {
  /** @throws {ParamError} If the argument is invalid. */
  readonly parse: (value: unknown) => Value
  /** Used for an argument that is absent or `null`; without it the parameter is required. */
  readonly fallback?: { readonly value: Value }
}

/** An argument is invalid; the message leaves out which one. */
export class ParamError extends Error {
  override readonly name = 'ParamError'
}

/** A parameter, made optional. */
export function optional<Value, const Fallback>({ parse }: Param<Value>, fallback: Fallback): Param<Value | Fallback> {
  return { parse, fallback: { value: fallback } }
}

/**
 * Parses positional arguments with geth's rules and messages.
 *
 * @param firstIndex - Index of the first one in messages.
 * @throws {RpcRefusedError} `invalid-params`, for the first invalid argument.
 */
export function readParams(
  params: readonly Param<unknown>[],
  values: readonly unknown[],
  firstIndex = 0,
): readonly unknown[] {
  const args = params.map((param, i) => {
    const value = values[i] ?? undefined
    if (value !== undefined) return parseArgument(param, value, firstIndex + i)
    if (param.fallback) return param.fallback.value
    throw new RpcRefusedError('invalid-params', `missing value for required argument ${firstIndex + i}`)
  })
  if (values.length > params.length) {
    throw new RpcRefusedError('invalid-params', `too many arguments, want at most ${firstIndex + params.length}`)
  }
  return args
}

function parseArgument({ parse }: Param<unknown>, value: unknown, index: number): unknown {
  try {
    return parse(value)
  } catch (error) {
    throw explained(error, index)
  }
}

function explained(error: unknown, index: number): unknown {
  if (!(error instanceof ParamError)) return error
  return new RpcRefusedError('invalid-params', `invalid argument ${index}: ${error.message}`, { cause: error })
}

/**
 * Parses the rest of an argument that takes so long that others must have their turn meanwhile.
 *
 * @throws {RpcRefusedError} `invalid-params`, if that throws a `ParamError`.
 */
export async function parseInTurns<Value>(index: number, parse: () => Promise<Value>): Promise<Value> {
  try {
    return await parse()
  } catch (error) {
    throw explained(error, index)
  }
}

/** Name of a JSON value's type in the errors of Go's JSON decoder. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/**
 * Go's error for a JSON value of the wrong type.
 *
 * @param problem - What was found instead.
 */
export function cannotUnmarshal(problem: string, goType: string): ParamError {
  return new ParamError(`json: cannot unmarshal ${problem} into Go ${goType}`)
}

/**
 * Reads members of an object, each by its parser; one that is missing or `null` is `undefined`.
 *
 * @param struct - Go's name for the object. A parser is told the member's name in it.
 */
export function fieldReader(fields: JsonObject, struct: string) {
  return <Value>(name: string, parse: (value: unknown, field: string) => Value): Value | undefined => {
    const value = fields[name] ?? undefined
    return value === undefined ? undefined : parse(value, `${struct}.${name}`)
  }
}
