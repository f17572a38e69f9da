import { expect, test } from 'vitest'
import { findAccount } from './known-accounts.ts'

const TOKEN = `0x${'ab'.repeat(20)}` as const
const OTHER = `0x${'cd'.repeat(20)}` as const
const KNOWN = [
  { name: 'Account 0', address: `0x${'11'.repeat(20)}` as const },
  { name: 'Token', address: TOKEN },
]
/** With its checksum. */
const VITALIK = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test('an account is found by its address, in lower case or with its checksum', () => {
  const address = VITALIK.toLowerCase()
  expect(findAccount(` ${VITALIK} `, KNOWN)).toEqual({ ok: true, address })
  expect(findAccount(address, KNOWN)).toEqual({ ok: true, address })
})

test('an address whose checksum does not match is refused', () => {
  const wrong = VITALIK.replace('d8dA', 'd8DA')
  expect(findAccount(wrong, KNOWN)).toMatchObject({ ok: false, error: expect.stringContaining('checksum') as string })
})

test('an account is found by its name, in any case', () => {
  expect(findAccount('token', KNOWN)).toEqual({ ok: true, address: TOKEN })
  expect(findAccount('tok', KNOWN)).toMatchObject({ ok: false })
})

test('a name that two contracts have is not enough', () => {
  const known = [...KNOWN, { name: 'Token', address: OTHER }]
  expect(findAccount('Token', known)).toMatchObject({
    ok: false,
    error: expect.stringContaining('2 contracts') as string,
  })
})

test('nothing and half an address are refused with what to type', () => {
  expect(findAccount('', KNOWN)).toMatchObject({
    ok: false,
    error: expect.stringContaining('Enter an address') as string,
  })
  expect(findAccount('0x12', KNOWN)).toMatchObject({ ok: false, error: expect.stringContaining('40') as string })
})
