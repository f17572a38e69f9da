import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import type { RpcTypedData } from '#rpc-types/methods/eth.ts'
import { RpcRefusedError } from '../../errors.ts'
import { typedDataDigest } from './typed-data-digest.ts'

type Typed = Required<RpcTypedData>

const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => bytesToHex(bytes) as string)
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes)

/** A type, and the values that it has. */
interface Sort {
  readonly type: string
  readonly value: fc.Arbitrary<unknown>
  /** Values that it has not. */
  readonly wrong: readonly unknown[]
  /** The types of structs that it is made of. */
  readonly structs: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
}

const NO_TEXT = [5, true, null, ['x'], { x: 'x' }]

const integers = fc.tuple(fc.boolean(), bits).map(([signed, size]): Sort => {
  const limit = signed ? 2n ** BigInt(size - 1) : 2n ** BigInt(size)
  const within = fc.bigInt({ min: signed ? -limit : 0n, max: limit - 1n })
  return {
    type: `${signed ? 'int' : 'uint'}${size}`,
    value: within.map((number) => (Number.isSafeInteger(Number(number)) ? Number(number) : number.toString())),
    wrong: [
      ...NO_TEXT.slice(1),
      '',
      ' 5',
      '0x',
      '1.5',
      1.5,
      'many',
      `${limit}`,
      `${signed ? -limit - 1n : -1n}`,
      '-0x1',
    ],
    structs: {},
  }
})

const primitives: fc.Arbitrary<Sort> = fc.oneof(
  integers,
  fc.integer({ min: 1, max: 32 }).map((size) => ({
    type: `bytes${size}`,
    value: hexOf(size),
    wrong: [...NO_TEXT, '', '0x', `0x${'00'.repeat(size + 1)}`, `0x${'0'.repeat(2 * size - 1)}`, 'x'.repeat(size)],
    structs: {},
  })),
  fc.constant<Sort>({
    type: 'bytes',
    value: fc.uint8Array({ maxLength: 40 }).map((bytes) => bytesToHex(bytes)),
    wrong: [...NO_TEXT, '', 'hello', '0x123', '0xzz', '00'],
    structs: {},
  }),
  fc.constant<Sort>({ type: 'string', value: fc.string({ unit: 'grapheme' }), wrong: NO_TEXT, structs: {} }),
  fc.constant<Sort>({ type: 'bool', value: fc.boolean(), wrong: [0, 1, 'true', '', null, []], structs: {} }),
  fc.constant<Sort>({
    type: 'address',
    value: hexOf(20),
    wrong: [...NO_TEXT, '', '0x', `0x${'11'.repeat(19)}`, `0x${'11'.repeat(21)}`, '11'.repeat(20)],
    structs: {},
  }),
)

/** An array of a sort, with a length or without one. */
const arrayOf = (of: fc.Arbitrary<Sort>) =>
  fc.tuple(of, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })).map(([sort, length]): Sort => {
    const items = fc.array(sort.value, { minLength: length ?? 0, maxLength: length ?? 3 })
    const one = fc.sample(sort.value, { numRuns: 1, seed: 1 })[0]
    return {
      type: `${sort.type}[${length ?? ''}]`,
      value: items,
      wrong: [
        'x',
        {},
        null,
        ...(length === undefined ? [] : [[], Array.from({ length: length + 1 }, () => one)]),
        ...sort.wrong.map((wrong) => [wrong, ...Array.from({ length: (length ?? 1) - 1 }, () => one)]),
      ],
      structs: sort.structs,
    }
  })

/** A struct of some sorts; its name tells it from others of another shape. */
const structOf = (of: fc.Arbitrary<Sort>) =>
  fc.array(of, { minLength: 1, maxLength: 3 }).map((sorts): Sort => {
    const members = sorts.map(({ type }, i) => ({ name: `m${i}`, type }))
    const name = `S_${members.map(({ type }) => type.replaceAll(/\[/g, 'a').replaceAll(/\]/g, 'z')).join('_')}`
    const whole = fc.record(Object.fromEntries(sorts.map(({ value }, i) => [`m${i}`, value])))
    const one = fc.sample(whole, { numRuns: 1, seed: 1 })[0]
    return {
      type: name,
      value: whole,
      wrong: [
        'x',
        5,
        null,
        [],
        {},
        ...sorts.flatMap(({ wrong }, i) => wrong.map((each) => ({ ...one, [`m${i}`]: each }))),
      ],
      structs: Object.assign({ [name]: members }, ...sorts.map(({ structs }) => structs)) as Sort['structs'],
    }
  })

const leaf = fc.oneof({ weight: 3, arbitrary: primitives }, { weight: 1, arbitrary: arrayOf(primitives) })
const middle = fc.oneof(leaf, structOf(leaf), arrayOf(structOf(leaf)), arrayOf(arrayOf(primitives)))
const root = structOf(middle)

const domain = fc.record(
  {
    name: fc.string({ minLength: 1 }),
    version: fc.string({ minLength: 1 }),
    chainId: fc.nat(),
    verifyingContract: hexOf(20),
    salt: hexOf(32),
  },
  { requiredKeys: [] },
)

test('typed data that matches its types has the digest that viem and ethers give it', () => {
  fc.assert(
    fc.property(
      root.chain((sort) => fc.tuple(fc.constant(sort), sort.value, domain)),
      ([sort, message, of]) => {
        const typed = { types: sort.structs, primaryType: sort.type, domain: of, message } as Typed
        const digest = bytesToHex(typedDataDigest(typed))
        expect(digest).toBe(hashTypedData(typed as Parameters<typeof hashTypedData>[0]))
        const types = sort.structs as unknown as Parameters<typeof TypedDataEncoder.hash>[1]
        expect(digest).toBe(TypedDataEncoder.hash(of, types, message as Record<string, unknown>))
      },
    ),
    { numRuns: 300 },
  )
})

test('typed data with one value that does not match its type is refused', () => {
  fc.assert(
    fc.property(
      root.chain((sort) => fc.tuple(fc.constant(sort), fc.constantFrom(...sort.wrong), domain)),
      ([sort, message, of]) => {
        const typed = { types: sort.structs, primaryType: sort.type, domain: of, message } as Typed
        expect(() => typedDataDigest(typed), JSON.stringify(message)).toThrow(RpcRefusedError)
      },
    ),
    { numRuns: 1_000 },
  )
})

test.each([
  'uint7',
  'int0',
  'uint',
  'int',
  'uint264',
  'uint08',
  'bytes0',
  'bytes33',
  'bytes01',
  'Nothing',
  'function',
  'uint8[',
  '[]',
  '',
])('there is no type %j', (type) => {
  for (const suffix of ['', '[]', '[2]']) {
    const types = { Mail: [{ name: 'x', type: type + suffix }] }
    const typed = { types, primaryType: 'Mail', domain: {}, message: { x: suffix === '' ? '0x00' : [] } }
    expect(() => typedDataDigest(typed)).toThrow(RpcRefusedError)
  }
})

test.each(['uint8', 'bytes', 'bool', 'address', 'string', 'int256', 'bytes32'])('a struct is not called %s', (name) => {
  const types = { [name]: [{ name: 'x', type: 'uint8' }], Mail: [{ name: 'x', type: name }] }
  expect(() => typedDataDigest({ types, primaryType: 'Mail', domain: {}, message: { x: { x: 1 } } })).toThrow(
    RpcRefusedError,
  )
})

const MAIL = { types: { Mail: [{ name: 'x', type: 'uint8' }] }, primaryType: 'Mail', message: { x: 1 } }

test.each([
  { name: 5 },
  { version: 1 },
  { chainId: 'many' },
  { chainId: -1 },
  { salt: '0x00' },
  { verifyingContract: 5 },
])('the domain %j is refused', (of) => {
  expect(() => typedDataDigest({ ...MAIL, domain: of })).toThrow(RpcRefusedError)
  const types = { ...MAIL.types, EIP712Domain: Object.keys(of).map((name) => ({ name, type: TYPES[name] ?? '' })) }
  expect(() => typedDataDigest({ ...MAIL, types, domain: of })).toThrow(RpcRefusedError)
})

const TYPES: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}

test('a chain id counts in any spelling, although the type of the domain is left out', () => {
  const expected = bytesToHex(typedDataDigest({ ...MAIL, domain: { chainId: 31337 } }))
  for (const chainId of ['31337', '0x7a69']) {
    expect(bytesToHex(typedDataDigest({ ...MAIL, domain: { chainId } }))).toBe(expected)
  }
})

test('members that no type names are ignored, and a type may hold others of itself', () => {
  const types = {
    Node: [
      { name: 'value', type: 'uint8' },
      { name: 'children', type: 'Node[]' },
    ],
  }
  const message = { value: 1, children: [{ value: 2, children: [], more: 'x' }], other: 5 }
  const typed = { types, primaryType: 'Node', domain: {}, message }
  expect(bytesToHex(typedDataDigest(typed))).toBe(hashTypedData(typed as Parameters<typeof hashTypedData>[0]))
})
