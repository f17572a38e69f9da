import { Ajv, type ValidateFunction } from 'ajv'
import document from '#node/rpc/openrpc.json'
import { isObject } from '#primitives/json-object.ts'
import type { OpenRpcContent } from '#rpc-types/open-rpc.ts'

const ajv = new Ajv({ strictTuples: false })
// The document itself is not a schema, so unknown keywords are ignored.
ajv.addVocabulary(Object.keys(document))
ajv.addSchema(document, 'openrpc')

const compiled = new Map<string, ValidateFunction>()

/** Whether it is a method or a subscription. */
type Kind = 'methods' | 'x-subscriptions'

interface Entry {
  /** Position in the document. */
  readonly pointer: string
  readonly params: readonly OpenRpcContent[]
}

/** By name. */
const entries: Readonly<Record<Kind, ReadonlyMap<string, Entry>>> = {
  methods: entriesOf('methods'),
  'x-subscriptions': entriesOf('x-subscriptions'),
}

function entriesOf(kind: Kind): ReadonlyMap<string, Entry> {
  return new Map(document[kind].map(({ name, params }, i) => [name, { pointer: `/${kind}/${i}`, params }]))
}

/**
 * Checks the result of a method against its schema.
 *
 * @throws {Error} If it does not match.
 */
export function checkResult(name: string, result: unknown): void {
  check(`the result of ${name}`, `${entry('methods', name).pointer}/result/schema`, result)
}

/**
 * Checks a pushed payload against the schema of its subscription.
 *
 * @throws {Error} If it does not match.
 */
export function checkPayload(name: string, payload: unknown): void {
  check(`a payload of ${name}`, `${entry('x-subscriptions', name).pointer}/payload/schema`, payload)
}

/**
 * Checks accepted parameters, as JSON, against their schemas; for a subscription, those after its kind.
 *
 * @throws {Error} If one does not match, or is missing.
 */
export function checkParams(kind: Kind, name: string, params: unknown): void {
  const { pointer, params: wanted } = entry(kind, name)
  const given: readonly unknown[] = Array.isArray(params) ? params : [params]
  const missing = wanted.findIndex(({ required }, i) => required && (given[i] ?? null) === null)
  if (missing >= 0) throw new Error(`the contract wants parameter ${missing} of ${name}`)
  for (const [i, param] of given.entries()) {
    if (param !== null) check(`parameter ${i} of ${name}`, `${pointer}/params/${i}/schema`, withoutNulls(param))
  }
}

/** @param pointer - JSON pointer to the schema in the document. */
function check(what: string, pointer: string, value: unknown): void {
  const validate = compiled.get(pointer) ?? ajv.getSchema(`openrpc#${pointer}`)
  if (!validate) throw new Error(`the OpenRPC document has nothing at ${pointer}`)
  compiled.set(pointer, validate)
  if (validate(value)) return
  throw new Error(`${what} is not what the contract says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

function entry(kind: Kind, name: string): Entry {
  const found = entries[kind].get(name)
  if (!found) throw new Error(`no ${name} in the OpenRPC document: run \`npm run openrpc\``)
  return found
}

/** A member that is `null` counts as left out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const given = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(given.map(([name, member]) => [name, withoutNulls(member)]))
}
