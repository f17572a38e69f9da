import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { encodeCall, parameterLabel, parseSignature } from './call-data.ts'

function encode(signature: string, texts: readonly string[]) {
  const parsed = parseSignature(signature)
  if (!parsed.ok) throw new Error(parsed.error)
  return encodeCall(parsed.abi, texts)
}

test('integers, addresses, booleans and bytes typed as text are decoded from the data unchanged', () => {
  const abi = parseAbi(['function f(uint256, int128, address, bool, bytes, bytes4, string)'])
  fc.assert(
    fc.property(
      fc.bigInt(0n, 2n ** 256n - 1n),
      fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n),
      fc.boolean(),
      fc.string(),
      (unsigned, signed, flag, text) => {
        const address = `0x${'ab'.repeat(20)}`
        const texts = [
          `0x${unsigned.toString(16)}`,
          String(signed),
          address,
          String(flag),
          '0xABCD',
          '0x01020304',
          text,
        ]
        const encoded = encode('f(uint256,int128,address,bool,bytes,bytes4,string)', texts)
        expect(encoded.ok).toBe(true)
        const { args } = decodeFunctionData({ abi, data: encoded.ok ? encoded.data : '0x' })
        const [first, second, third, ...rest] = args
        expect([first, second, third.toLowerCase(), ...rest]).toEqual([
          unsigned,
          signed,
          address,
          flag,
          '0xabcd',
          '0x01020304',
          text,
        ])
      },
    ),
  )
})

test('arrays and tuples are JSON; large numbers need quotes', () => {
  const abi = parseAbi(['function f((address to, uint256 value)[] calls, uint8[2] pair)'])
  const to = `0x${'cd'.repeat(20)}` as const
  const expected = encodeFunctionData({ abi, args: [[{ to, value: 2n ** 100n }], [1, 2]] })
  const signature = 'f((address to, uint256 value)[] calls, uint8[2] pair)'
  const named = encode(signature, [`[{"to":"${to}","value":"${2n ** 100n}"}]`, '[1, "2"]'])
  const positional = encode(signature, [`[["${to}","${2n ** 100n}"]]`, '[1, 2]'])
  expect(named).toEqual({ ok: true, data: expected })
  expect(positional).toEqual({ ok: true, data: expected })
})

test('a struct can be written as the texts of its members’ fields', () => {
  const abi = parseAbi(['function f((address to, uint256[] values, (string note, bool on) more) call)'])
  const to = `0x${'cd'.repeat(20)}` as const
  const signature = 'f((address to, uint256[] values, (string note, bool on) more) call)'
  const texts = JSON.stringify([to, '[1, "2"]', JSON.stringify(['7', 'true'])])
  const data = encodeFunctionData({ abi, args: [{ to, values: [1n, 2n], more: { note: '7', on: true } }] })
  expect(encode(signature, [texts])).toEqual({ ok: true, data })
  expect(encode('f((string a, string b) call)', [''])).toEqual(encode('f((string a, string b) call)', ['["", ""]']))
})

test.each([
  ['f(uint8[2])', '[1]', 'uint8[2] has 2 items, these are 1.'],
  ['f(uint8[])', '1', 'This needs a list in brackets: ["0"]'],
  ['f(uint8[])', '[1', 'Not JSON. Enter the value in this form: ["0"]'],
  ['f((address to, uint256 value)[] a)', '5x', 'Not JSON. Enter the value in this form: [{"to": "0x…", "value": "0"}]'],
  [
    'f((address to, (bool b) c) a)',
    '5',
    'This needs its members in braces: {"to": "0x…", "c": {"b": "true or false"}}',
  ],
  ['f(uint256[])', '[1e30]', 'Write numbers as large as this in quotes.'],
  ['f(int8)', '-129', 'int8 goes from −2^7 to 2^7 − 1.'],
  ['f(uint256)', '1.5', 'Not a whole number. Use digits, or 0x and hexadecimal digits.'],
  ['f(bytes4)', '0x01', 'bytes4 has 4 bytes, these are 1.'],
  ['f(bool)', 'yes', 'Enter true or false.'],
  ['f((uint8 a, uint16 b))', '{"a": 1}', 'The member b, uint16, is missing.'],
  ['f((uint8 a, uint16 b))', '[1]', 'The member b, uint16, is missing.'],
  ['f((uint8, uint16))', '{"0": 1}', 'The member 1, uint16, is missing.'],
  ['f((uint8 a, uint16 b)[])', '[[1, 2, 3]]', 'struct has no more than 2 members; these are 3.'],
  ['f((uint8 a, uint16 b))', '{"a": 1, "b": 2, "c": 3}', 'struct has no member c.'],
  ['f((uint8 a))', '{"a": 1, "toString": 2}', 'struct has no member toString.'],
  ['f((uint8 toString))', '{}', 'The member toString, uint8, is missing.'],
  ['f(uint8[])', '[null]', 'A uint8 is missing.'],
  [
    'f(function)',
    '0x01',
    'Not a function. Enter 0x, the 40 digits of its contract’s address, and the 8 of its selector.',
  ],
  ['f(function)', '', 'Enter a function: 0x, the 40 digits of an address, and the 8 of a selector.'],
])('%s with %s says: %s', (signature, text, error) => {
  expect(encode(signature, [text])).toEqual({ ok: false, argumentErrors: [error] })
})

test('a signature may include the word function, names and returns', () => {
  const parsed = parseSignature(' function approve(address spender, uint256) returns (bool)')
  expect(parsed).toMatchObject({
    ok: true,
    abi: { name: 'approve', inputs: [{ name: 'spender' }, { type: 'uint256' }] },
  })
  expect(parsed.ok && parsed.abi.inputs.map(parameterLabel)).toEqual([
    'Argument 1: spender, address',
    'Argument 2: uint256',
  ])
})

test.each(['', 'transfer', 'transfer(', 'transfer(addres)', '0xa9059cbb'])('“%s” is no signature', (text) => {
  expect(parseSignature(text)).toMatchObject({ ok: false, error: expect.any(String) as unknown })
})
