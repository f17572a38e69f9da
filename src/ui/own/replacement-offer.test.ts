import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FeeOffer, replacementOffer, requiredOffer } from './replacement-offer.ts'

const wei = fc.bigInt(0n, 10n ** 13n)
const offer = fc.tuple(wei, wei).map(([a, b]): FeeOffer => (a > b ? { feeCap: a, tip: b } : { feeCap: b, tip: a }))

test('what is required is 10% more, and not a wei beyond', () => {
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

test('what is offered is required at least, is sound, and pays what a new transaction would', () => {
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
