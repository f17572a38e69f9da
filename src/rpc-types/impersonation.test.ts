import { expect, test } from 'vitest'
import { isSentWithoutKey } from './impersonation.ts'

const SENDER = `0x${'cd'.repeat(20)}` as const
const ZERO = `0x${'00'.repeat(20)}` as const
const marked = { type: '0x2', from: SENDER, r: SENDER, s: '0x1' } as const

test('a transaction with the mark of its sender has no signature', () => {
  expect(isSentWithoutKey(marked)).toBe(true)
  expect(isSentWithoutKey({ ...marked, s: '0x0' })).toBe(true)
  expect(isSentWithoutKey({ ...marked, from: ZERO, r: `0x1${'00'.repeat(20)}` })).toBe(true)
})

test('a signature, the mark of another account, and a deposit of a rollup are not that', () => {
  expect(isSentWithoutKey({ ...marked, s: '0x1234' })).toBe(false)
  expect(isSentWithoutKey({ ...marked, r: '0x1234' })).toBe(false)
  expect(isSentWithoutKey({ ...marked, type: '0x7e', r: '0x0', s: '0x0' })).toBe(false)
})
