import { expect, test } from 'vitest'
import { isPlainTransfer } from './plain-transfer.ts'

const TRANSFER = { to: '0x01', input: '0x' } as const
const PAID = { gasUsed: '0x5208', status: '0x1' } as const

test('a transfer to an account without code is plain', () => {
  expect(isPlainTransfer(TRANSFER, PAID)).toBe(true)
})

test('what runs code, creates a contract or fails is not', () => {
  expect(isPlainTransfer(TRANSFER, { ...PAID, gasUsed: '0x5300' })).toBe(false)
  expect(isPlainTransfer({ ...TRANSFER, to: null }, PAID)).toBe(false)
  expect(isPlainTransfer({ ...TRANSFER, input: '0xabcd' }, PAID)).toBe(false)
  expect(isPlainTransfer(TRANSFER, { ...PAID, status: '0x0' })).toBe(false)
})
