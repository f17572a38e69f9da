import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/session/provider.ts'
import { answerOf, askToExecute, refusedCallOf, resultOf, revertData } from './refused-call.ts'

const CALL = { call: { to: `0x${'cc'.repeat(20)}` }, block: 'pending' } as const

test('revert data is found as a string, and in the object that a node with sources returns', () => {
  const errorOf = (data: unknown) => new ProviderRpcError(3, 'execution reverted', { data })
  expect(revertData(errorOf('0x08c379a0'))).toBe('0x08c379a0')
  expect(revertData(errorOf({ data: '0x08c379a0', message: 'execution reverted', stack: [] }))).toBe('0x08c379a0')
  expect(revertData(errorOf({ data: 7 }))).toBe('0x')
  expect(revertData(errorOf(undefined))).toBe('0x')
  expect(revertData(new ProviderRpcError(-32000, 'nonce too low'))).toBeUndefined()
  expect(revertData(new Error('no network'))).toBeUndefined()
})

test('a call that a contract refused is found by its error; other errors have none', async () => {
  const failing = async (error: Error) => {
    const ask = async () => {
      throw error
    }
    await expect(askToExecute(CALL, ask)).rejects.toBe(error)
    return refusedCallOf(error)
  }
  expect(await failing(new ProviderRpcError(3, 'execution reverted', { data: '0x' }))).toBe(CALL)
  expect(await failing(new ProviderRpcError(-32000, 'out of gas', { data: { data: '0x', stack: [] } }))).toBe(CALL)
  expect(await failing(new ProviderRpcError(-32000, 'insufficient funds for transfer'))).toBeUndefined()
  expect(refusedCallOf(new ProviderRpcError(3, 'execution reverted'))).toBeUndefined()
})

test('a refusal counts as an answer, and any other error is thrown', async () => {
  const refusal = new ProviderRpcError(3, 'execution reverted', { data: '0x' })
  const refused = await answerOf(CALL, () => Promise.reject(refusal))
  expect(refused).toEqual({ error: refusal })
  expect(() => resultOf(refused)).toThrow(refusal)
  expect(resultOf(await answerOf(CALL, () => Promise.resolve(7n)))).toBe(7n)
  await expect(answerOf(CALL, () => Promise.reject(new TypeError('broken')))).rejects.toThrow('broken')
})
