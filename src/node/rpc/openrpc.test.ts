import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as jsonSchemaRules from '@json-schema-tools/meta-schema'
import * as openRpcRules from '@open-rpc/meta-schema'
import { Ajv, type AnySchemaObject } from 'ajv'
import { expect, test } from 'vitest'
import { VERSION } from '#rpc-types/version.ts'
import { readDeclarations } from '#testing/node/rpc/open-rpc/declarations.ts'
import { createOpenRpcDocument } from '#testing/node/rpc/open-rpc/document.ts'
import { FORMATS } from '#testing/node/rpc/open-rpc/formats.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { findMethod, METHOD_NAMES } from './method-table.ts'

const CONTRACT = path.resolve(import.meta.dirname, '../../rpc-types')
const DOCUMENT = path.resolve(import.meta.dirname, 'openrpc.json')

function sourcesOfContract(): ReadonlyMap<string, string> {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return new Map(files.toSorted().map((file) => [file, readFileSync(path.join(CONTRACT, file), 'utf8')]))
}

/** Aliases: other names for a method. */
async function aliases(): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    METHOD_NAMES.map(async (name): Promise<[string, string]> => [name, (await findMethod(name))?.name ?? '']),
  )
  return new Map(names.filter(([name, own]) => own !== name))
}

const document = createOpenRpcDocument({
  declarations: readDeclarations(sourcesOfContract()),
  version: VERSION,
  aliases: await aliases(),
})

test('the OpenRPC document matches the types', () => {
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (process.env['UPDATE_OPENRPC'] === '1') writeFileSync(DOCUMENT, text)
  expect(readFileSync(DOCUMENT, 'utf8'), 'stale: run `npm run openrpc`').toBe(text)
})

test('the document has all methods', () => {
  expect(document.methods.map(({ name }) => name)).toEqual(METHOD_NAMES.toSorted())
})

test('an alias of a method has the same parameters and result', () => {
  const find = (wanted: string) => document.methods.find(({ name }) => name === wanted)
  const alias = { name: 'base_transactionStatus', summary: 'The same as `chain_transactionStatus`.' }
  expect(find('base_transactionStatus')).toEqual({ ...find('chain_transactionStatus'), ...alias })
})

test('the document follows the rules of OpenRPC, and its schemas those of JSON Schema', () => {
  // The packages' type declarations describe the schemas' values, not the schemas.
  const { jsonSchema } = jsonSchemaRules as unknown as { readonly jsonSchema: AnySchemaObject }
  const { openrpcDocument } = openRpcRules as unknown as { readonly openrpcDocument: AnySchemaObject }
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addMetaSchema(jsonSchema, 'https://meta.json-schema.tools')
  const validate = ajv.compile(openrpcDocument)
  expect(validate(document), ajv.errorsText(validate.errors)).toBe(true)
  const [method, ...others] = document.methods
  expect(validate({ ...document, methods: [{ ...method, params: undefined }, ...others] })).toBe(false)
  expect(validate({ ...document, components: { schemas: { Wrong: { type: 'hash' } } } })).toBe(false)
})

test('every reference in the document points to one of its schemas', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target)
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect([...new Set(references)].filter((target) => !known.includes(target ?? ''))).toEqual([])
  expect(references.length).toBeGreaterThan(known.length)
})

test('every kind of hexadecimal text has a pattern', () => {
  const source = readFileSync(path.resolve(CONTRACT, '../primitives/hex.ts'), 'utf8')
  expect([...readDeclarations(new Map([['hex.ts', source]])).keys()].toSorted()).toEqual(
    Object.keys(FORMATS).toSorted(),
  )
})

test('a node returns the document, also under the name in OpenRPC', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('rpc_discover')).toEqual(document)
  expect(await request('rpc.discover' as 'rpc_discover')).toEqual(document)
})
