import { expect, test } from 'vitest'
import { readDeclarations } from './declarations.ts'
import { createOpenRpcDocument } from './document.ts'

const NO_SUBSCRIPTIONS = 'export interface Subscriptions {}'

/** The document of a contract with one method. */
function documentOf(method: string, types = '', aliases: ReadonlyMap<string, string> = new Map()) {
  const source = `export interface RpcMethods { /** Asks. */ ask: ${method} }\n${types}\n${NO_SUBSCRIPTIONS}`
  return createOpenRpcDocument({
    declarations: readDeclarations(new Map([['contract.ts', source]])),
    version: '1.2.3',
    aliases,
  })
}

/** The schema of a result. */
const schemaOf = (type: string, types = '') =>
  documentOf(`{ params: []; result: ${type} }`, types).methods[0]?.result.schema

test.each([
  ['string | null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ["'a' | 'b'", { enum: ['a', 'b'] }],
  ['true', { const: true }],
  ["'a' | 'b' | (string & {})", { anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] }],
  ["'a' | null", { anyOf: [{ const: 'a' }, { type: 'null' }] }],
  ['unknown', {}],
  ['object', { type: 'object' }],
  ['Quantity', { $ref: '#/components/schemas/Quantity' }],
  ['readonly number[]', { type: 'array', items: { type: 'number' } }],
  ['readonly []', { type: 'array', maxItems: 0 }],
  [
    'readonly [a: number, b?: boolean]',
    { type: 'array', items: [{ type: 'number' }, { type: 'boolean' }], additionalItems: false, minItems: 1 },
  ],
  ['Record<string, boolean>', { type: 'object', additionalProperties: { type: 'boolean' } }],
  [
    'Readonly<Record<Hash, null>>',
    {
      type: 'object',
      propertyNames: { $ref: '#/components/schemas/Hash' },
      additionalProperties: { type: 'null' },
    },
  ],
  ["Record<'a' | 'b', true>", object({ a: { const: true }, b: { const: true } }, ['a', 'b'])],
  ["{ a?: number; 'x-b': string }", object({ a: { type: 'number' }, 'x-b': { type: 'string' } }, ['x-b'])],
  [
    '{ a: number; [member: string]: unknown }',
    { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: {} },
  ],
])('the schema of %s', (type, schema) => {
  expect(schemaOf(type)).toEqual(schema)
})

function object(properties: object, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false }
}

test('an interface has the members of those that it extends, and their comments', () => {
  const { components } = documentOf(
    '{ params: []; result: Dog }',
    `/** Has legs. */ export interface Animal { /** Four at most. */ readonly legs: number }
     /** Barks. */ export interface Dog extends Animal { readonly name?: string }`,
  )
  expect(components.schemas).toEqual({
    Dog: {
      title: 'Dog',
      description: 'Barks.',
      ...object({ legs: { description: 'Four at most.', type: 'number' }, name: { type: 'string' } }, ['legs']),
    },
  })
})

const SHAPES = 'interface A { a: number; b: string } interface B { c: true }'
const [NUMBER, STRING, TRUE] = [{ type: 'number' }, { type: 'string' }, { const: true }]

test.each([
  ["Pick<A, 'a'>", object({ a: NUMBER }, ['a'])],
  ["Omit<A, 'a'>", object({ b: STRING }, ['b'])],
  ['A & B', object({ a: NUMBER, b: STRING, c: TRUE }, ['a', 'b', 'c'])],
  [
    "B & (Pick<A, 'a'> | Pick<A, 'b'>)",
    { anyOf: [object({ c: TRUE, a: NUMBER }, ['c', 'a']), object({ c: TRUE, b: STRING }, ['c', 'b'])] },
  ],
])('%s is written out, closed to other members', (type, schema) => {
  expect(schemaOf(type, SHAPES)).toEqual(schema)
})

test('a generic type is written out with its argument, or named where the default stands for it', () => {
  const types = 'export interface Box<Content = string> { content: readonly Content[] }'
  const boxOf = (items: object) => object({ content: { type: 'array', items } }, ['content'])
  expect(schemaOf('Box<number>', types)).toEqual(boxOf(NUMBER))
  const { methods, components } = documentOf('{ params: []; result: Box }', types)
  expect(methods[0]?.result.schema).toEqual({ $ref: '#/components/schemas/Box' })
  expect(components.schemas['Box']).toEqual({ title: 'Box', ...boxOf(STRING) })
})

test('a type may be part of itself', () => {
  const { components } = documentOf('{ params: []; result: Tree }', 'export interface Tree { of: readonly Tree[] }')
  const items = { $ref: '#/components/schemas/Tree' }
  expect(components.schemas).toEqual({ Tree: { title: 'Tree', ...object({ of: { type: 'array', items } }, ['of']) } })
})

test('what the node takes may have other members, unless it is also what the node answers', () => {
  const types = 'export interface Taken { a: Both } export interface Both { b: null }'
  const { components } = documentOf('{ params: [taken: Taken]; result: Both }', types)
  expect(components.schemas['Taken']).not.toHaveProperty('additionalProperties')
  expect(components.schemas['Both']).toHaveProperty('additionalProperties', false)
})

test('parameters have their names, and are required or not', () => {
  expect(documentOf('{ params: [a: string, b?: boolean]; result: null }').methods).toEqual([
    {
      name: 'ask',
      summary: 'Asks.',
      paramStructure: 'by-position',
      params: [
        { name: 'a', required: true, schema: STRING },
        { name: 'b', required: false, schema: { type: 'boolean' } },
      ],
      result: { name: 'result', schema: { type: 'null' } },
    },
  ])
})

test('of a long comment the first sentence is the summary, without links and tags', () => {
  const source = `export interface RpcMethods {
    /**
     * As {@link other}, v1.2 or later. Then
     * more.
     *
     * @see {@link https://example.org | Elsewhere}
     */
    ask: { params: []; result: null }
  }`
  const declarations = readDeclarations(new Map([['contract.ts', `${source}\n${NO_SUBSCRIPTIONS}`]]))
  expect(createOpenRpcDocument({ declarations, version: '1', aliases: new Map() }).methods[0]).toMatchObject({
    summary: 'As `other`, v1.2 or later.',
    description: 'As `other`, v1.2 or later. Then more.',
  })
})

test.each([
  ['a conditional type', 'string extends string ? 1 : 2', 'TSConditionalType has no schema yet'],
  ['a template', '`0x${string}`', 'TSTemplateLiteralType has no schema yet'],
  ['keyof', 'keyof A', 'keyof has no schema yet'],
  ['an indexed access', "A['a']", 'TSIndexedAccessType has no schema yet'],
  ['a method', '{ a(): void }', 'TSMethodSignature has no schema yet'],
  ['undefined', 'string | undefined', 'TSUndefinedKeyword has no schema yet'],
  ['a bigint', '1n', 'a literal bigint has no schema yet'],
  ['a type from elsewhere', 'Elsewhere', 'Elsewhere is declared nowhere'],
  ['an impossible intersection', 'string & number', 'no keyword is a keyword as well'],
  ['a member that two parts have', 'A & { a: string }', 'both objects have a member a'],
  ['a member that is not there', "Pick<A, 'z'>", 'there is no member z to pick or to omit'],
])('%s is refused', (_what, type, message) => {
  expect(() => schemaOf(type, SHAPES)).toThrow(message)
})

test('a method without a comment is refused, and so is an alias of a missing method', () => {
  const declarations = readDeclarations(
    new Map([
      ['contract.ts', `export interface RpcMethods { ask: { params: []; result: null } }\n${NO_SUBSCRIPTIONS}`],
    ]),
  )
  expect(() => createOpenRpcDocument({ declarations, version: '1', aliases: new Map() })).toThrow('ask has no comment')
  expect(() => documentOf('{ params: []; result: null }', '', new Map([['b', 'c']]))).toThrow('b stands for c')
})

test('two types of one name are refused, as is what does not parse', () => {
  const source = 'export type A = string'
  expect(() =>
    readDeclarations(
      new Map([
        ['a.ts', source],
        ['b.ts', source],
      ]),
    ),
  ).toThrow('b.ts: A is declared in another')
  expect(() => readDeclarations(new Map([['a.ts', 'export type = 1']]))).toThrow('a.ts')
})
