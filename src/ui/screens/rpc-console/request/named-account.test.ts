import { expect, test } from 'vitest'
import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { type AccountPlace, accountPlace, namedAccount, withAccount } from './named-account.ts'

const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const

const method = (name: string, ...schemas: readonly string[]): OpenRpcMethod => ({
  name,
  summary: '',
  paramStructure: 'by-position',
  params: schemas.map((schema, i) => ({
    name: `p${i}`,
    required: true,
    schema: { $ref: `#/components/schemas/${schema}` },
  })),
  result: { name: 'result', schema: {} },
})

test('transactions, calls, messages and typed data name the account that they are from', () => {
  expect(accountPlace(method('eth_sendTransaction', 'RpcCall'))).toEqual({ at: 0, isMember: true, needsKey: true })
  expect(accountPlace(method('eth_sign', 'Address', 'Hex'))).toEqual({ at: 0, isMember: false, needsKey: true })
  expect(accountPlace(method('personal_sign', 'Hex', 'Address'))).toMatchObject({ at: 1, isMember: false })
  expect(accountPlace(method('eth_signTypedData_v4', 'Address', 'Any'))).toMatchObject({ at: 0, isMember: false })
  expect(accountPlace(method('wallet_sendCalls', 'Any'))).toMatchObject({ at: 0, isMember: true })
  expect(accountPlace(method('eth_call', 'RpcCall', 'BlockSelector'))).toMatchObject({ at: 0, needsKey: false })
  expect(accountPlace(method('eth_getBalance', 'Address', 'BlockSelector'))).toBeUndefined()
})

const MEMBER: AccountPlace = { at: 0, isMember: true, needsKey: true }
const SECOND: AccountPlace = { at: 1, isMember: false, needsKey: true }

test('the account is read from its place, in lower case', () => {
  expect(namedAccount(MEMBER, [{ from: ALICE.toUpperCase().replace('0X', '0x') }])).toBe(ALICE)
  expect(namedAccount(SECOND, ['hello', BOB])).toBe(BOB)
  expect(namedAccount(SECOND, ['hello'])).toBeUndefined()
  expect(namedAccount(MEMBER, ['text'])).toBeUndefined()
  expect(namedAccount(MEMBER, [{ from: '0x12' }])).toBeUndefined()
})

test('another account takes its place, and nothing else changes', () => {
  expect(withAccount(MEMBER, [{ from: ALICE, value: '0x1' }, 'latest'], BOB)).toEqual([
    { from: BOB, value: '0x1' },
    'latest',
  ])
  expect(withAccount(SECOND, ['hello', ALICE], BOB)).toEqual(['hello', BOB])
  expect(withAccount(SECOND, [], BOB)).toEqual([null, BOB])
})
