import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/provider.ts'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal keeps the words of the node and says what to do', () => {
  expect(explainRefusal(new ProviderRpcError(-32602, 'invalid address'))).toEqual({
    what: 'The node refused: invalid address (-32602).',
    why: 'A parameter is missing or has the wrong type. Compare it with the list of parameters.',
  })
})

test('what the page explains elsewhere is explained in the same way', () => {
  expect(explainRefusal(new ProviderRpcError(-32000, 'nonce too low')).why).toMatch(/took the nonce first/)
  expect(explainRefusal(new ProviderRpcError(4900, 'gone')).what).toBe('The node is not running.')
})

test('the words of geth for a wrong parameter are put plainly', () => {
  const why = (message: string) => explainRefusal(new ProviderRpcError(-32602, message)).why
  expect(why('invalid argument 0: json: cannot unmarshal number into Go value of type string')).toBe(
    'Parameter 1 has the wrong type: a number without quotes does not fit. Compare it with the list of parameters.',
  )
  expect(why('missing value for required argument 1')).toBe('Parameter 2 is missing.')
})
