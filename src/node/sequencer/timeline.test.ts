import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { type Hash, toWord } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { asPartial, testBlock } from '#testing/node/storage/blocks.ts'
import { testTransaction } from '#testing/node/txpool/transaction.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { ChainEvents } from './events.ts'
import { MAX_EVENTS, Timeline } from './timeline.ts'

const TRANSACTIONS = Array.from({ length: 6 }, (_, n) => ({ ...testTransaction(), hash: toWord(n + 1) }))
type Told = 'accepted' | 'partial' | 'seal' | 'withdrawn' | 'dropped'

/** Transactions of one step, by their positions. */
const step = fc.record({
  told: fc.constantFrom<Told>('accepted', 'partial', 'partial', 'seal', 'seal', 'withdrawn', 'dropped'),
  of: fc.uniqueArray(fc.nat(TRANSACTIONS.length - 1), { minLength: 1 }),
})

test('whatever the events, each transaction has its own history, oldest first', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = new FakeClock()
      const events = new Emitter<ChainEvents>()
      const timeline = new Timeline(events, clock)
      const expected = new Map<Hash, TimelineEvent[]>()
      for (const { told, of } of steps) {
        clock.jump(1)
        const atMs = clock.now()
        const transactions = of.map((n) => TRANSACTIONS[n] as (typeof TRANSACTIONS)[number])
        const empty = testBlock(
          7,
          transactions.map(() => []),
        )
        const included = empty.transactions.map((each, i) => ({ ...each, tx: transactions[i] ?? each.tx }))
        const block = { ...empty, transactions: included }
        const expectEach = (event: TimelineEvent) => {
          for (const { hash } of transactions) expected.set(hash, [...(expected.get(hash) ?? []), event])
        }
        switch (told) {
          case 'accepted':
            for (const tx of transactions) events.emit('accepted', { tx, replaced: undefined })
            expectEach({ kind: 'received', atMs })
            break
          case 'partial':
            events.emit('partial', { partial: { ...asPartial(block), cutAtMs: atMs } })
            expectEach({ kind: 'preconfirmed', atMs, blockNumber: '0x7', index: 1, status: 'success' })
            break
          case 'seal':
            events.emit('seal', { block })
            expectEach({ kind: 'sealed', atMs, blockNumber: '0x7', blockHash: block.hash })
            break
          case 'withdrawn':
            events.emit('withdrawn', { transactions, fate: 'requeue' })
            expectEach({ kind: 'withdrawn', atMs, requeued: true })
            break
          case 'dropped':
            for (const tx of transactions) events.emit('dropped', { tx, reason: 'full' })
            expectEach({ kind: 'dropped', atMs, reason: 'full' })
        }
      }
      for (const { hash } of TRANSACTIONS) expect(timeline.of(hash)).toEqual(expected.get(hash))
    }),
  )
})

test('a transaction that is withdrawn again and again keeps only its newest events', () => {
  const events = new Emitter<ChainEvents>()
  const timeline = new Timeline(events, new FakeClock())
  const [tx] = TRANSACTIONS as [(typeof TRANSACTIONS)[number]]
  events.emit('accepted', { tx, replaced: undefined })
  for (let i = 0; i < 1_000; i++) events.emit('withdrawn', { transactions: [tx], fate: i === 999 ? 'lose' : 'requeue' })
  const told = timeline.of(tx.hash) ?? []
  expect(told).toHaveLength(MAX_EVENTS + 1)
  expect(told[0]).toMatchObject({ kind: 'received' })
  expect(told.at(-1)).toMatchObject({ kind: 'withdrawn', requeued: false })
})
