import { parseTransaction } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Hex } from '#primitives/hex.ts'
import { FakeLoadNode } from '#testing/ui/fake-load-node.ts'
import { fillNonceGap } from './fill-nonce-gap.ts'
import { fetchNonceGap, fillable, missingNonces, nonceWords } from './nonce-gap.ts'
import { forgetOwn, useOwnTransactions } from './own-transactions.ts'

const [account] = DEV_ACCOUNTS as [(typeof DEV_ACCOUNTS)[number]]

/** A node with waiting transactions, whose account's next nonce is `count`. */
function nodeWith(count: number, waiting: readonly number[]): FakeLoadNode {
  const node = new FakeLoadNode()
  node.answers['eth_getTransactionCount'] = () => `0x${count.toString(16)}`
  node.answers['txpool_contentFrom'] = () => ({ pending: {}, queued: Object.fromEntries(waiting.map((n) => [n, {}])) })
  return node
}

beforeEach(forgetOwn)

test('missing nonces are those between the next nonce and the waiting one that are not in the mempool', () => {
  expect(missingNonces(0, [], 5)).toEqual([{ first: 0, last: 4 }])
  expect(missingNonces(0, [5, 3, 9], 5)).toEqual([
    { first: 0, last: 2 },
    { first: 4, last: 4 },
  ])
  expect(missingNonces(5, [], 5)).toEqual([])
})

test('missing nonces are named, but only the first few ranges', () => {
  const words = (...taken: number[]) => nonceWords(missingNonces(0, taken, Math.max(...taken)))
  expect(words(1)).toBe('nonce 0')
  expect(words(5)).toBe('nonces 0–4')
  expect(words(1, 3)).toBe('nonces 0 and 2')
  expect(words(1, 3, 9)).toBe('nonces 0, 2 and 4–8')
  expect(words(1, 3, 5, 7, 9)).toBe('nonces 0, 2, 4 and more')
})

test('a gap is reported with the number of transactions behind it; without a gap nothing is', async () => {
  const { provider } = nodeWith(2, [4, 7])
  expect(await fetchNonceGap(provider, account.address)).toEqual({
    address: account.address,
    missing: [
      { first: 2, last: 3 },
      { first: 5, last: 6 },
    ],
    waiting: 2,
  })
  expect(await fetchNonceGap(provider, account.address, 4)).toMatchObject({ missing: [{ first: 2, last: 3 }] })
  expect(await fetchNonceGap(nodeWith(2, []).provider, account.address)).toBeUndefined()
})

test('a gap is filled with transfers of 0 ETH, in nonce order', async () => {
  const node = nodeWith(2, [4, 6])
  expect(await fillNonceGap(node.provider, devSigner(0))).toHaveLength(3)
  const sent = node.raws.map((raw: Hex) => parseTransaction(raw as `0x02${string}`))
  expect(sent.map(({ nonce, to, value = 0n }) => [nonce, to, value])).toEqual([
    [2, account.address, 0n],
    [3, account.address, 0n],
    [5, account.address, 0n],
  ])
  expect(useOwnTransactions.getState().sent).toHaveLength(3)
})

test('a gap of any size is filled by a hundred at a time', async () => {
  expect(fillable([{ first: 0, last: Number.MAX_SAFE_INTEGER }])).toEqual([{ first: 0, last: 99 }])
  expect(fillable(missingNonces(0, [60], 1_000))).toEqual([
    { first: 0, last: 59 },
    { first: 61, last: 100 },
  ])
})
