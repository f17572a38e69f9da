import { expect, test } from 'vitest'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { valueHint } from './value-hint.ts'

test.each([
  ['0x1f', 'nonce', '31'],
  ['0x0', undefined, '0'],
  ['0x3b9aca00', 'baseFeePerGas', '1,000,000,000 wei · 1.0000 gwei'],
  ['0xde0b6b3a7640000', 'value', '1,000,000,000,000,000,000 wei · 1.0000 ETH'],
  ['0xde0b6b3a7640000', undefined, '1,000,000,000,000,000,000 · as wei 1.0000 ETH'],
  ['0x65f00000', 'timestamp', '1,710,227,456 · 2024-03-12 07:10:56 UTC'],
  [`0x${'0'.repeat(62)}2a`, undefined, '42'],
])('%s of %s is %s', (value, name, hint) => {
  expect(valueHint(value, name)).toBe(hint)
})

test('hashes, bytes and words have no hint', () => {
  for (const value of [`0x${'ab'.repeat(32)}`, '0x', '0x00ff', 'latest', '0xAB', '0x01']) {
    expect([value, valueHint(value, undefined)]).toEqual([value, undefined])
  }
})

test('the address of a development account has its name, others have none', () => {
  expect(valueHint(DEV_ACCOUNTS[3]?.address ?? '', 'from')).toBe('Account 3')
  expect(valueHint(`0x${'12'.repeat(20)}`, 'from')).toBeUndefined()
})
