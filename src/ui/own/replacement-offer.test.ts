import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkReplacement } from '#node/txpool/replacement.ts'
import type { Transaction } from '#node/tx/transaction.ts'
import { type FeeOffer, replacementOffer, requiredOffer } from './replacement-offer.ts'

const wei = fc.bigInt(0n, 10n ** 13n)
const offer = fc.tuple(wei, wei).map(([a, b]): FeeOffer => (a > b ? { feeCap: a, tip: b } : { feeCap: b, tip: a }))
const pooled = ({ feeCap, tip }: FeeOffer) =>
  ({ type: 2, maxFeePerGas: feeCap, maxPriorityFeePerGas: tip }) as Transaction

test('the node takes what is required, and nothing less', () => {
  fc.assert(
    fc.property(offer, (old) => {
      const required = requiredOffer(old)
      expect(() => checkReplacement(pooled(old), pooled(required))).not.toThrow()
      if (required.feeCap > 0n) {
        const less = { ...required, feeCap: required.feeCap - 1n }
        expect(() => checkReplacement(pooled(old), pooled(less))).toThrow('underpriced')
      }
    }),
  )
})

test('what is offered is accepted, is sound, and pays what a new transaction would', () => {
  fc.assert(
    fc.property(offer, offer, (old, suggested) => {
      const offered = replacementOffer(old, suggested)
      expect(() => checkReplacement(pooled(old), pooled(offered))).not.toThrow()
      expect(offered.tip <= offered.feeCap).toBe(true)
      expect(offered.feeCap >= suggested.feeCap && offered.tip >= suggested.tip).toBe(true)
    }),
  )
})
