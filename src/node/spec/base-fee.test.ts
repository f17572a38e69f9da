import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextBaseFee } from './base-fee.ts'
import { decodeExtraData, encodeExtraData } from './extra-data.ts'

const ethereum = encodeExtraData({ denominator: 8n, elasticity: 2n, minBaseFee: 0n })

test.each([
  // geth's test vectors for EIP-1559: target 10M of 20M gas.
  [10_000_000n, 1_000_000_000n],
  [9_000_000n, 987_500_000n],
  [11_000_000n, 1_012_500_000n],
  [20_000_000n, 1_125_000_000n],
  [0n, 875_000_000n],
])('after a block that used %i gas the base fee is %i wei', (gasUsed, expected) => {
  const parent = { gasUsed, gasLimit: 20_000_000n, baseFeePerGas: 1_000_000_000n, extraData: ethereum }
  expect(nextBaseFee(parent)).toBe(expected)
})

test('a block above the target raises the base fee by at least 1 wei', () => {
  const parent = { gasUsed: 10_000_001n, gasLimit: 20_000_000n, baseFeePerGas: 7n, extraData: ethereum }
  expect(nextBaseFee(parent)).toBe(8n)
})

const params = fc.record({
  denominator: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
  elasticity: fc.bigInt({ min: 1n, max: 1000n }),
  minBaseFee: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
})

test('extraData keeps the parameters', () => {
  fc.assert(
    fc.property(params, (value) => {
      expect(decodeExtraData(encodeExtraData(value))).toEqual(value)
    }),
  )
})

test('the base fee never falls below its minimum and never moves by more than one part in the denominator', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(params, amount, fc.bigInt({ min: 0n, max: 100n }), (value, above, percent) => {
      const baseFeePerGas = value.minBaseFee + above
      const gasLimit = 400_000_000n
      const gasUsed = (gasLimit * percent) / 100n
      const next = nextBaseFee({ gasUsed, gasLimit, baseFeePerGas, extraData: encodeExtraData(value) })
      expect(next).toBeGreaterThanOrEqual(value.minBaseFee)
      const most = baseFeePerGas + (baseFeePerGas * value.elasticity) / value.denominator + 1n
      expect(next <= most).toBe(true)
    }),
  )
})
