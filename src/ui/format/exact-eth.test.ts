import fc from 'fast-check'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { formatExactEth } from './exact-eth.ts'

test('an amount is shown to the last wei', () => {
  expect(formatExactEth(0n)).toBe('0 ETH')
  expect(formatExactEth(10n ** 18n)).toBe('1 ETH')
  expect(formatExactEth(12_345n * 10n ** 17n + 1n)).toBe('1,234.500000000000000001 ETH')
})

test('nothing is rounded away', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (wei) => {
      expect(parseEther(formatExactEth(wei).replace(' ETH', '').replaceAll(',', ''))).toBe(wei)
    }),
  )
})
