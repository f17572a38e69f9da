import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProviderRpcError } from '#client/session/provider.ts'
import { signingCall } from './wallet-methods.ts'

const OWN = `0x${'a1'.repeat(20)}` as const
const OTHER = `0x${'b0'.repeat(20)}` as const

test('a message is shown as text if possible, otherwise as hex', () => {
  const shown = (message: string) => {
    const request = signingCall('personal_sign', [message, OWN], OWN)?.request
    return request?.kind === 'message' ? request.message : undefined
  }
  expect(shown('0x68c3a9210a')).toBe('hé!\n')
  expect(shown('plain')).toBe('plain')
  expect(shown('0xff00')).toBe('0xff00')
  // A control character could hide the text before it.
  expect(shown('0x68690868')).toBe('0x68690868')
  expect(shown('0x')).toBe('0x')
})

test('eth_sign has its parameters in reverse order', () => {
  expect(signingCall('eth_sign', [OWN.toUpperCase().replace('X', 'x'), 'hi'], OWN)?.request).toEqual({
    kind: 'message',
    account: OWN,
    message: 'hi',
  })
})

test('typed data may be an object or JSON', () => {
  const data = { primaryType: 'Mail' }
  for (const given of [data, JSON.stringify(data)]) {
    expect(signingCall('eth_signTypedData_v4', [OWN, given], OWN)?.request).toMatchObject({ typedData: data })
  }
})

test('a bundle is shown call by call', () => {
  const call = signingCall('wallet_sendCalls', [{ calls: [{ to: OTHER, value: '0x1' }, { data: '0x60' }] }], OWN)
  expect(call?.request).toEqual({
    kind: 'transactions',
    account: OWN,
    sent: true,
    calls: [
      { to: OTHER, value: 1n, data: '0x' },
      { to: null, value: 0n, data: '0x60' },
    ],
  })
  expect(call?.params[0]).toMatchObject({ from: OWN })
})

test('a dapp does not choose what the wallet does with bundles', () => {
  expect(() => signingCall('devnet_setAtomicBundles', ['supported'], OWN)).toThrow(
    expect.objectContaining({ code: -32601 }) as Error,
  )
})

test('a bundle of too many calls is refused before anybody is asked', () => {
  const calls = Array.from({ length: 257 }, () => ({ to: OTHER }))
  expect(() => signingCall('wallet_sendCalls', [{ calls }], OWN)).toThrow(
    expect.objectContaining({ code: 5740, message: 'too many calls, want at most 256' }) as Error,
  )
  expect(signingCall('wallet_sendCalls', [{ calls: calls.slice(1) }], OWN)?.bundle?.calls).toHaveLength(256)
})

test.each([
  ['eth_sendTransaction', [{ to: '0x12' }]],
  ['eth_sendTransaction', [{ value: '12' }]],
  ['eth_sendTransaction', [{ data: '0x1' }]],
  ['eth_sendTransaction', []],
  ['wallet_sendCalls', [{}]],
  ['personal_sign', [1, OWN]],
  ['personal_sign', ['hi', 'me']],
  ['eth_signTypedData_v4', [OWN, '{']],
])('%s with %j is invalid', (method, params) => {
  expect(() => signingCall(method, params, OWN)).toThrow(expect.objectContaining({ code: -32602 }) as Error)
})

test('any request is understood, refused or needs no signature', () => {
  const method = fc.constantFrom('personal_sign', 'eth_sendTransaction', 'wallet_sendCalls', 'eth_signTypedData_v4')
  fc.assert(
    fc.property(method, fc.array(fc.jsonValue()), (name, params) => {
      try {
        expect(signingCall(name, params, OWN)?.request.account).toMatch(/^0x[\da-f]{40}$/)
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderRpcError)
      }
    }),
  )
})
