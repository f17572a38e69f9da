import type { JsonSchema } from '#rpc-types/open-rpc.ts'
import { fieldsOf, refName, requiredFields, resolveSchema, type SchemaTable } from './resolve-schema.ts'

/** Words for common types. */
const WORDS: Readonly<Record<string, string>> = {
  Address: 'address',
  Hash: '32 bytes in hex',
  Hex: 'bytes in hex',
  Quantity: 'hex quantity',
  BytesMax32: 'up to 32 bytes in hex',
  Bytes8: '8 bytes in hex',
  Bytes65: '65 bytes in hex',
  Bytes256: '256 bytes in hex',
  BlockTag: 'tag',
}

/** Describes a value of the schema in plain words: `tag or hex quantity`. */
export function schemaWords(schema: JsonSchema, table: SchemaTable): string {
  const parts = [...new Set(wordsOf(schema, table))]
  if (parts.length <= 1) return parts[0] ?? 'anything'
  return `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`
}

function wordsOf(schema: JsonSchema, table: SchemaTable): readonly string[] {
  const name = refName(schema)
  if (name !== undefined && WORDS[name] !== undefined) return [WORDS[name]]
  const { anyOf, enum: values, const: only, type, items } = resolveSchema(schema, table)
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).flatMap((option) => wordsOf(option, table))
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value))
  if (only !== undefined) return [JSON.stringify(only)]
  switch (type) {
    case 'array': {
      const item = typeof items === 'object' && items !== null && !Array.isArray(items) ? (items as JsonSchema) : {}
      return [`list of ${schemaWords(item, table)}`]
    }
    case 'boolean':
      return ['true or false']
    case 'string':
      return ['text']
    case 'number':
    case 'object':
    case 'null':
      return [type]
    default:
      return ['anything']
  }
}

/** A field of a parameter that is an object. */
export interface FieldHelp {
  readonly name: string
  readonly words: string
  readonly required: boolean
  readonly description: string | undefined
}

/** Explains a parameter: the description of its schema, and its fields if it is an object. */
export function describeSchema(
  schema: JsonSchema,
  table: SchemaTable,
): { readonly description: string | undefined; readonly fields: readonly FieldHelp[] } {
  const resolved = resolveSchema(schema, table)
  const required = new Set(requiredFields(resolved))
  return {
    description: descriptionOf(schema, table),
    fields: fieldsOf(resolved).map(([name, field]) => ({
      name,
      words: schemaWords(field, table),
      required: required.has(name),
      description: typeof field['description'] === 'string' ? field['description'] : undefined,
    })),
  }
}

function descriptionOf(schema: JsonSchema, table: SchemaTable): string | undefined {
  const own = schema['description'] ?? resolveSchema(schema, table)['description']
  return typeof own === 'string' ? own : undefined
}
