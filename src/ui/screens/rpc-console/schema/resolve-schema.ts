import type { JsonSchema } from '#rpc-types/open-rpc.ts'

/** The schemas that others refer to, by name. */
export type SchemaTable = Readonly<Record<string, JsonSchema>>

const PREFIX = '#/components/schemas/'

/** The name that a schema refers to; `undefined` if it is not a reference. */
export function refName(schema: JsonSchema): string | undefined {
  const ref = schema['$ref']
  return typeof ref === 'string' && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined
}

/** The schema behind a reference; one that allows anything if the document lacks it. */
export function resolveSchema(schema: JsonSchema, table: SchemaTable): JsonSchema {
  let resolved = schema
  for (let name = refName(resolved); name !== undefined; name = refName(resolved)) {
    const target = Object.hasOwn(table, name) ? table[name] : undefined
    if (!target || target === resolved) return {}
    resolved = target
  }
  return resolved
}

/** The names and schemas of an object's fields. */
export function fieldsOf(schema: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  const properties = schema['properties']
  return typeof properties === 'object' && properties !== null
    ? Object.entries(properties as Record<string, JsonSchema>)
    : []
}

/** The fields that an object must have. */
export function requiredFields(schema: JsonSchema): readonly string[] {
  const required = schema['required']
  return Array.isArray(required) ? (required as string[]) : []
}
