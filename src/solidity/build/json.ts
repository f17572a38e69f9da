/** Compiler output is not what it should be. The message says where. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws {BuildError} If it is no object. */
export function objectAt(value: unknown, where: string): JsonObject {
  if (!isObject(value)) throw new BuildError(`${where} is not an object`)
  return value
}

/** No entries if it is left out. @throws {BuildError} If it is something else than an object. */
export function entriesAt(value: unknown, where: string, limit: number): [string, unknown][] {
  if (value === undefined || value === null) return []
  const entries = Object.entries(objectAt(value, where))
  if (entries.length > limit) throw new BuildError(`${where} has ${entries.length} entries, more than ${limit}`)
  return entries
}

/** No items if it is left out. @throws {BuildError} If it is something else than a list. */
export function listAt(value: unknown, where: string, limit: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BuildError(`${where} is not a list`)
  if (value.length > limit) throw new BuildError(`${where} has ${value.length} items, more than ${limit}`)
  return value
}

/** @throws {BuildError} If it is no text. */
export function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new BuildError(`${where} is not a text`)
  return value
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** @throws {BuildError} If it is no whole number from 0. */
export function countAt(value: unknown, where: string): number {
  if (!isCount(value)) throw new BuildError(`${where} is not a whole number`)
  return value
}

/** AST id of a declaration; those of built-in functions are negative, or wrapped around at 2^32. */
export function isDeclaration(value: unknown): value is number {
  return isCount(value) && value < 2 ** 31
}
