import { beforeEach, expect, test, vi } from 'vitest'
import { parseEndpoint } from '#client/session/remote-endpoint.ts'
import { allowEndpoint, mayConnect } from './endpoint-consent.ts'

const visit = new Map<string, string>()
beforeEach(() => {
  visit.clear()
  const storage = {
    getItem: (key: string) => visit.get(key) ?? null,
    setItem: (key: string, value: string) => visit.set(key, value),
  }
  vi.stubGlobal('sessionStorage', storage)
  return () => vi.unstubAllGlobals()
})

function endpointOf(text: string) {
  const parsed = parseEndpoint(text)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.endpoint
}

test('an endpoint on this machine needs no question; any other does, until a person has agreed to this very address', () => {
  for (const own of ['http://localhost:8545', 'ws://127.0.0.1:8545', 'http://[::1]:1', 'http://chain.localhost']) {
    expect(mayConnect(endpointOf(own))).toBe(true)
  }
  const elsewhere = [
    'http://any.host/',
    'http://192.168.1.5:8545',
    'http://localhost.any.host/',
    'http://127.0.0.1.any.host/',
  ]
  for (const url of elsewhere) expect(mayConnect(endpointOf(url)), url).toBe(false)
  allowEndpoint(endpointOf('http://any.host/'))
  expect(mayConnect(endpointOf('http://any.host'))).toBe(true)
  expect(mayConnect(endpointOf('http://any.host/key'))).toBe(false)
  expect(mayConnect(endpointOf('https://any.host/'))).toBe(false)
})
