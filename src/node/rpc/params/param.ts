import { RpcRefusedError } from '../errors.ts'

/** Reads one positional argument. */
export interface Param<Value> {
  /** @throws {ParamError} If the argument is not one. */
  readonly parse: (value: unknown) => Value
  /** Stands in for an argument that is absent or `null`; a parameter without it is required. */
  readonly fallback?: { readonly value: Value }
}

/** An argument is not what its parameter takes; the message leaves out which argument it is. */
export class ParamError extends Error {
  override readonly name = 'ParamError'
}

/** The same parameter, but it may be left out. */
export function optional<Value, const Fallback>({ parse }: Param<Value>, fallback: Fallback): Param<Value | Fallback> {
  return { parse, fallback: { value: fallback } }
}

/**
 * Reads positional arguments as geth does, and in its words.
 *
 * @param firstIndex - What the first of them counts as in messages.
 * @throws {RpcRefusedError} `invalid-params`, for the first argument that is wrong.
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
    if (!(error instanceof ParamError)) throw error
    throw new RpcRefusedError('invalid-params', `invalid argument ${index}: ${error.message}`, { cause: error })
  }
}

/** Name of a JSON value's type, as Go's JSON decoder has it in its errors. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Go's error for a JSON value that its type does not take. @param problem - What was met instead. */
export function cannotUnmarshal(problem: string, goType: string): ParamError {
  return new ParamError(`json: cannot unmarshal ${problem} into Go ${goType}`)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
