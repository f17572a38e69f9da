import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeOptionsFromUrl, queryOfNodeOptions } from './node-options-from-url.ts'

test('an address without options sets none', () => {
  expect(nodeOptionsFromUrl('')).toEqual({ options: {}, chain: 'main', warnings: [] })
  expect(nodeOptionsFromUrl('?theme=dark&view=embed')).toEqual({ options: {}, chain: 'main', warnings: [] })
})

test('every option of the address is understood', () => {
  const { options, warnings } = nodeOptionsFromUrl(
    '?seed=42&chainId=1337&partialMs=50&partials=5&clock=manual&speed=0.5&gasLimit=30000000&minBaseFee=0&engine=reference&motion=off',
  )
  expect(warnings).toEqual([])
  expect(options).toEqual({
    seed: 42,
    chainId: 1337,
    partialMs: 50,
    partialsPerBlock: 5,
    mode: 'manual',
    engine: 'reference',
    speed: 0.5,
    gasLimit: 30_000_000,
    minBaseFee: 0,
  })
})

test('blocks share a second where the address says so', () => {
  expect(nodeOptionsFromUrl('?sameTimestamp=on').options).toEqual({ allowSameTimestamp: true })
  expect(nodeOptionsFromUrl('?sameTimestamp=off')).toMatchObject({ options: {}, warnings: [] })
  expect(nodeOptionsFromUrl('?sameTimestamp=1').warnings).toEqual([
    '?sameTimestamp= takes “on” or “off”, not “1”. The default is used.',
  ])
  expect(String(queryOfNodeOptions({ allowSameTimestamp: true }))).toBe('seed=1&sameTimestamp=on')
})

test('each bad value is ignored with a warning; the good ones stay', () => {
  const { options, warnings } = nodeOptionsFromUrl(
    '?seed=0&chainId=0&partialMs=ten&partials=&clock=fast&speed=0&engine=v8',
  )
  expect(options).toEqual({ seed: 0 })
  expect(warnings.toSorted()).toEqual([
    '?chainId= takes a whole number from 1 to 4294967295, not “0”. The default is used.',
    '?clock= takes “auto” or “manual”, not “fast”. The default is used.',
    '?engine= takes “wasm” or “reference”, not “v8”. The default is used.',
    '?partialMs= takes a whole number from 10 to 60000, not “ten”. The default is used.',
    '?partials= takes a whole number from 1 to 100, not “”. The default is used.',
    '?speed= takes a number above 0 and up to 100, not “0”. The default is used.',
  ])
})

test.each(['1e3', '0x10', '-1', '1.5', '4294967296', 'Infinity', 'NaN', ' 5'])('the seed %o is refused', (seed) => {
  const { options, warnings } = nodeOptionsFromUrl(`?seed=${encodeURIComponent(seed)}`)
  expect(options).toEqual({})
  expect(warnings).toHaveLength(1)
})

test('a chain is chosen by its name, or belongs to this page alone', () => {
  expect(nodeOptionsFromUrl('?chain=shop-2')).toMatchObject({ chain: 'shop-2', warnings: [] })
  expect(nodeOptionsFromUrl('?storage=off')).toMatchObject({ chain: undefined, warnings: [] })
  expect(nodeOptionsFromUrl('?storage=off&chain=shop-2')).toMatchObject({ chain: undefined, warnings: [] })
})

test.each(['', 'Shop', 'a/b', 'a:b', 'x'.repeat(33), '..'])('the chain name %o is refused', (name) => {
  const { chain, warnings } = nodeOptionsFromUrl(`?chain=${encodeURIComponent(name)}`)
  expect(chain).toBe('main')
  expect(warnings).toEqual([
    `?chain= takes up to 32 lower-case letters, digits and hyphens, not “${name}”. The default is used.`,
  ])
})

test('no address throws, and every value is used or reported', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, clock) => {
      const { options, warnings } = nodeOptionsFromUrl(`?${new URLSearchParams({ seed, clock })}`)
      expect(Object.keys(options).length + warnings.length).toBe(2)
    }),
  )
})

test('a chain to fork is named with or without a block, over HTTP; its continuation is in memory', () => {
  expect(nodeOptionsFromUrl('?fork=https://rpc.example/key@21000000')).toMatchObject({
    chain: undefined,
    fork: { endpoint: { url: 'https://rpc.example/key', host: 'rpc.example' }, blockNumber: 21_000_000 },
    warnings: [],
  })
  expect(nodeOptionsFromUrl('?fork=http://127.0.0.1:8545').fork?.blockNumber).toBeUndefined()
  expect(nodeOptionsFromUrl('?fork=wss://rpc.example').fork?.endpoint.url).toBe('https://rpc.example/')
  for (const [text, why] of [
    ['rpc.example@7', 'Not an address.'],
    ['https://me:secret@rpc.example', 'Browsers refuse a name and a password in an address.'],
  ] as const) {
    const { chain, fork, warnings } = nodeOptionsFromUrl(`?fork=${text}`)
    expect([chain, fork]).toEqual(['main', undefined])
    expect(warnings).toEqual([expect.stringContaining(why)])
  }
})

test('a valid endpoint is used, and an invalid one leaves the built-in chain', () => {
  expect(nodeOptionsFromUrl('?rpc=ws://localhost:8545').rpc).toMatchObject({ transport: 'webSocket' })
  const { rpc, warnings } = nodeOptionsFromUrl('?rpc=localhost:8545')
  expect(rpc).toBeUndefined()
  expect(warnings).toEqual([
    '?rpc= takes the address of a chain, not “localhost:8545”: An address starts with http://, https://, ws:// or ' +
      'wss://. The built-in chain is used.',
  ])
})
