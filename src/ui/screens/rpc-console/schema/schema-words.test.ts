import { expect, test } from 'vitest'
import { describeSchema, schemaWords } from './schema-words.ts'

const table = {
  Address: { type: 'string' },
  Quantity: { type: 'string' },
  Choice: { description: 'One of two.', enum: ['a', 'b'] },
  Call: {
    description: 'A call.',
    type: 'object',
    properties: { to: { $ref: '#/components/schemas/Address' }, gas: { description: 'Limit.', type: 'number' } },
    required: ['to'],
  },
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('types are described in plain words', () => {
  expect(schemaWords(ref('Address'), table)).toBe('address')
  expect(schemaWords({ anyOf: [ref('Quantity'), { type: 'number' }] }, table)).toBe('hex quantity or number')
  expect(schemaWords({ anyOf: [ref('Choice'), { type: 'null' }] }, table)).toBe('"a", "b" or null')
  expect(schemaWords({ type: 'array', items: ref('Address') }, table)).toBe('list of address')
  expect(schemaWords({}, table)).toBe('anything')
  expect(schemaWords(ref('Unknown'), table)).toBe('anything')
})

test('an object is described with its fields', () => {
  expect(describeSchema(ref('Call'), table)).toEqual({
    description: 'A call.',
    fields: [
      { name: 'to', words: 'address', required: true, description: undefined },
      { name: 'gas', words: 'number', required: false, description: 'Limit.' },
    ],
  })
})
