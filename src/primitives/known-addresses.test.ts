import { expect, test } from 'vitest'
import type { Address } from './hex.ts'
import { knownAddress } from './known-addresses.ts'

test('an address is itself, known or not, and however many there were before', () => {
  const addresses = Array.from({ length: 10_000 }, (_, i): Address => `0x${i.toString(16).padStart(40, '0')}`)
  for (let round = 0; round < 2; round++) expect(addresses.map(knownAddress)).toEqual(addresses)
})
