import { isObject, type JsonObject } from '#primitives/json-object.ts'

/** Compiler output is malformed. The message says where. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/** @throws {BuildError} If it is not an object. */
export function objectAt(value: unknown, where: string): JsonObject {
  if (!isObject(value)) throw new BuildError(`${where} is not an object`)
  return value
}

/** The entries of an object; none if it is missing. @throws {BuildError} If it is anything else. */
export function entriesAt(value: unknown, where: string, limit: number): [string, unknown][] {
  if (value === undefined || value === null) return []
  const entries = Object.entries(objectAt(value, where))
  if (entries.length > limit) throw new BuildError(`${where} has ${entries.length} entries, more than ${limit}`)
  return entries
}

/** The items of a list; none if it is missing. @throws {BuildError} If it is anything else. */
export function listAt(value: unknown, where: string, limit: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BuildError(`${where} is not a list`)
  if (value.length > limit) throw new BuildError(`${where} has ${value.length} items, more than ${limit}`)
  return value
}

/** @throws {BuildError} If it is not a string. */
export function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new BuildError(`${where} is not a string`)
  return value
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** @throws {BuildError} If it is not a non-negative integer. */
export function countAt(value: unknown, where: string): number {
  if (!isCount(value)) throw new BuildError(`${where} is not a non-negative integer`)
  return value
}

/** Whether it is the AST id of a declaration. Ids of built-in functions are negative, or wrapped around at 2^32. */
export function isDeclaration(value: unknown): value is number {
  return isCount(value) && value < 2 ** 31
}
