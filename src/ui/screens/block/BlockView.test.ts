import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { FullBlock } from '#ui/queries/blocks.ts'
import { slotsOf } from './BlockView.tsx'

const FIELDS = { from: '0x01', to: null, value: 5n }
const block = {
  transactions: [1, 2, 3].map((id) => ({ hash: toWord(id), from: '0x01', to: null, value: '0x5' })),
} as unknown as FullBlock

test('transactions are grouped by the partial blocks that added them', () => {
  const receipts = [{ transactionHash: toWord(3), status: '0x0' as const }]
  expect(slotsOf(block, receipts, [1, 0, 2])).toEqual([
    { index: 0, transactions: [{ ...FIELDS, hash: toWord(1), reverted: false }] },
    { index: 1, transactions: [] },
    {
      index: 2,
      transactions: [
        { ...FIELDS, hash: toWord(2), reverted: false },
        { ...FIELDS, hash: toWord(3), reverted: true },
      ],
    },
  ])
})

test('a block that was not watched shows no partial blocks', () => {
  expect(slotsOf(block, [], undefined)).toBeUndefined()
})
