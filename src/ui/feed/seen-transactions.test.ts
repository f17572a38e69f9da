import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { forgetSeen, keepSeen, seenTransaction } from './seen-transactions.ts'
import { commitFeed } from './store.ts'

const waiting = (id: number) =>
  ({ hash: toWord(id), from: '0x01', nonce: '0x0', value: '0x1' }) as unknown as RpcTransaction

test('a waiting transaction is kept with its bytes, whichever comes first', () => {
  keepSeen(waiting(1), '0xabcd')
  keepSeen(waiting(1))
  expect(seenTransaction(toWord(1))).toEqual({ tx: waiting(1), raw: '0xabcd' })
})

test('only the newest are kept', () => {
  forgetSeen()
  for (let id = 1; id <= 501; id++) keepSeen(waiting(id))
  expect(seenTransaction(toWord(1))).toBeUndefined()
  expect(seenTransaction(toWord(501))).toBeDefined()
})

test('those that the feed hears of are kept, and a new chain knows none of them', () => {
  commitFeed([{ kind: 'pooled', tx: waiting(7) }])
  expect(seenTransaction(toWord(7))?.tx.hash).toBe(toWord(7))
  commitFeed([{ kind: 'reset' }])
  expect(seenTransaction(toWord(7))).toBeUndefined()
})
