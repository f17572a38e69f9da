import { Ajv, type ValidateFunction } from 'ajv'
import document from '../rpc/openrpc.json'
import { isObject } from '../rpc/params/json-type.ts'

const ajv = new Ajv({ strictTuples: false })
// The document itself is no schema: what stands in it besides schemas is passed over.
ajv.addVocabulary(Object.keys(document))
ajv.addSchema(document, 'openrpc')

const compiled = new Map<string, ValidateFunction>()
const methods = new Map(document.methods.map(({ name }, i) => [name, i]))
const subscriptions = new Map(document['x-subscriptions'].map(({ name }, i) => [name, i]))

/** @param pointer - Of the schema, in the document. */
function check(what: string, pointer: string, value: unknown): void {
  const validate = compiled.get(pointer) ?? ajv.getSchema(`openrpc#${pointer}`)
  if (!validate) throw new Error(`the OpenRPC document has nothing at ${pointer}`)
  compiled.set(pointer, validate)
  if (validate(value)) return
  throw new Error(`${what} is not what the contract says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

/** Holds the result of a method against its schema. @throws {Error} If it does not fit. */
export function checkResult(name: string, result: unknown): void {
  check(`the result of ${name}`, `/methods/${methodIndex(name)}/result/schema`, result)
}

/** Holds parameters that a method has taken, as JSON, against their schemas. @throws {Error} If one does not fit. */
export function checkParams(name: string, params: unknown): void {
  const position = methodIndex(name)
  for (const [i, param] of (Array.isArray(params) ? params : [params]).entries()) {
    if (param === null) continue
    check(`parameter ${i} of ${name}`, `/methods/${position}/params/${i}/schema`, withoutNulls(param))
  }
}

/** Holds what follows the kind of a subscription against its schema. @throws {Error} If it does not fit. */
export function checkSubscriptionParams(kind: string, params: readonly unknown[]): void {
  for (const [i, param] of params.entries()) {
    if (param === null) continue
    check(
      `parameter ${i} of ${kind}`,
      `/x-subscriptions/${subscriptionIndex(kind)}/params/${i}/schema`,
      withoutNulls(param),
    )
  }
}

/** Holds what a subscription pushed against the schema of its kind. @throws {Error} If it does not fit. */
export function checkPayload(kind: string, payload: unknown): void {
  check(`a payload of ${kind}`, `/x-subscriptions/${subscriptionIndex(kind)}/payload/schema`, payload)
}

function subscriptionIndex(kind: string): number {
  const position = subscriptions.get(kind)
  if (position === undefined)
    throw new Error(`no subscription ${kind} in the OpenRPC document: run \`npm run openrpc\``)
  return position
}

function methodIndex(name: string): number {
  const position = methods.get(name)
  if (position === undefined) throw new Error(`no method ${name} in the OpenRPC document: run \`npm run openrpc\``)
  return position
}

/** A member of an object that is `null` counts as left out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const given = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(given.map(([name, member]) => [name, withoutNulls(member)]))
}
