import { expect, test } from 'vitest'
import { type AnnouncedWallet, announceWallet, blinknetInfo } from './eip6963.ts'

const WALLET = {
  info: blinknetInfo(crypto.getRandomValues(new Uint8Array(16))),
  provider: { request: async () => null },
}

function setUp() {
  const target = new EventTarget()
  const seen: AnnouncedWallet[] = []
  target.addEventListener('eip6963:announceProvider', (event) => {
    seen.push((event as CustomEvent<AnnouncedWallet>).detail)
  })
  return { target, seen, ask: () => target.dispatchEvent(new Event('eip6963:requestProvider')) }
}

test('a wallet is announced at once, and again on request', () => {
  const { target, seen, ask } = setUp()
  const stop = announceWallet(target, WALLET)
  expect(seen).toEqual([WALLET])
  ask()
  expect(seen).toEqual([WALLET, WALLET])
  stop()
  ask()
  expect(seen).toHaveLength(2)
})

test('listeners cannot change the announcement', () => {
  const { target, seen } = setUp()
  announceWallet(target, WALLET)
  expect(Object.isFrozen(seen[0])).toBe(true)
  expect(Object.isFrozen(seen[0]?.info)).toBe(true)
})

test('the description is what EIP-6963 requires', () => {
  const { uuid, name, icon, rdns } = blinknetInfo(crypto.getRandomValues(new Uint8Array(16)))
  expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(blinknetInfo(new Uint8Array(16).fill(0xff)).uuid).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(name).toBe('Blinknet')
  expect(rdns).toBe('dev.blinknet')
  expect(icon).toMatch(/^data:image\/svg\+xml,%3Csvg/)
})
