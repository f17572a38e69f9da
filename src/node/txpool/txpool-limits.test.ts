import { describe, expect, test } from 'vitest'
import { testSender } from '#testing/node/txpool/transaction.ts'
import { refusal, setUp } from '#testing/node/txpool/txpool.ts'

describe('a full pool', () => {
  test('evicts the lowest tip; among equal tips the lowest fee cap, then the last received', () => {
    const { pool, add } = setUp({ maxPending: 3 })
    const tip = (sender: number, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
      add({ sender, maxFeePerGas, maxPriorityFeePerGas })
    const early = tip(0, 50n, 5n).tx
    const late = tip(1, 50n, 5n).tx
    const cheap = tip(2, 40n, 5n).tx
    expect(tip(3, 60n, 6n).evicted).toEqual([cheap])
    expect(tip(4, 60n, 6n).evicted).toEqual([late])
    expect(refusal(() => tip(5, 50n, 5n))).toBe('pool-full')
    expect(tip(5, 51n, 5n).evicted).toEqual([early])
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
  })

  test('evicts the last transaction of a sender, never one that others build on', () => {
    const { pool, add } = setUp({ maxPending: 3 })
    add({ sender: 0, nonce: 0, price: 1n })
    const tail = add({ sender: 0, nonce: 1, price: 5n }).tx
    add({ sender: 1, price: 9n })
    expect(add({ sender: 2, price: 10n }).evicted).toEqual([tail])
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
  })

  test('does not evict what the new transaction builds on', () => {
    const { add } = setUp({ maxPending: 2 })
    add({ sender: 0, nonce: 0, price: 1n })
    const other = add({ sender: 1, nonce: 0, price: 5n }).tx
    expect(add({ sender: 0, nonce: 1, price: 10n }).evicted).toEqual([other])
    expect(refusal(() => add({ sender: 0, nonce: 2, price: 10n }))).toBe('pool-full')
  })

  test('has a separate limit for queued transactions', () => {
    const { pool, add } = setUp({ maxPending: 1, maxQueued: 2 })
    add({ sender: 0, nonce: 0, price: 1n })
    const low = add({ sender: 1, nonce: 1, price: 2n }).tx
    add({ sender: 2, nonce: 5, price: 4n })
    expect(refusal(() => add({ sender: 3, nonce: 1, price: 2n }))).toBe('pool-full')
    expect(add({ sender: 3, nonce: 1, price: 3n }).evicted).toEqual([low])
    expect(pool.size()).toEqual({ pending: 1, queued: 2 })
  })

  test('evicts transactions that a filled gap promotes beyond the limit, but not the one that fills the gap', () => {
    const { pool, add } = setUp({ maxPending: 2 })
    const other = add({ sender: 1, price: 1n }).tx
    add({ sender: 0, nonce: 1, price: 3n })
    const tail = add({ sender: 0, nonce: 2, price: 3n }).tx
    const { tx, evicted } = add({ sender: 0, nonce: 0, price: 2n })
    expect(evicted).toEqual([other, tail])
    expect(pool.has(tx.hash)).toBe(true)
    expect(pool.size()).toEqual({ pending: 2, queued: 0 })
  })

  test('drops transactions that a new gap queues beyond the limit, and reports them', () => {
    const { pool, add } = setUp({ maxQueued: 1 })
    const [first, , last] = [0, 1, 2].map((nonce) => add({ nonce }).tx)
    pool.remove(first!.hash)
    expect(pool.size()).toEqual({ pending: 0, queued: 1 })
    expect(pool.settle()).toEqual([{ tx: last, reason: 'txpool is full' }])
  })

  test('drops transactions that an account change promotes beyond the limit, and reports them', () => {
    const { pool, add, setAccount } = setUp({ maxPending: 1 })
    const worse = add({ sender: 1, price: 1n }).tx
    add({ sender: 0, nonce: 1, price: 2n })
    setAccount(0, 1)
    expect(pool.pendingNonce(testSender(0))).toBe(2n)
    expect(pool.size()).toEqual({ pending: 1, queued: 0 })
    expect(pool.settle()).toEqual([{ tx: worse, reason: 'txpool is full' }])
  })

  test('lets a sender at its limit fill a gap, and drops the sender’s last transaction', () => {
    const { pool, add } = setUp({ maxPerSender: 2 })
    add({ nonce: 0 })
    const last = add({ nonce: 5 }).tx
    expect(refusal(() => add({ nonce: 6, price: 1_000n }))).toBe('pool-full')
    expect(add({ nonce: 1, price: 1n }).evicted).toEqual([last])
    expect(refusal(() => add({ nonce: 2, price: 1_000n }))).toBe('pool-full')
    expect(pool.size()).toEqual({ pending: 2, queued: 0 })
  })

  test('drops only one transaction for a filled gap', () => {
    const { pool, add } = setUp({ maxQueued: 2, maxPerSender: 2 })
    add({ nonce: 5, price: 9n })
    const last = add({ nonce: 7, price: 9n }).tx
    expect(add({ nonce: 6, price: 1n }).evicted).toEqual([last])
    expect(pool.size()).toEqual({ pending: 0, queued: 2 })
  })

  test('stays unchanged after a refusal', () => {
    const { pool, add } = setUp({ maxPending: 1, maxPerSender: 2 })
    const kept = [add({ sender: 1, price: 50n }).tx, add({ nonce: 1 }).tx, add({ nonce: 5 }).tx]
    expect(refusal(() => add({ nonce: 0, price: 1n }))).toBe('pool-full')
    expect(kept.map(({ hash }) => pool.get(hash))).toEqual(kept)
    expect(pool.size()).toEqual({ pending: 1, queued: 2 })
  })

  test('counts bytes in slots of 32 KiB: a large transaction takes several slots', () => {
    const { pool, add } = setUp({ maxPending: 4, maxQueued: 2 })
    const raw = (bytes: number) => new Uint8Array(bytes)
    add({ sender: 0, price: 2n, raw: raw(131_072) })
    add({ sender: 1, price: 3n, raw: raw(32_769) })
    expect(refusal(() => add({ sender: 2, price: 1n }))).toBe('pool-full')
    expect(add({ sender: 2, price: 9n }).evicted).toHaveLength(1)
    add({ sender: 3, price: 9n, raw: raw(65_536) })
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
  })

  test('frees the slots of transactions that were replaced, included or removed', () => {
    const { pool, add, setAccount } = setUp({ maxPending: 4, maxQueued: 0 })
    const large = { raw: new Uint8Array(131_072) }
    const { tx } = add({ price: 1n, ...large })
    expect(refusal(() => add({ sender: 1, price: 1n }))).toBe('pool-full')
    const { tx: second } = add({ price: 10n, ...large })
    expect(pool.has(tx.hash)).toBe(false)
    pool.claim(second)
    setAccount(0, 1)
    pool.settle()
    const { tx: third } = add({ sender: 1, price: 1n, ...large })
    pool.remove(third.hash)
    for (let sender = 2; sender < 6; sender++) add({ sender, price: 1n })
    expect(pool.size()).toEqual({ pending: 4, queued: 0 })
  })
})
