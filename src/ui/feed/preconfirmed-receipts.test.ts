import { beforeEach, expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { forgetPreconfirmed, isPreconfirmed, keepPreconfirmed, preconfirmedReceipt } from './preconfirmed-receipts.ts'

const receipt = (id: number, rest: Partial<RpcReceipt> = {}) =>
  ({ transactionHash: toWord(id), blockHash: toWord(0), ...rest }) as RpcReceipt

beforeEach(forgetPreconfirmed)

test('the newest pre-confirmation of a transaction is the one that counts', () => {
  keepPreconfirmed([receipt(1, { blockNumber: '0x1' })])
  keepPreconfirmed([receipt(1, { blockNumber: '0x2' })])
  expect(preconfirmedReceipt(toWord(1))?.blockNumber).toBe('0x2')
  expect(preconfirmedReceipt(toWord(2))).toBeUndefined()
})

test('the most recent receipts are kept', () => {
  keepPreconfirmed([receipt(1)])
  keepPreconfirmed(Array.from({ length: 2_000 }, (_, i) => receipt(i + 2)))
  expect(preconfirmedReceipt(toWord(1))).toBeUndefined()
  expect(preconfirmedReceipt(toWord(2))).toBeDefined()
})

test('a pre-confirmed receipt has no block hash yet', () => {
  expect(isPreconfirmed(receipt(1))).toBe(true)
  expect(isPreconfirmed(receipt(1, { blockHash: toWord(7) }))).toBe(false)
})
