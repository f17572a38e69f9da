import fc from 'fast-check'
import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { decodeConsoleCall } from './console.ts'
import { TEXT_LIMIT } from './value-words.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function log(types: string, ...args: unknown[]): Hex {
  const parameters = types === '' ? [] : types.split(',').map((type) => ({ type }))
  return `${toFunctionSelector(`log(${types})`)}${encodeAbiParameters(parameters, args).slice(2)}`
}

/** The line printed for these types and values. */
function line(types: string, ...args: unknown[]): string {
  return decodeConsoleCall(log(types, ...args)).text
}

test('a call is decoded with its signature and the text of each argument', () => {
  expect(decodeConsoleCall(log('string,uint256,bool,address', 'paid', 5n, true, ALICE))).toEqual({
    text: `paid 5 true ${ALICE}`,
    values: ['paid', '5', 'true', ALICE],
    signature: 'log(string,uint256,bool,address)',
  })
  expect(decodeConsoleCall(log(''))).toEqual({ text: '', values: [], signature: 'log()' })
})

test.each([
  ['int256', -5n, '-5'],
  ['uint256', 2n ** 256n - 1n, (2n ** 256n - 1n).toString()],
  ['bytes', '0x010203', '0x010203'],
  ['bytes1', '0xff', '0xff'],
  ['bytes20', `0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
  ['bytes32', `0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ['string', 'ünïcödé 🙂', 'ünïcödé 🙂'],
  ['bool', false, 'false'],
])('one %s is formatted for people', (type, value, text) => {
  expect(line(type, value)).toBe(text)
})

test('every list of up to four of the common types has a function', () => {
  const type = fc.constantFrom('uint256', 'string', 'bool', 'address')
  fc.assert(
    fc.property(fc.array(type, { maxLength: 4 }), (types) => {
      expect(decodeConsoleCall(toFunctionSelector(`log(${types.join(',')})`)).signature).toBe(`log(${types.join(',')})`)
    }),
  )
})

test('functions of old Hardhat versions, whose selectors hash "uint" and "int", are known', () => {
  // From Hardhat's own file of signatures.
  const word = '2a'.padStart(64, '0')
  expect(decodeConsoleCall(`0x4e0c1d1d${word}`)).toMatchObject({ text: '42', signature: 'log(int256)' })
  expect(decodeConsoleCall(`0xf5b1bba9${word}`)).toMatchObject({ text: '42', signature: 'log(uint256)' })
  expect(decodeConsoleCall(`0x6c0f6980${word}${word}`)).toMatchObject({
    text: '42 42',
    signature: 'log(uint256,uint256)',
  })
})

test.each([
  [['%s and %s', 'a', 'b'], 'a and b'],
  [['%s', 'a', 'b'], 'a b'],
  [['%s %s', 'a'], 'a %s'],
  [['100%', 'a'], '100% a'],
  [['%% %s', 'a'], '% a'],
  [['%%s', 'a'], '%s a'],
  [['', 'a', 'b'], 'a b'],
  [['%o', 'a'], "'a'"],
  [['%d', 'a'], 'a'],
  [['%s'], '%s'],
  [['%%'], '%%'],
])('the texts %j are printed as %j', (texts, printed) => {
  expect(line(texts.map(() => 'string').join(), ...texts)).toBe(printed)
})

test.each([
  ['%d', 100n, '100'],
  ['%i', 2n ** 200n, (2n ** 200n).toString()],
  ['%x', 255n, '0xff'],
  ['%x', 0n, '0x0'],
  ['%e', 1_002_300n, '1.0023e6'],
  ['%e', 100n, '1e2'],
  ['%e', 0n, '0e0'],
  ['%18e', 1_230_000n, '0.00000000000123'],
  ['%18e', 10n ** 18n, '1'],
  ['%2e', 12_345n, '123.45'],
  ['%0e', 7n, '7'],
  ['%999e', 7n, '%999e 7'],
  ['%o', 100n, '100'],
])('%s of %d is %s', (format, value, printed) => {
  expect(line('string,uint256', format, value)).toBe(printed)
})

test('negative numbers are two’s complement in hex, and keep their sign elsewhere', () => {
  expect(line('string,int256', '%x', -100n)).toBe(`0x${'f'.repeat(62)}9c`)
  expect(line('string,int256', '%e', -1_002_300n)).toBe('-1.0023e6')
  expect(line('string,int256', '%6e', -1_500_000n)).toBe('-1.5')
  expect(line('string,int256', '%d', -7n)).toBe('-7')
})

test('any specifier prints bool and address as they are', () => {
  expect(line('string,bool,address', '%d %x', true, ALICE)).toBe(`true ${ALICE}`)
})

test('an unknown function is named by its selector', () => {
  expect(decodeConsoleCall('0xdeadbeef00')).toEqual({
    text: '(unknown console call 0xdeadbeef, 5 bytes)',
    values: [],
    signature: undefined,
  })
  expect(decodeConsoleCall('0x').text).toBe('(unknown console call, 0 bytes)')
})

const STRING = toFunctionSelector('log(string)')

test('the line says where an offset or a length points past the input', () => {
  expect(decodeConsoleCall(STRING).text).toBe('(missing)')
  expect(decodeConsoleCall(`${STRING}${'ff'.repeat(32)}`).text).toBe('(bad offset)')
  const offset = '20'.padStart(64, '0')
  expect(decodeConsoleCall(`${STRING}${offset}`).text).toBe('(bad offset)')
  expect(decodeConsoleCall(`${STRING}${offset}${'ff'.repeat(32)}`).text).toBe('(bad length)')
  expect(decodeConsoleCall(`${STRING}${offset}${'21'.padStart(64, '0')}${'00'.repeat(32)}`).text).toBe('(bad length)')
})

test('a long string is cut, and four that share one string stay bounded', () => {
  const long = 'x'.repeat(100_000)
  expect(line('string', long)).toBe(`${'x'.repeat(TEXT_LIMIT)}… (${100_000 - TEXT_LIMIT} more bytes)`)
  const tail = encodeAbiParameters([{ type: 'string' }], [long]).slice(66)
  const shared =
    `${toFunctionSelector('log(string,string,string,string)')}${'80'.padStart(64, '0').repeat(4)}${tail}` as Hex
  expect(decodeConsoleCall(shared).text.length).toBeLessThan(5 * TEXT_LIMIT)
})

test('any input gives a line of bounded length', () => {
  const selector = fc.constantFrom(STRING, toFunctionSelector('log(string,string,uint256,string)'), '0x' as Hex)
  fc.assert(
    fc.property(selector, fc.uint8Array({ maxLength: 600 }), (head, bytes) => {
      const { text } = decodeConsoleCall(`${head}${Buffer.from(bytes).toString('hex')}`)
      expect(text.length).toBeLessThan(5 * TEXT_LIMIT)
    }),
  )
})
