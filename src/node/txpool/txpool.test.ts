// Longer than 300 lines: one pool, seen from all sides.
import { describe, expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { testSender, testTransaction } from '../testing/test-transaction.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { BestTransactions } from './best-transactions.ts'
import type { PoolAccount } from './sender-queue.ts'
import { TxPool } from './txpool.ts'

const RICH = 10n ** 30n

function setUp(limits: { maxPending?: number; maxQueued?: number; maxPerSender?: number } = {}) {
  const accounts = new Map<Address, PoolAccount>()
  const pool = new TxPool({
    limits: { maxPending: 100, maxQueued: 100, maxPerSender: 100, ...limits },
    account: (address) => accounts.get(address) ?? { nonce: 0n, balance: RICH },
    isInLiveBlock: () => false,
  })
  const setAccount = (sender: number, nonce: number, balance = RICH) =>
    accounts.set(testSender(sender), { nonce: BigInt(nonce), balance })
  const add = (fields: Parameters<typeof testTransaction>[0]) => {
    const tx = testTransaction(fields)
    return { tx, ...pool.add(tx) }
  }
  return { pool, add, setAccount }
}

function all(best: BestTransactions): Transaction[] {
  const taken: Transaction[] = []
  for (let tx = best.next(); tx; tx = best.next()) taken.push(tx)
  return taken
}

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof TxRejectedError) return error.code
    throw error
  }
  return 'accepted'
}

describe('nonce gaps', () => {
  test('a transaction behind a gap is queued until the gap is filled', () => {
    const { pool, add } = setUp()
    const second = add({ nonce: 1 }).tx
    expect(pool.size()).toEqual({ pending: 0, queued: 1 })
    expect(pool.pendingNonce(testSender(0))).toBe(0n)
    expect(all(pool.best(0n))).toEqual([])
    const first = add({ nonce: 0 }).tx
    expect(pool.size()).toEqual({ pending: 2, queued: 0 })
    expect(pool.pendingNonce(testSender(0))).toBe(2n)
    expect(all(pool.best(0n))).toEqual([first, second])
  })

  test('filling one gap promotes up to the next', () => {
    const { pool, add, setAccount } = setUp()
    setAccount(0, 5)
    for (const nonce of [9, 7, 6, 5]) add({ nonce })
    expect(pool.size()).toEqual({ pending: 3, queued: 1 })
    expect(pool.pendingNonce(testSender(0))).toBe(8n)
  })

  test('removing a transaction queues those after it', () => {
    const { pool, add } = setUp()
    const [first, second, third] = [0, 1, 2].map((nonce) => add({ nonce }).tx)
    expect(pool.remove(second!.hash)).toBe(second)
    expect(pool.has(second!.hash)).toBe(false)
    const { pending, queued } = pool.content()
    expect([...pending]).toEqual([[testSender(0), [first]]])
    expect([...queued]).toEqual([[testSender(0), [third]]])
    expect(pool.remove(second!.hash)).toBeUndefined()
  })

  test('an unknown sender has the nonce of its account', () => {
    const { pool, setAccount } = setUp()
    setAccount(0, 7)
    expect(pool.pendingNonce(testSender(0))).toBe(7n)
  })
})

describe('the best transactions', () => {
  test('come by effective tip, and of equal tips the first received comes first', () => {
    const { pool, add } = setUp()
    const low = add({ sender: 0, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 10n }).tx
    const capped = add({ sender: 1, maxFeePerGas: 130n, maxPriorityFeePerGas: 90n }).tx
    const high = add({ sender: 2, maxFeePerGas: 200n, maxPriorityFeePerGas: 40n }).tx
    const same = add({ sender: 3, maxFeePerGas: 140n, maxPriorityFeePerGas: 40n }).tx
    expect(all(pool.best(100n))).toEqual([high, same, capped, low])
    expect(all(pool.best(0n))).toEqual([capped, high, same, low])
  })

  test('keep the nonces of a sender in order, however high a later tip is', () => {
    const { pool, add } = setUp()
    const a0 = add({ sender: 0, nonce: 0, price: 1n }).tx
    const a1 = add({ sender: 0, nonce: 1, price: 100n }).tx
    const b0 = add({ sender: 1, nonce: 0, price: 50n }).tx
    expect(all(pool.best(0n))).toEqual([b0, a0, a1])
  })

  test('leave out a fee cap below the base fee and what comes after it', () => {
    const { pool, add } = setUp()
    add({ sender: 0, nonce: 0, price: 99n })
    add({ sender: 0, nonce: 1, price: 500n })
    const exact = add({ sender: 1, price: 100n }).tx
    expect(all(pool.best(100n))).toEqual([exact])
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
  })

  test('leave out a skipped sender for this tick only', () => {
    const { pool, add } = setUp()
    const a0 = add({ sender: 0, nonce: 0, price: 9n }).tx
    const a1 = add({ sender: 0, nonce: 1, price: 9n }).tx
    const b0 = add({ sender: 1, price: 5n }).tx
    const best = pool.best(0n)
    expect(best.next()).toBe(a0)
    best.skipSender(testSender(0))
    expect(all(best)).toEqual([b0])
    expect(all(pool.best(0n))).toEqual([a0, a1, b0])
  })

  test('see what happens to the pool while they are taken', () => {
    const { pool, add } = setUp()
    const a0 = add({ sender: 0, nonce: 0, price: 100n }).tx
    const b0 = add({ sender: 1, nonce: 0, price: 50n }).tx
    const c0 = add({ sender: 2, nonce: 0, price: 40n }).tx
    const best = pool.best(0n)
    expect(best.next()).toBe(a0)
    pool.claim(a0)
    const dearer = add({ sender: 1, nonce: 0, price: 60n })
    expect(dearer.replaced).toBe(b0)
    pool.remove(c0.hash)
    const a1 = add({ sender: 0, nonce: 1, price: 30n }).tx
    expect(all(best)).toEqual([dearer.tx, a1])
  })

  test('do not end early after a transaction was claimed', () => {
    const { pool, add } = setUp()
    const txs = [0, 1, 2].map((nonce) => add({ nonce }).tx)
    const best = pool.best(0n)
    const taken: Transaction[] = []
    for (let tx = best.next(); tx; tx = best.next()) {
      pool.claim(tx)
      taken.push(tx)
    }
    expect(taken).toEqual(txs)
  })
})

describe('a claimed transaction', () => {
  test('uses up its nonce, is still found and counts as pending', () => {
    const { pool, add } = setUp()
    const { tx } = add({ nonce: 0, price: 1n })
    pool.claim(tx)
    expect(pool.get(tx.hash)).toBe(tx)
    expect(pool.knows(tx.hash)).toBe(true)
    expect(pool.size()).toEqual({ pending: 1, queued: 0 })
    expect([...pool.content().pending]).toEqual([[testSender(0), [tx]]])
    expect(pool.pendingNonce(testSender(0))).toBe(1n)
    expect(refusal(() => add({ nonce: 0, price: 1_000n }))).toBe('nonce-too-low')
    expect(pool.remove(tx.hash)).toBeUndefined()
    expect(all(pool.best(0n))).toEqual([])
  })

  test('is forgotten when the partial block was cut', () => {
    const { pool, add, setAccount } = setUp()
    const [first, second] = [0, 1].map((nonce) => add({ nonce }).tx)
    pool.claim(first!)
    setAccount(0, 1)
    expect(pool.settle()).toEqual([])
    expect(pool.get(first!.hash)).toBeUndefined()
    expect(pool.size()).toEqual({ pending: 1, queued: 0 })
    expect(pool.pendingNonce(testSender(0))).toBe(2n)
    expect(all(pool.best(0n))).toEqual([second])
  })

  test('counts against the balance until it was executed or dropped', () => {
    const { pool, add, setAccount } = setUp()
    const cost = 21_000n * 100n
    setAccount(0, 0, 2n * cost)
    pool.claim(add({ nonce: 0 }).tx)
    const second = add({ nonce: 1 }).tx
    expect(refusal(() => add({ nonce: 2 }))).toBe('insufficient-funds')
    setAccount(0, 1, 2n * cost)
    pool.settle()
    add({ nonce: 2 })
    expect(refusal(() => add({ nonce: 3 }))).toBe('insufficient-funds')
    pool.claim(second)
    pool.drop(second)
    expect(refusal(() => add({ nonce: 3 }))).toBe('accepted')
  })

  test('leaves the pool when it was dropped, and its nonce can be used again', () => {
    const { pool, add } = setUp()
    const [first, second, third] = [0, 1, 2].map((nonce) => add({ nonce }).tx)
    pool.claim(first!)
    pool.claim(second!)
    pool.drop(second!)
    expect(pool.has(second!.hash)).toBe(false)
    expect(pool.size()).toEqual({ pending: 1, queued: 1 })
    expect(pool.pendingNonce(testSender(0))).toBe(1n)
    add({ nonce: 1 })
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
    expect(all(pool.best(0n)).at(-1)).toBe(third)
  })

  test('can only be the next of its sender', () => {
    const { pool, add } = setUp()
    const [, second] = [0, 1].map((nonce) => add({ nonce }).tx)
    expect(() => pool.claim(second!)).toThrow('only the next executable transaction can be claimed')
  })

  test('of type 4 makes the pool look at every account anew', () => {
    const { pool, add, setAccount } = setUp()
    const stale = add({ sender: 1, nonce: 0, price: 1n }).tx
    const setCode = { ...testTransaction({ sender: 0 }), type: 4 as const, authorizationList: [] }
    pool.add(setCode)
    pool.claim(setCode)
    setAccount(0, 1)
    setAccount(1, 1)
    expect(pool.settle()).toEqual([{ tx: stale, reason: 'nonce too low' }])
    expect(pool.size()).toEqual({ pending: 0, queued: 0 })
  })
})

describe('an account that others change', () => {
  test('drops what it can no longer pay, and queues what comes after it', () => {
    const { pool, add, setAccount } = setUp()
    const [first, second, third] = [0, 1, 2].map((nonce) => add({ nonce, value: nonce === 1 ? 5n : 0n }).tx)
    pool.claim(first!)
    setAccount(0, 1, second!.gas * 100n)
    expect(pool.settle()).toEqual([{ tx: second, reason: 'insufficient funds for gas * price + value' }])
    expect([...pool.content().queued]).toEqual([[testSender(0), [third]]])
  })

  test('is noticed at the next question, and what it made stale is reported', () => {
    const { pool, add, setAccount } = setUp()
    const [first, second] = [0, 1].map((nonce) => add({ nonce }).tx)
    setAccount(0, 1)
    expect(pool.pendingNonce(testSender(0))).toBe(2n)
    expect(pool.has(first!.hash)).toBe(false)
    expect(all(pool.best(0n))).toEqual([second])
    expect(pool.settle()).toEqual([{ tx: first, reason: 'nonce too low' }])
    expect(pool.settle()).toEqual([])
  })
})

describe('a full pool', () => {
  test('gives up the lowest tip, of equal tips the lowest fee cap, then the last received', () => {
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

  test('gives up the tail of a sender, never a transaction that others build on', () => {
    const { pool, add } = setUp({ maxPending: 3 })
    add({ sender: 0, nonce: 0, price: 1n })
    const tail = add({ sender: 0, nonce: 1, price: 5n }).tx
    add({ sender: 1, price: 9n })
    expect(add({ sender: 2, price: 10n }).evicted).toEqual([tail])
    expect(pool.size()).toEqual({ pending: 3, queued: 0 })
  })

  test('does not give up what the new transaction builds on', () => {
    const { add } = setUp({ maxPending: 2 })
    add({ sender: 0, nonce: 0, price: 1n })
    const other = add({ sender: 1, nonce: 0, price: 5n }).tx
    expect(add({ sender: 0, nonce: 1, price: 10n }).evicted).toEqual([other])
    expect(refusal(() => add({ sender: 0, nonce: 2, price: 10n }))).toBe('pool-full')
  })

  test('has a limit of its own for queued transactions', () => {
    const { pool, add } = setUp({ maxPending: 1, maxQueued: 2 })
    add({ sender: 0, nonce: 0, price: 1n })
    const low = add({ sender: 1, nonce: 1, price: 2n }).tx
    add({ sender: 2, nonce: 5, price: 4n })
    expect(refusal(() => add({ sender: 3, nonce: 1, price: 2n }))).toBe('pool-full')
    expect(add({ sender: 3, nonce: 1, price: 3n }).evicted).toEqual([low])
    expect(pool.size()).toEqual({ pending: 1, queued: 2 })
  })

  test('evicts what a filled gap promotes beyond the limit, but not what fills the gap', () => {
    const { pool, add } = setUp({ maxPending: 2 })
    const other = add({ sender: 1, price: 1n }).tx
    add({ sender: 0, nonce: 1, price: 3n })
    const tail = add({ sender: 0, nonce: 2, price: 3n }).tx
    const { tx, evicted } = add({ sender: 0, nonce: 0, price: 2n })
    expect(evicted).toEqual([other, tail])
    expect(pool.has(tx.hash)).toBe(true)
    expect(pool.size()).toEqual({ pending: 2, queued: 0 })
  })

  test('drops what a new gap queues beyond the limit, and reports it', () => {
    const { pool, add } = setUp({ maxQueued: 1 })
    const [first, , last] = [0, 1, 2].map((nonce) => add({ nonce }).tx)
    pool.remove(first!.hash)
    expect(pool.size()).toEqual({ pending: 0, queued: 1 })
    expect(pool.settle()).toEqual([{ tx: last, reason: 'txpool is full' }])
  })

  test('drops what an account promotes beyond the limit, and reports it', () => {
    const { pool, add, setAccount } = setUp({ maxPending: 1 })
    const worse = add({ sender: 1, price: 1n }).tx
    add({ sender: 0, nonce: 1, price: 2n })
    setAccount(0, 1)
    expect(pool.pendingNonce(testSender(0))).toBe(2n)
    expect(pool.size()).toEqual({ pending: 1, queued: 0 })
    expect(pool.settle()).toEqual([{ tx: worse, reason: 'txpool is full' }])
  })

  test('lets a sender with too many fill a gap at the cost of its last transaction', () => {
    const { pool, add } = setUp({ maxPerSender: 2 })
    add({ nonce: 0 })
    const last = add({ nonce: 5 }).tx
    expect(refusal(() => add({ nonce: 6, price: 1_000n }))).toBe('pool-full')
    expect(add({ nonce: 1, price: 1n }).evicted).toEqual([last])
    expect(refusal(() => add({ nonce: 2, price: 1_000n }))).toBe('pool-full')
    expect(pool.size()).toEqual({ pending: 2, queued: 0 })
  })

  test('gives up no more than that for it', () => {
    const { pool, add } = setUp({ maxQueued: 2, maxPerSender: 2 })
    add({ nonce: 5, price: 9n })
    const last = add({ nonce: 7, price: 9n }).tx
    expect(add({ nonce: 6, price: 1n }).evicted).toEqual([last])
    expect(pool.size()).toEqual({ pending: 0, queued: 2 })
  })

  test('is as it was after a refusal', () => {
    const { pool, add } = setUp({ maxPending: 1, maxPerSender: 2 })
    const kept = [add({ sender: 1, price: 50n }).tx, add({ nonce: 1 }).tx, add({ nonce: 5 }).tx]
    expect(refusal(() => add({ nonce: 0, price: 1n }))).toBe('pool-full')
    expect(kept.map(({ hash }) => pool.get(hash))).toEqual(kept)
    expect(pool.size()).toEqual({ pending: 1, queued: 2 })
  })
})
