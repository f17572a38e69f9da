import { expect, test } from 'vitest'
import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { checkParams, readParams } from './check-params.ts'

const table = {
  Address: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  BlockTag: { enum: ['latest', 'pending'] },
  Quantity: { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' },
  Call: { type: 'object', properties: { to: { $ref: '#/components/schemas/Address' } }, required: ['to'] },
}
const method: OpenRpcMethod = {
  name: 'eth_call',
  summary: '',
  paramStructure: 'by-position',
  params: [
    { name: 'call', required: true, schema: { $ref: '#/components/schemas/Call' } },
    {
      name: 'block',
      required: false,
      schema: { anyOf: [{ $ref: '#/components/schemas/BlockTag' }, { $ref: '#/components/schemas/Quantity' }] },
    },
  ],
  result: { name: 'result', schema: {} },
}
const to = `0x${'ab'.repeat(20)}`
const complaints = (...params: readonly unknown[]) => checkParams(method, params, table)

test('parameters are a JSON list, and an empty text is an empty list', () => {
  expect(readParams('["0x1", {"a": null}]')).toEqual({ ok: true, params: ['0x1', { a: null }] })
  expect(readParams(' \n')).toEqual({ ok: true, params: [] })
  expect(readParams('{"a": 1}')).toEqual({ ok: false, why: 'Parameters must be an array: put [ and ] around them.' })
  expect(readParams('[1,')).toMatchObject({ ok: false, why: expect.stringMatching(/^Not JSON yet: /) as string })
})

test('valid parameters have no problems; optional ones may be left out or null', () => {
  expect(complaints({ to }, 'latest')).toEqual([])
  expect(complaints({ to })).toEqual([])
  expect(complaints({ to }, null)).toEqual([])
})

test('a list with a schema for each place has neither fewer nor more items, and each of its kind', () => {
  const pair = [{ $ref: '#/components/schemas/Call' }, { type: 'array', items: { enum: ['trace'] } }]
  const schema = { type: 'array', items: { type: 'array', items: pair, additionalItems: false, minItems: 2 } }
  const traced = { ...method, params: [{ name: 'calls', required: true, schema }] }
  const found = (...calls: readonly unknown[]) => checkParams(traced, [calls], table)
  expect(found([{ to }, ['trace']])).toEqual([])
  expect(found([])).toEqual(['calls[0] should be a list of at least 2.'])
  expect(found([{ to }])).toEqual(['calls[0] should be a list of at least 2.'])
  expect(found([{ to }, ['trace'], 1])).toEqual(['calls[0][2] should be removed: the list has 2.'])
  expect(found([{ to }, ['trace']], [{ to }, [1]])).toEqual([expect.stringMatching(/^calls\[1\]\[1\]\[0\] should be /)])
})

test('a wrong value is named, with what it should be', () => {
  expect(complaints()).toEqual(['call is missing: object.'])
  expect(complaints({})).toEqual(['call.to should be address.'])
  expect(complaints({ to: '0x12' }, 7)).toEqual([
    'call.to should be an address: 0x and 40 hexadecimal digits.',
    'block should be tag or hex quantity.',
  ])
  expect(complaints({ to }, 'latest', 1)).toEqual(['eth_call takes at most 2, but there are 3.'])
})
