import fc from 'fast-check'
import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import type { AbiParameter } from '#solidity/build/build.ts'
import { decodeValues } from './decode.ts'
import { signatureOf } from './signature.ts'

function decoded(parameters: readonly AbiParameter[], values: readonly unknown[]): string[] | undefined {
  const bytes = hexToBytes(encodeAbiParameters(parameters as never, values as never))
  return decodeValues(parameters, bytes)?.map(({ text }) => text)
}

const of = (type: string, components?: AbiParameter[]): AbiParameter => ({
  name: '',
  type,
  ...(components ? { components } : {}),
})

test('values of every kind are formatted for people', () => {
  expect(decoded([of('uint8'), of('int16'), of('bool'), of('bytes3')], [200, -3, true, '0x010203'])).toEqual([
    '200',
    '-3',
    'true',
    '0x010203',
  ])
  expect(decoded([of('string'), of('bytes')], ['quote " ü', '0x0102'])).toEqual(['"quote \\" ü"', '0x0102'])
  expect(
    decoded(
      [of('uint256[2][]')],
      [
        [
          [1n, 2n],
          [3n, 4n],
        ],
      ],
    ),
  ).toEqual(['[[1, 2], [3, 4]]'])
  const item = of('tuple[]', [
    { name: 'a', type: 'string' },
    { name: 'b', type: 'tuple', components: [{ name: 'c', type: 'address' }] },
  ])
  const zero = '0x0000000000000000000000000000000000000000'
  expect(decoded([item], [[{ a: 'x', b: { c: zero } }]])).toEqual([`[("x", (${zero}))]`])
  expect(signatureOf('f', [item, of('uint8')])).toBe('f((string,(address))[],uint8)')
})

test('words that do not encode the type are refused', () => {
  const word = (digits: string) => hexToBytes(`0x${digits.padStart(64, '0')}`)
  expect(decodeValues([of('bool')], word('2'))).toBeUndefined()
  expect(decodeValues([of('uint8')], word('100'))).toBeUndefined()
  expect(decodeValues([of('int8')], word('ff'))).toBeUndefined()
  expect(decodeValues([of('address')], word('1'.padEnd(42, '0')))).toBeUndefined()
  expect(decodeValues([of('bytes2')], word('1'))).toBeUndefined()
  expect(decodeValues([of('what')], word('1'))).toBeUndefined()
})

test.each(['uint', 'int', 'bytes'])('%s followed by twenty digits is not a type', (kind) => {
  expect(decodeValues([of(kind + '9'.repeat(20))], new Uint8Array(32))).toBeUndefined()
})

test('arrays that claim to be huge, or to contain themselves, are refused at once', () => {
  const huge = hexToBytes(`0x${'20'.padStart(64, '0')}${'ff'.repeat(32)}`)
  expect(decodeValues([of('uint256[]')], huge)).toBeUndefined()
  expect(decodeValues([of('uint256[1000000000000]')], huge)).toBeUndefined()
  // 32 items, each of which is the same array.
  const circle = hexToBytes(`0x${'20'.padStart(64, '0').repeat(200)}`)
  expect(decodeValues([of('string[][][][][]')], circle)).toBeUndefined()
})

test('endlessly nested types, and large types that take no bytes, are refused at once', () => {
  const none = new Uint8Array(0)
  expect(decodeValues([of(`uint8${'[1]'.repeat(100_000)}`)], none)).toBeUndefined()
  const large = of(
    'tuple[0][10000]',
    Array.from({ length: 10_000 }, () => of('uint8')),
  )
  expect(decodeValues([large, large], none)).toBeUndefined()
})

test('any bytes are decoded or refused, within bounds', () => {
  const types = fc.constantFrom('string', 'uint256[]', 'bytes[][]', 'tuple[]', 'uint8[3]')
  fc.assert(
    fc.property(types, fc.uint8Array({ maxLength: 400 }), (type, bytes) => {
      const values = decodeValues([of(type, [of('string'), of('uint256')])], bytes)
      expect(values?.[0]?.text.length ?? 0).toBeLessThan(10_000)
    }),
  )
})
