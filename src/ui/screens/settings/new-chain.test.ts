import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import { type NewChainInput, newChainAddress } from './new-chain.ts'

const EMPTY: NewChainInput = {
  name: '',
  seed: '',
  chainId: '',
  partialMs: '',
  partials: '',
  speed: '',
  clock: 'auto',
}

test('empty fields mean the defaults, and an empty name a chain in memory', () => {
  expect(newChainAddress(EMPTY, '/', '')).toEqual({ ok: true, address: '/?storage=off' })
})

test('the appearance in the address stays, earlier chain options do not', () => {
  const input = { ...EMPTY, name: 'shop', seed: '7', clock: 'manual' as const }
  expect(newChainAddress(input, '/b/', '?seed=1&theme=dark&motion=off&chain=main&partials=3')).toEqual({
    ok: true,
    address: '/b/?chain=shop&seed=7&clock=manual&theme=dark&motion=off',
  })
})

test('each invalid field says what it accepts', () => {
  expect(newChainAddress({ ...EMPTY, name: 'My Shop', partials: '0', speed: '0' }, '/', '')).toEqual({
    ok: false,
    errors: {
      name: 'A name has up to 32 lower-case letters, digits and hyphens.',
      partials: 'Enter a whole number from 1 to 100.',
      speed: 'Enter a number above 0 and up to 100.',
    },
  })
})

test('accepted values are read back from the address', () => {
  const text = fc.oneof(fc.nat().map(String), fc.string(), fc.constant(''))
  fc.assert(
    fc.property(text, text, text, text, text, fc.constantFrom('auto', 'manual'), (...values) => {
      const [seed, chainId, partialMs, partials, speed, clock] = values
      const input = { ...EMPTY, seed, chainId, partialMs, partials, speed, clock } as NewChainInput
      const made = newChainAddress(input, '/', '')
      if (!made.ok) return
      const { options, warnings } = nodeOptionsFromUrl(made.address.slice(1))
      expect(warnings).toEqual([])
      expect(options.seed).toBe(seed.trim() === '' ? undefined : Number(seed))
      expect(options.mode).toBe(clock === 'manual' ? 'manual' : undefined)
    }),
  )
})
