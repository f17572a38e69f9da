import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLookup } from './use-found.ts'

const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'.split('')), minLength: digits, maxLength: digits })

test.each([
  ['7', 7],
  [' #128 ', 128],
  ['1,024', 1024],
])('%o is the number of a block', (text, number) => {
  expect(parseLookup(text)).toEqual({ kind: 'block', number })
})

test('every whole number of up to thirteen digits is an exact block number', () => {
  fc.assert(
    fc.property(fc.nat({ max: 9_999_999_999_999 }), (number) => {
      expect(parseLookup(String(number))).toEqual({ kind: 'block', number })
      expect(parseLookup(number.toLocaleString('en-US'))).toEqual({ kind: 'block', number })
    }),
  )
})

test('64 digits are a hash and 40 are an address, in either case and with or without 0x', () => {
  fc.assert(
    fc.property(hex(64), hex(40), fc.constantFrom('0x', ''), (hash, address, prefix) => {
      expect(parseLookup(prefix + hash)).toEqual({ kind: 'hash', hash: `0x${hash.toLowerCase()}` })
      expect(parseLookup(prefix + address)).toEqual({ kind: 'address', address: `0x${address.toLowerCase()}` })
    }),
  )
})

test('other text with 0x gets a message: how many digits it has, or which character is not a digit', () => {
  expect(parseLookup(`0x${'a'.repeat(65)}`)).toEqual({
    kind: 'digits',
    why: 'An address has 40 hexadecimal digits, a hash has 64. This has 65 digits.',
  })
  expect(parseLookup('0x12g4')).toMatchObject({
    kind: 'digits',
    why: '“g” is not a hexadecimal digit. Those are 0–9 and a–f.',
  })
})

test('a few digits after 0x are the beginning of a hash, and only perhaps a number', () => {
  expect(parseLookup('0x1DF4')).toMatchObject({ kind: 'beginning', digits: '1df4', number: 7_668 })
  expect(parseLookup('0xdeadbeefdeadbeef')).toEqual({
    kind: 'beginning',
    digits: 'deadbeefdeadbeef',
    number: undefined,
    why:
      'Nothing that this page has seen begins with 0xdeadbeefdeadbeef. ' +
      'An address has 40 hexadecimal digits, a hash has 64. This has 16 digits.',
  })
})

test.each(['', 'account 3', 'dead', 'pause', '12,34'])('%o is words', (text) => {
  expect(parseLookup(text)).toEqual({ kind: 'words' })
})
