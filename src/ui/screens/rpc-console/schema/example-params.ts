import type { ExampleContext } from '#rpc-types/method.ts'
import type { JsonSchema, OpenRpcContent, OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { EXAMPLES } from './examples.derived.ts'
import { fieldsOf, refName, requiredFields, resolveSchema, type SchemaTable } from './resolve-schema.ts'

/** Whether a parameter identifies a block. */
export function isBlockParam(param: OpenRpcContent): boolean {
  const name = refName(param.schema)
  return name === 'BlockSelector' || name === 'BlockNumberOrTag'
}

/**
 * Valid parameters for a method: the required ones, and the block, to show that it can be chosen.
 *
 * @param table - Schemas that the method's own refer to.
 */
export function exampleParams(method: OpenRpcMethod, table: SchemaTable, context: ExampleContext): readonly unknown[] {
  if (Object.hasOwn(EXAMPLES, method.name)) return filledIn(EXAMPLES[method.name], context) as readonly unknown[]
  const lastBlock = method.params.findLastIndex(isBlockParam)
  const lastRequired = method.params.findLastIndex((param) => param.required !== false)
  const beforeBlock = method.params.slice(0, lastBlock).every((param) => param.required !== false)
  const count = Math.max(lastRequired, beforeBlock ? lastBlock : -1) + 1
  return method.params.slice(0, count).map((param) => exampleOf(param.schema, param.name, method.name, table, context))
}

/** An example with things of this chain in the places of their names. */
function filledIn(example: unknown, context: ExampleContext): unknown {
  return JSON.parse(JSON.stringify(example), (_key, value: unknown) => {
    const [, name] = typeof value === 'string' ? (/^\{(\w+)\}$/.exec(value) ?? []) : []
    return name === undefined ? value : context[name as keyof ExampleContext]
  })
}

/** Example values by the name of a parameter or field, in its units. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  wei: '0xde0b6b3a7640000',
  gasLimit: '0x1c9c380',
  baseFee: '0x3b9aca00',
  seconds: 12,
  ms: 1_000,
  depth: 1,
  n: 1,
  factor: 1,
  index: '0x0',
  slot: '0x0',
  kind: 'newHeads',
  url: 'http://127.0.0.1:8545',
}

function exampleOf(
  schema: JsonSchema,
  name: string,
  method: string,
  table: SchemaTable,
  context: ExampleContext,
): unknown {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  switch (refName(schema)) {
    case 'Address':
      return name === 'to' ? context.other : context.account
    case 'Hash':
      return isOfBlock(method, name) ? context.blockHash : context.transactionHash
    case 'Quantity':
      return '0x1'
    case 'Hex':
      return '0x'
    case 'BytesMax32':
      return '0x0'
    case 'BlockSelector':
    case 'BlockNumberOrTag':
    case 'BlockTag':
      return 'latest'
    case 'RpcCall':
      return { from: context.account, to: context.other, value: '0x1' }
    case 'Bytes65':
      return `0x${'00'.repeat(65)}`
    default:
      return exampleByShape(schema, name, method, table, context)
  }
}

function exampleByShape(
  schema: JsonSchema,
  name: string,
  method: string,
  table: SchemaTable,
  context: ExampleContext,
): unknown {
  const resolved = resolveSchema(schema, table)
  const { anyOf, enum: values, const: only, type } = resolved
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema, name, method, table, context)
  if (Array.isArray(values)) return values[0]
  if (only !== undefined) return only
  switch (type) {
    case 'boolean':
      return false
    case 'number':
      return 1
    case 'string':
      return name === 'message' ? 'hello' : ''
    case 'array':
      return []
    case 'object': {
      const required = new Set(requiredFields(resolved))
      return Object.fromEntries(
        fieldsOf(resolved)
          .filter(([field]) => required.has(field))
          .map(([field, inner]) => [field, exampleOf(inner, field, method, table, context)]),
      )
    }
    default:
      return null
  }
}

/** Whether a hash belongs to a block: parameters of both kinds are called `hash`. */
function isOfBlock(method: string, name: string): boolean {
  return /block/i.test(name) || /(?<!Transaction)By(Block)?Hash(AndIndex)?$|ByBlockHash/.test(method)
}
