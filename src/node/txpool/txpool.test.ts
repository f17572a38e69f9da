import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { testSender, testTransaction } from '#testing/node/txpool/transaction.ts'
import { all, refusal, setUp } from '#testing/node/txpool/txpool.ts'
import type { Transaction } from '../tx/transaction.ts'

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

  test('filling one gap promotes transactions up to the next gap', () => {
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

describe('what a base fee leaves out', () => {
  test('is each sender’s first executable transaction with a lower fee cap, and what follows it, newest first', () => {
    const { pool, add } = setUp()
    const [kept, cheap, after] = [200n, 50n, 200n].map((price, nonce) => add({ sender: 0, nonce, price }).tx)
    const other = add({ sender: 1, nonce: 0, price: 100n }).tx
    add({ sender: 2, nonce: 1, price: 50n })
    expect(pool.unpriced(100n)).toEqual([after, cheap])
    pool.claim(kept!)
    expect(pool.unpriced(1_000n)).toEqual([after, cheap, other])
  })

  test('and the best transactions are together all that is executable', () => {
    const caps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.bigInt(1n, 9n)), { maxLength: 20 })
    fc.assert(
      fc.property(caps, fc.bigInt(0n, 10n), (given, baseFee) => {
        const { pool, add } = setUp()
        for (const [sender, price] of given) {
          add({ sender, nonce: Number(pool.pendingNonce(testSender(sender))), price })
        }
        const [best, left] = [all(pool.best(baseFee)), pool.unpriced(baseFee)]
        expect(new Set([...best, ...left])).toEqual(new Set(pool.transactions()))
        expect(best.length + left.length).toBe(pool.size().pending)
      }),
    )
  })
})

describe('the best transactions', () => {
  test('come by effective tip; among equal tips the first received comes first', () => {
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

  test('leave out a transaction with a fee cap below the base fee and its sender’s later ones', () => {
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

  test('follow changes of the pool while they are taken', () => {
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
  test('uses its nonce, is still found and counts as pending', () => {
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

  test('of type 4 makes the pool check every account again', () => {
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

describe('an account changed by other senders’ transactions', () => {
  test('drops transactions it can no longer pay for, and queues the later ones', () => {
    const { pool, add, setAccount } = setUp()
    const [first, second, third] = [0, 1, 2].map((nonce) => add({ nonce, value: nonce === 1 ? 5n : 0n }).tx)
    pool.claim(first!)
    setAccount(0, 1, second!.gas * 100n)
    expect(pool.settle()).toEqual([{ tx: second, reason: 'insufficient funds for gas * price + value' }])
    expect([...pool.content().queued]).toEqual([[testSender(0), [third]]])
  })

  test('is checked at the next query, and its stale transactions are reported', () => {
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

test('a queued transaction is promoted when another account’s transaction raises the nonce of its sender, which has code', () => {
  const { pool, add, accounts } = setUp()
  const sender = testSender(0)
  const account = { balance: 10n ** 30n, codeHash: toWord(7) }
  accounts.set(sender, { ...account, nonce: 0n })
  const { tx } = add({ sender: 0, nonce: 1 })
  expect(pool.settle()).toEqual([])
  expect(pool.size()).toEqual({ pending: 0, queued: 1 })
  // The account's code creates a contract, in a transaction of another account.
  accounts.set(sender, { ...account, nonce: 1n })
  expect(pool.settle()).toEqual([])
  expect(pool.size()).toEqual({ pending: 1, queued: 0 })
  expect(all(pool.best(0n))).toEqual([tx])
})

test('a transaction above a lowered block gas limit is dropped, and does not block its sender', () => {
  const { pool, add, block } = setUp()
  const large = add({ nonce: 0, gas: 9_000_000n }).tx
  add({ nonce: 1 })
  expect(pool.settle()).toEqual([])
  block.gasLimit = 5_000_000n
  expect(pool.settle()).toEqual([{ tx: large, reason: 'exceeds block gas limit' }])
  expect(pool.size()).toEqual({ pending: 0, queued: 1 })
  const small = add({ nonce: 0 }).tx
  expect(all(pool.best(0n))[0]).toBe(small)
})
