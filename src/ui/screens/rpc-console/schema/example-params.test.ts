import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { OpenRpcDocument, OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { checkParams } from './check-params.ts'
import { exampleParams } from './example-params.ts'

const document = JSON.parse(readFileSync('src/node/rpc/openrpc.json', 'utf8')) as OpenRpcDocument
const table = document.components.schemas
const context = {
  account: `0x${'aa'.repeat(20)}`,
  other: `0x${'bb'.repeat(20)}`,
  blockHash: toWord(1),
  transactionHash: toWord(2),
} as const

const ajv = new Ajv({ strict: false })
ajv.addSchema({ ...document }, 'document')

const compiled = new Map<object, ValidateFunction>()

/** Whether an independent validator accepts the value. */
function fits(schema: object, value: unknown): boolean {
  const known = compiled.get(schema)
  if (known) return known(value)
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
  const validate = ajv.compile(absolute)
  compiled.set(schema, validate)
  return validate(value)
}

function methodOf(name: string): OpenRpcMethod {
  const method = document.methods.find((known) => known.name === name)
  if (!method) throw new Error(`no method ${name}`)
  return method
}

test.each(document.methods.map(({ name }) => name))('the example of %s matches its schemas', (name) => {
  const method = methodOf(name)
  const params = exampleParams(method, table, context)
  expect(params.length).toBeLessThanOrEqual(method.params.length)
  method.params.forEach(({ schema, required, name: param }, i) => {
    if (i < params.length) expect([param, params[i], fits(schema, params[i])]).toEqual([param, params[i], true])
    else expect([param, required]).toEqual([param, false])
  })
  expect(checkParams(method, params, table)).toEqual([])
})

test('examples use existing accounts, the newest block and the newest transaction', () => {
  const examples = (name: string) => exampleParams(methodOf(name), table, context)
  expect(examples('eth_getCode')).toEqual([context.account, 'latest'])
  expect(examples('eth_getBlockByHash')).toEqual([context.blockHash, false])
  expect(examples('eth_getTransactionByBlockHashAndIndex')).toEqual([context.blockHash, '0x0'])
  expect(examples('eth_getTransactionByHash')).toEqual([context.transactionHash])
  expect(examples('eth_getRawTransactionByHash')).toEqual([context.transactionHash])
  expect(examples('debug_traceBlockByHash')).toEqual([context.blockHash])
})

test('values are checked as by ajv', () => {
  const params = document.methods.flatMap((method) => method.params.map((param) => ({ method, param })))
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(context.account, context.blockHash, '0x1', '0x', '0x01', 'latest', 'callTracer', 0, true),
    fc.record(
      {
        from: fc.constantFrom(context.account, '0x1'),
        to: fc.constantFrom(context.other, null, 7),
        fromBlock: fc.constantFrom('latest', '0x01'),
        blockHash: fc.constantFrom(context.blockHash, '0x1'),
        methods: fc.array(fc.constantFrom('eth_call', 1)),
        chainId: fc.constantFrom('0x1', 1),
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...params), value, ({ param, method }, given) => {
      // Optional values may be null, also inside objects: the description says so in words, not in the schema.
      fc.pre(!JSON.stringify(given).includes('null'))
      const only = { ...method, params: [{ ...param, required: true }] }
      expect(checkParams(only, [given], table).length === 0).toBe(fits(param.schema, given))
    }),
    { numRuns: 1_000 },
  )
})
