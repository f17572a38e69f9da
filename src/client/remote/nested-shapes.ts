import { isObject } from '#primitives/json-object.ts'
import {
  address,
  data,
  flag,
  hash,
  listOf,
  matches,
  object,
  optional,
  PARTS_OF_PATH,
  quantity,
  recordOf,
  text,
} from './shapes.ts'

// Shapes of any depth: call traces and JSON Schemas. Each has a limit, since a hostile chain nests as deep as it likes.

/** Deepest nesting of calls in a trace (the EVM's own limit), and the most calls in one trace. */
const DEEPEST_CALL = 1_024
const MAX_CALLS = 100_000
const frame = object({
  type: matches(/^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2|SELFDESTRUCT)$/),
  from: address,
  to: optional(address),
  value: optional(quantity),
  gas: quantity,
  gasUsed: quantity,
  input: data,
  output: optional(data),
  error: optional(text),
  revertReason: optional(text),
  logs: optional(
    listOf(object({ address, topics: listOf(hash), data, index: optional(quantity), position: optional(quantity) })),
  ),
})

/** Checks a result of `callTracer`. */
export function callTrace(value: unknown, path: string): string | undefined {
  const waiting = [{ call: value, at: path, depth: 0 }]
  for (let seen = 0, next = waiting.pop(); next; seen++, next = waiting.pop()) {
    const { call, at, depth } = next
    const wrong = seen >= MAX_CALLS || depth > DEEPEST_CALL ? 'calls' : frame(call, at)
    if (wrong !== undefined) return wrong
    const calls = isObject(call) && Object.hasOwn(call, 'calls') ? (call['calls'] ?? []) : []
    const inside = at === '' ? 'calls' : `${at}.calls`
    if (!Array.isArray(calls)) return inside
    for (const [i, inner] of calls.entries())
      waiting.push({ call: inner, at: `${inside}[${i}]`.slice(-PARTS_OF_PATH), depth: depth + 1 })
  }
  return undefined
}

/** Deepest nesting of a JSON Schema, since code that reads it recurses as deep. */
const DEEPEST_SCHEMA = 64
function schema(value: unknown, path: string, depth = 0): string | undefined {
  if (depth > DEEPEST_SCHEMA) return path
  if (typeof value === 'boolean' && depth === 0) return undefined
  if (depth === 0 && !isObject(value)) return path
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) {
    if (Object.hasOwn(value, '__proto__')) return path
    const { $ref, pattern } = value as { readonly $ref?: unknown; readonly pattern?: unknown }
    if ($ref !== undefined && typeof $ref !== 'string') return path
    if (typeof pattern === 'string' && !isPattern(pattern)) return path
  }
  for (const member of Object.values(value)) {
    const wrong = schema(member, path, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
const content = object({
  name: text,
  schema: (value, path) => schema(value, path),
  required: optional(flag),
  description: optional(text),
})
const described = { name: text, summary: optional(text), description: optional(text), params: listOf(content) }

/** Longest pattern in characters; a node's own have at most about fifty. */
const LONGEST_PATTERN = 200

function isPattern(pattern: string): boolean {
  try {
    return pattern.length <= LONGEST_PATTERN && new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

/** The references of the schemas that apply to the same value as this one. */
function alternatives(one: unknown): readonly string[] {
  if (!isObject(one)) return []
  const { $ref, anyOf } = one
  const own = typeof $ref === 'string' ? [$ref] : []
  return Array.isArray(anyOf) ? [...own, ...anyOf.flatMap(alternatives)] : own
}

/**
 * Refuses schemas that refer back to themselves without descending into the value, since following them would never
 * end.
 */
function withoutCircles(value: unknown, path: string): string | undefined {
  const schemas = Object.entries(value as Readonly<Record<string, unknown>>)
  const edges = new Map(schemas.map(([name, one]) => [`#/components/schemas/${name}`, alternatives(one)]))
  const done = new Set<string>()
  const leadsBack = (name: string, way: ReadonlySet<string>): boolean => {
    if (way.has(name) || way.size > DEEPEST_SCHEMA) return true
    if (done.has(name)) return false
    const further = new Set([...way, name])
    const found = (edges.get(name) ?? []).some((next) => leadsBack(next, further))
    done.add(name)
    return found
  }
  return [...edges.keys()].some((name) => leadsBack(name, new Set())) ? path : undefined
}

/** The result of `rpc_discover`, from which the console is built. */
export const openRpcDocument = object({
  openrpc: text,
  methods: listOf(object({ ...described, paramStructure: optional(text), result: content })),
  'x-subscriptions': optional(listOf(object({ ...described, payload: content }))),
  components: object({
    schemas: (value, path) => recordOf((one, where) => schema(one, where))(value, path) ?? withoutCircles(value, path),
  }),
})
