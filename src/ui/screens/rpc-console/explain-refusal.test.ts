import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/provider.ts'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal keeps the words of the node and says what to do', () => {
  expect(explainRefusal(new ProviderRpcError(-32602, 'invalid address'))).toEqual({
    what: 'The node refused: invalid address (-32602).',
    why: 'A parameter is missing or not of its type. Compare with the list of parameters.',
  })
})

test('what the page explains elsewhere is explained in the same way', () => {
  expect(explainRefusal(new ProviderRpcError(-32000, 'nonce too low')).why).toMatch(/took the nonce first/)
  expect(explainRefusal(new ProviderRpcError(4900, 'gone')).what).toBe('The node is not running.')
})
