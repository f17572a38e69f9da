import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FeeOffer, replacementOffer, requiredOffer } from './replacement-offer.ts'

const wei = fc.bigInt(0n, 10n ** 13n)
const offer = fc.tuple(wei, wei).map(([a, b]): FeeOffer => (a > b ? { feeCap: a, tip: b } : { feeCap: b, tip: a }))

test('the required fees are 10% higher, not a wei more', () => {
  fc.assert(
    fc.property(offer, (old) => {
      const required = requiredOffer(old)
      for (const part of ['feeCap', 'tip'] as const) {
        expect(10n * required[part] >= 11n * old[part]).toBe(true)
        expect(10n * (required[part] - 1n) < 11n * old[part]).toBe(true)
      }
    }),
  )
})

test('the offer meets the requirement, is valid, and pays at least what a new transaction would', () => {
  fc.assert(
    fc.property(offer, offer, (old, suggested) => {
      const required = requiredOffer(old)
      const offered = replacementOffer(old, suggested)
      expect(offered.feeCap >= required.feeCap && offered.tip >= required.tip).toBe(true)
      expect(offered.feeCap >= suggested.feeCap && offered.tip >= suggested.tip).toBe(true)
      expect(offered.tip <= offered.feeCap).toBe(true)
    }),
  )
})
