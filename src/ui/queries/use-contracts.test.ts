import { expect, test } from 'vitest'
import { contractAt, isReplaced } from './use-contracts.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const REMEMBERED = { name: 'First', abi: [] }
const FOUND = { name: 'Second', abi: [] }
const standing = (digit: string, contract?: typeof FOUND) => ({ codeHash: hash(digit), contract, behind: [] })

test('a remembered contract is known as long as its code stands there, or none does', () => {
  expect(contractAt(REMEMBERED, hash('1'), standing('1'))).toBe(REMEMBERED)
  expect(contractAt(REMEMBERED, hash('1'), standing('1', FOUND))).toBe(REMEMBERED)
  // The deployment was withdrawn, or nobody has looked yet.
  expect(contractAt(REMEMBERED, hash('1'), undefined)).toBe(REMEMBERED)
  expect(contractAt(REMEMBERED, undefined, standing('2'))).toBe(REMEMBERED)
})

test('other code at its address is another contract: one that is recognised, or none', () => {
  expect(isReplaced(hash('1'), standing('2'))).toBe(true)
  expect(contractAt(REMEMBERED, hash('1'), standing('2'))).toBeUndefined()
  expect(contractAt(REMEMBERED, hash('1'), standing('2', FOUND))).toBe(FOUND)
})

test('a contract that nobody remembers is what its code says', () => {
  expect(contractAt(undefined, undefined, standing('2', FOUND))).toBe(FOUND)
  expect(contractAt(undefined, undefined, undefined)).toBeUndefined()
})
