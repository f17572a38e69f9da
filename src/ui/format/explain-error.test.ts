import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/session/provider.ts'
import { explainError } from './explain-error.ts'

test('an error of the node keeps its message and code and says what to do', () => {
  const { what, why } = explainError(new ProviderRpcError(-32000, 'insufficient funds for gas * price + value'))
  expect(what).toBe('The node refused: insufficient funds for gas * price + value (-32000).')
  expect(why).toMatch(/Send less/)
})

test('a missing node is not reported as a refusal', () => {
  expect(explainError(new ProviderRpcError(4900, 'gone')).what).toBe('The node is not running.')
})

test('any other error is called a bug', () => {
  expect(explainError(new TypeError('x is undefined')).what).toBe('Unexpected error: x is undefined')
})
