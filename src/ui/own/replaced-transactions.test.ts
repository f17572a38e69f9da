import { beforeEach, expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { parseReplaced } from './parse-replaced.ts'
import {
  forgetReplaced,
  MAX_REPLACED,
  type ReplacedTransaction,
  rememberReplaced,
  replacedBy,
  storableReplaced,
  useReplacedTransactions,
} from './replaced-transactions.ts'

function replaced(id: number, input: `0x${string}` = '0x'): ReplacedTransaction {
  const tx: RpcTransaction = {
    ...{ hash: toWord(id), from: `0x${'aa'.repeat(20)}`, to: `0x${'bb'.repeat(20)}`, nonce: '0x3', gas: '0x5208' },
    ...{ gasPrice: '0x1', value: '0x0', input, v: '0x1', r: '0x1', s: '0x1', blockHash: null, blockNumber: null },
    ...{ transactionIndex: null, type: '0x0' },
  }
  const events = [
    { kind: 'received', atMs: 1 } as const,
    { kind: 'replaced', atMs: 2, by: toWord(1_000 + id) } as const,
  ]
  return { tx, raw: '0x01', events }
}

beforeEach(forgetReplaced)

test('what is stored of a replaced transaction is read again, and both name each other', () => {
  rememberReplaced([replaced(1), replaced(2)])
  const stored: unknown = JSON.parse(JSON.stringify(storableReplaced()))
  forgetReplaced()
  rememberReplaced(parseReplaced(stored))
  expect(useReplacedTransactions.getState().get(toWord(2))).toEqual(replaced(2))
  expect(replacedBy(useReplacedTransactions.getState(), toWord(1_002))).toBe(toWord(2))
  expect(replacedBy(useReplacedTransactions.getState(), toWord(2))).toBeUndefined()
})

test('only so many are kept, and none that is too long for the browser’s storage', () => {
  rememberReplaced(Array.from({ length: MAX_REPLACED + 5 }, (_, i) => replaced(i)))
  expect(useReplacedTransactions.getState().size).toBe(MAX_REPLACED)
  expect(useReplacedTransactions.getState().has(toWord(0))).toBe(false)
  rememberReplaced([replaced(99, `0x${'00'.repeat(20_000)}`)])
  expect(storableReplaced().map(({ tx }) => tx.hash)).not.toContain(toWord(99))
})

test('what somebody else wrote into the storage is passed over', () => {
  const { tx, events } = replaced(1)
  for (const wrong of [
    null,
    'text',
    {},
    { tx, events: [] },
    { tx: { ...tx, value: 'a lot' }, events },
    { tx: { ...tx, type: '0x2' }, events },
    { tx: { ...tx, type: '0x4', authorizationList: [{}] }, events },
    { tx: { ...tx, blockHash: tx.hash }, events },
  ]) {
    expect(parseReplaced([wrong])).toEqual([])
  }
  expect(parseReplaced({ length: 1 })).toEqual([])
  expect(parseReplaced([{ tx, events, raw: 'no bytes' }])).toEqual([{ ...replaced(1), raw: undefined }])
})
