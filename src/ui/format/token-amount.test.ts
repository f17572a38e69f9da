import { expect, test } from 'vitest'
import { formatTokenAmount } from './token-amount.ts'

test('an amount has its decimals, without zeros at the end', () => {
  expect(formatTokenAmount(1_234_567_890n, 6)).toBe('1,234.56789')
  expect(formatTokenAmount(5n * 10n ** 18n, 18)).toBe('5')
  expect(formatTokenAmount(1_999_999_999_999_999_999n, 18)).toBe('1.999999')
  expect(formatTokenAmount(0n, 18)).toBe('0')
  expect(formatTokenAmount(1234n)).toBe('1,234')
  expect(formatTokenAmount(105n, 2)).toBe('1.05')
})

test('an amount too small for six decimals is shown as a bound', () => {
  expect(formatTokenAmount(1n, 18)).toBe('<0.000001')
  expect(formatTokenAmount(1n, 7)).toBe('<0.000001')
  expect(formatTokenAmount(1n, 6)).toBe('0.000001')
})

test('decimals that no amount can have are passed over', () => {
  expect(formatTokenAmount(7n, 255)).toBe('7')
  expect(formatTokenAmount(2n ** 256n - 1n, 77)).toBe('1.15792')
})
