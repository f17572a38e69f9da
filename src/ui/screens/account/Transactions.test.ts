import { expect, test } from 'vitest'
import { type Address, toWord } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { TransactionRow } from '#ui/chain/TransactionTable.tsx'
import { mergeRows } from './Transactions.tsx'

const ALICE: Address = `0x${'a1'.repeat(20)}`
const BOB: Address = `0x${'b0'.repeat(20)}`
const heard = (id: number, from: Address, to: Address | null) =>
  ({ hash: toWord(id), from, to, value: 0n, input: '0x', status: 'mempool' }) as unknown as TransactionRow
const found = (id: number, from: Address, to: Address) =>
  ({ hash: toWord(id), from, to, value: '0x1', input: '0x', blockNumber: '0x3' }) as unknown as RpcTransaction

test('transactions of the feed come first, newest first, and none is listed twice', () => {
  const rows = mergeRows(
    ALICE,
    [heard(1, ALICE, BOB), heard(2, BOB, BOB), heard(3, BOB, ALICE)],
    [found(3, BOB, ALICE), found(4, ALICE, BOB)],
  )
  expect(rows.map(({ hash }) => BigInt(hash))).toEqual([3n, 1n, 4n])
  expect(rows.at(-1)).toMatchObject({ status: 'sealed', blockNumber: 3, value: 1n })
})
