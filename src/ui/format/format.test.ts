import { expect, test } from 'vitest'
import { describeCall, shortHex } from './hex.ts'
import {
  formatAge,
  formatCount,
  formatDuration,
  formatEth,
  formatGwei,
  formatPercent,
  formatSeconds,
  withUnits,
} from './numbers.ts'

test('durations are whole milliseconds under ten seconds and seconds from there', () => {
  expect(formatDuration(184.4)).toBe('184 ms')
  expect(formatDuration(1412)).toBe('1,412 ms')
  expect(formatDuration(9_999.4)).toBe('9,999 ms')
  expect(formatDuration(9_999.6)).toBe('10.0 s')
  expect(formatDuration(-3)).toBe('<1 ms')
  expect(formatDuration(0.6)).toBe('1 ms')
})

test('a deadline in the future never reads zero', () => {
  expect(formatSeconds(1)).toBe('0.1 s')
  expect(formatSeconds(800)).toBe('0.8 s')
  expect(formatSeconds(-5)).toBe('0.0 s')
})

test('amounts have fixed decimals, separators and an honest lower bound', () => {
  expect(formatEth(10n ** 16n)).toBe('0.0100 ETH')
  expect(formatEth(10_000n * 10n ** 18n, 2)).toBe('10,000.00 ETH')
  expect(formatEth(0n)).toBe('0 ETH')
  expect(formatEth(1n)).toBe('<0.0001 ETH')
  expect(formatEth(-15n * 10n ** 17n, 1)).toBe('−1.5 ETH')
  expect(formatGwei(5_000_000n)).toBe('0.0050 gwei')
})

test('a share of nothing is zero percent, but a small share is not', () => {
  expect(formatPercent(21_000n, 400_000_000n)).toBe('<0.01%')
  expect(formatPercent(0n, 400_000_000n)).toBe('0.00%')
  expect(formatPercent(1n, 3n)).toBe('33.33%')
  expect(formatPercent(0n, 0n)).toBe('0.00%')
})

test('nouns agree with their number', () => {
  expect(formatCount(1, 'transaction')).toBe('1 transaction')
  expect(formatCount(1200, 'transaction')).toBe('1,200 transactions')
})

test('hashes keep both ends and short values stay whole', () => {
  expect(shortHex('0x1234567890abcdef')).toBe('0x1234…cdef')
  expect(shortHex('0x0')).toBe('0x0')
})

test('a call is described by its fields', () => {
  expect(describeCall({ to: null, input: '0x6000' })).toBe('Deploy')
  expect(describeCall({ to: '0x01', input: '0x' })).toBe('Transfer')
  expect(describeCall({ to: '0x01', input: '0xa9059cbb00' })).toBe('0xa9059cbb')
  expect(describeCall({ to: '0x01', input: '0x01' })).toBe('Call')
})

test('an age has its largest full unit, and a future time is shown as such', () => {
  expect([0, 1, 59, 60, 3_599, 3_600, 86_400, 200_000].map(formatAge)).toEqual([
    'now',
    '1 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '1 day ago',
    '2 days ago',
  ])
  expect(formatAge(-1)).toBe('now')
  expect(formatAge(-2)).toBe('in 2 s')
})

test('a sentence keeps its amounts on one line', () => {
  expect(withUnits('It pays 1.5000 gwei, or 2 ETH, in 3 ETHs.')).toBe(
    'It pays 1.5000\u00a0gwei, or 2\u00a0ETH, in 3 ETHs.',
  )
})
