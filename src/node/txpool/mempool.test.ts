import { expect, test } from 'vitest'
import { second, setUp, sign } from '#testing/node/txpool/mempool.ts'

const BETTER = { maxFeePerGas: 110n, maxPriorityFeePerGas: 11n }

test('an undone replacement is dropped, and the replaced transaction is back', async () => {
  const { mempool, submit, told } = setUp()
  const first = submit(await sign()).tx
  const better = submit(await sign(BETTER)).tx
  told.length = 0
  expect(mempool.undo([better])).toBe(true)
  expect(told).toEqual([
    ['dropped', better.hash, 'it could not be stored'],
    ['accepted', first.hash],
  ])
  expect(mempool.reader.transactions()).toEqual([first])
})

test('undoing a submission restores what it evicted from a full pool', async () => {
  const { mempool, submit, told } = setUp({ limits: { maxPending: 1 } })
  const first = submit(await sign()).tx
  const better = submit(await sign({ maxPriorityFeePerGas: 11n }, second)).tx
  expect(told.at(-1)).toEqual(['dropped', first.hash, 'txpool is full'])
  mempool.undo([better])
  expect(mempool.reader.transactions()).toEqual([first])
})

test('a transaction that is on the chain leaves the pool without a dropped event', async () => {
  const live: `0x${string}`[] = []
  const { mempool, submit, told } = setUp({ live })
  const { tx } = submit(await sign())
  live.push(tx.hash)
  told.length = 0
  mempool.discard([tx], 'dropped on request')
  expect(mempool.reader.size()).toEqual({ pending: 0, queued: 0 })
  expect(told).toEqual([])
  expect(mempool.undo([tx])).toBe(false)
})

test('a transaction that could not be executed is reported once, with its reason, and logged if the engine failed', async () => {
  const { mempool, submit, told, logged } = setUp()
  const { tx } = submit(await sign())
  mempool.claim(tx)
  mempool.fail({ tx, reason: 'a bug', cause: new TypeError() })
  mempool.tellFailed()
  mempool.tellFailed()
  expect(told.slice(1)).toEqual([['dropped', tx.hash, 'a bug']])
  expect(logged).toEqual([`transaction ${tx.hash} dropped: a bug`])
})

test('withdrawn transactions are requeued or lost, depending on their fate', async () => {
  const { mempool, submit, told } = setUp()
  const { tx } = submit(await sign())
  mempool.claim(tx)
  mempool.settle()
  expect(mempool.reader.has(tx.hash)).toBe(false)
  mempool.withdraw([tx], 'lose')
  expect(mempool.reader.has(tx.hash)).toBe(false)
  mempool.withdraw([tx], 'requeue')
  expect(mempool.reader.has(tx.hash)).toBe(true)
  expect(told.slice(1)).toEqual([
    ['withdrawn', [tx.hash], 'lose'],
    ['withdrawn', [tx.hash], 'requeue'],
  ])
})

test('reverting to a snapshot drops newer transactions and brings back those that were pooled then', async () => {
  const { mempool, submit, told } = setUp()
  const pooledThen = submit(await sign()).tx
  mempool.discard([pooledThen], 'dropped on request')
  const cameSince = submit(await sign({ nonce: 1 }, second)).tx
  told.length = 0
  mempool.restore([pooledThen], [])
  expect(told).toEqual([
    ['dropped', cameSince.hash, 'reverted to a snapshot that did not have it'],
    ['accepted', pooledThen.hash],
  ])
  expect(mempool.reader.transactions()).toEqual([pooledThen])
})
