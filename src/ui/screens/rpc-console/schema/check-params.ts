import type { JsonSchema, OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { fieldsOf, refName, requiredFields, resolveSchema, type SchemaTable } from './resolve-schema.ts'
import { schemaWords } from './schema-words.ts'

/** The typed text, parsed as parameters. */
export type ReadParams =
  | { readonly ok: true; readonly params: readonly unknown[] }
  /** The problem, as a sentence. */
  | { readonly ok: false; readonly why: string }

/** Parses the editor's text: a JSON list, or an empty text for no parameters. */
export function readParams(text: string): ReadParams {
  if (text.trim() === '') return { ok: true, params: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, why: `Not JSON yet: ${error instanceof Error ? error.message : String(error)}.` }
  }
  if (!Array.isArray(value)) return { ok: false, why: 'Parameters must be an array: put [ and ] around them.' }
  return { ok: true, params: value as unknown[] }
}

/** Mismatches with the method's description, in sentences. They do not prevent the call, since the node decides. */
export function checkParams(method: OpenRpcMethod, params: readonly unknown[], table: SchemaTable): readonly string[] {
  const complaints: string[] = []
  if (params.length > method.params.length) {
    const takes = method.params.length === 0 ? 'no parameters' : `at most ${method.params.length}`
    complaints.push(`${method.name} takes ${takes}, but there are ${params.length}.`)
  }
  method.params.forEach((param, i) => {
    const value = params[i]
    const required = param.required !== false
    // Optional values may be null.
    if (value === undefined || (value === null && !required)) {
      if (required) complaints.push(`${param.name} is missing: ${schemaWords(param.schema, table)}.`)
      return
    }
    const misfit = findMisfit(param.schema, value, param.name, table)
    if (misfit) complaints.push(`${misfit.path} should be ${misfit.words}.`)
  })
  return complaints
}

interface Misfit {
  /** A place such as `call.to` or `slots[0]`. */
  readonly path: string
  readonly words: string
}

/** The first place where a value does not match its schema. */
function findMisfit(schema: JsonSchema, value: unknown, path: string, table: SchemaTable): Misfit | undefined {
  const resolved = resolveSchema(schema, table)
  const { anyOf, enum: values, const: only, type, pattern } = resolved
  const misfit: Misfit = { path, words: expectation(schema, table) }
  if (Array.isArray(anyOf)) {
    const findings = (anyOf as JsonSchema[]).map((option) => findMisfit(option, value, path, table))
    if (findings.includes(undefined)) return undefined
    // A mismatch inside the value says more than that the whole matches no alternative.
    return findings.find((finding) => finding && finding.path !== path) ?? misfit
  }
  if (Array.isArray(values)) return values.includes(value) ? undefined : misfit
  if (only !== undefined) return value === only ? undefined : misfit
  if (typeof type === 'string' && typeName(value) !== type) return misfit
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern).test(value)) return misfit
  if (Array.isArray(value)) return findInList(resolved, value, path, table)
  if (typeof value === 'object' && value !== null) return findInObject(resolved, value, path, table)
  return undefined
}

function findInList(schema: JsonSchema, list: readonly unknown[], path: string, table: SchemaTable) {
  const { items, additionalItems, minItems } = schema
  // A tuple has a schema for each place, any other list one for all.
  const tuple = Array.isArray(items) ? (items as readonly JsonSchema[]) : undefined
  for (const [i, item] of list.entries()) {
    const inner = `${path}[${i}]`
    const own: unknown = tuple ? (tuple[i] ?? additionalItems) : items
    if (own === false) return { path: inner, words: `removed: the list has ${tuple?.length ?? 0}` }
    const found = isSchema(own) && findMisfit(own, item, inner, table)
    if (found) return found
  }
  if (typeof minItems !== 'number' || list.length >= minItems) return undefined
  return { path, words: `a list of at least ${minItems}` }
}

function findInObject(schema: JsonSchema, object: object, path: string, table: SchemaTable): Misfit | undefined {
  const required = requiredFields(schema)
  const missing = required.find((name) => !Object.hasOwn(object, name))
  const fields = new Map(fieldsOf(schema))
  if (missing !== undefined) return { path: `${path}.${missing}`, words: schemaWords(fields.get(missing) ?? {}, table) }
  const { additionalProperties, propertyNames } = schema
  for (const [name, value] of Object.entries(object)) {
    const inner = `${path}.${name}`
    const isKnown = fields.has(name)
    if (!isKnown && additionalProperties === false) return { path: inner, words: 'removed: there is no such field' }
    const field = isKnown ? fields.get(name) : additionalProperties
    const optionalNull = value === null && isKnown && !required.includes(name)
    const found =
      (isSchema(propertyNames) && findMisfit(propertyNames, name, `the name ${inner}`, table)) ||
      (isSchema(field) && !optionalNull && findMisfit(field, value, inner, table))
    if (found) return found
  }
  return undefined
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Words for a type, with the required form of its hexadecimal digits. */
function expectation(schema: JsonSchema, table: SchemaTable): string {
  const words = schemaWords(schema, table)
  switch (refName(schema)) {
    case 'Address':
      return 'an address: 0x and 40 hexadecimal digits'
    case 'Hash':
      return '32 bytes: 0x and 64 hexadecimal digits in lower case'
    case 'Quantity':
      return 'a number in hex, such as 0x1f: no leading zeros, lower case'
    case 'Hex':
      return 'bytes in hex: 0x and two lowercase digits for each'
    case 'BlockTag':
      return '"latest", "pending", "safe", "finalized" or "earliest"'
    default:
      return words
  }
}
