import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { VERSION } from '#rpc-types/version.ts'
import { banner, explainListenError } from './banner.ts'

test('the banner says where, which chain, and that the keys are public', () => {
  const text = banner('127.0.0.1', 8545, { partialMs: 100, partialsPerBlock: 5, speed: 2 })
  expect(text).toContain('http://127.0.0.1:8545 and ws://127.0.0.1:8545')
  expect(text).toContain('Chain id 31337; a partial block every 100 ms, sealed every 500 ms, at speed 2.')
  expect(text).toContain('never send anything of value')
  for (const { address, privateKey } of DEV_KEYS) {
    expect(text).toContain(address)
    expect(text).toContain(privateKey)
  }
})

test('an IPv6 address is written as URLs want it, and a manual clock is said', () => {
  const text = banner('::1', 1, { mode: 'manual', chainId: 5 })
  expect(text).toContain('http://[::1]:1')
  expect(text).toContain('Chain id 5; manual clock: the chain waits for devnet_tick.')
})

test.each([
  ['EADDRINUSE', 'Port 80 of ::1 is taken'],
  ['EACCES', 'may not listen on port 80'],
  ['EADDRNOTAVAIL', 'has no address ::1'],
])('%s is explained', (code, sentence) => {
  expect(explainListenError(Object.assign(new Error(), { code }), '::1', 80)).toContain(sentence)
})

test('an error of another kind is not explained away', () => {
  expect(explainListenError(new TypeError('a bug'), '::1', 80)).toBeUndefined()
})

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toHaveProperty('version', VERSION)
})
