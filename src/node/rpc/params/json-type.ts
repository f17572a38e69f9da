import { ParamError } from './param.ts'

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
