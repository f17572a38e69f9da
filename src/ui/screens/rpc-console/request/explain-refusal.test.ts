import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/session/provider.ts'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal keeps the message of the node and says what to do', () => {
  expect(explainRefusal(new ProviderRpcError(-32602, 'invalid address'))).toEqual({
    what: 'The node refused: invalid address (-32602).',
    why: 'A parameter is missing or has the wrong type. Compare it with the list of parameters.',
  })
})

test('errors that the page explains elsewhere are explained the same way', () => {
  expect(explainRefusal(new ProviderRpcError(-32000, 'nonce too low')).why).toMatch(/already used the nonce/)
  expect(explainRefusal(new ProviderRpcError(4900, 'gone')).what).toBe('The node is not running.')
})

test('geth’s messages about wrong parameters are explained in plain words', () => {
  const why = (message: string) => explainRefusal(new ProviderRpcError(-32602, message)).why
  expect(why('invalid argument 0: json: cannot unmarshal number into Go value of type string')).toBe(
    'Parameter 1 has the wrong type: a number without quotes does not fit. Compare it with the list of parameters.',
  )
  expect(why('missing value for required argument 1')).toBe('Parameter 2 is missing.')
  expect(why('too many arguments, want at most 2')).toBe('There are too many parameters: the method takes 2.')
  expect(
    why('invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Address'),
  ).toBe('Parameter 1 must start with 0x.')
  expect(why('invalid argument 0: hex string has length 2, want 40 for common.Address')).toBe(
    'Parameter 1 must have 40 hexadecimal digits after 0x, but it has 2.',
  )
  expect(
    why(
      'invalid argument 1: json: cannot unmarshal hex number with leading zero digits into Go struct field TransactionArgs.gas of type hexutil.Uint64',
    ),
  ).toBe('Field “gas” of parameter 2 has leading zeros. Write "0x1f", not "0x001f".')
  expect(why('invalid argument 0: hex number > 64 bits')).toBe(
    'Parameter 1 is too large: the number must fit into 64 bits.',
  )
  // Other messages get the general sentence.
  expect(why('invalid argument 0: not Base64')).toMatch(/^A parameter is missing or has the wrong type/)
})
