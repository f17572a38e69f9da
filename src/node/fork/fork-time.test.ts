import { expect, test } from 'vitest'
import { createForkedNode } from '#node/forked-node.ts'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

/** The present, in milliseconds: the beginning of 2028, years after the blocks of the other chain. */
const NOW_MS = 1_830_297_600_000
/** Milliseconds of a block. */
const BLOCK_MS = 2_000

/** A fork of an old block, whose development accounts get their balance in its first block. */
async function setUp(options: NodeOptions = {}, journal?: MemoryJournal) {
  const original = await createTestNode({ mode: 'manual', accounts: [] })
  await original.request('devnet_seal', [3])
  const clock = new FakeClock(NOW_MS)
  const deps = { clock, log: () => {}, ...(journal && { journal }) }
  const { node, fork } = await createForkedNode({ remote: remoteOf(original).remote }, options, deps)
  const request = (method: string, ...params: readonly unknown[]) => ask(node, method, ...params)
  const timestampAt = async (ref: string) =>
    Number(((await request('eth_getBlockByNumber', ref, false)) as { readonly timestamp: Hex }).timestamp)
  const { timestamp: forkedAt } = fork.header.header
  return { clock, node, request, timestampAt, forkedAt, head: () => timestampAt('latest') }
}

/** What is done before the node's time starts, or right after. */
const MODES: Readonly<Record<string, readonly [method?: string, ...params: readonly unknown[]]>> = {
  'at the clock': [],
  'in automine': ['evm_setAutomine', true],
  'without mining': ['devnet_pause'],
}

test.each(Object.entries(MODES))(
  'the time of a fork goes on from its block: %s',
  async (_name, [method, ...params]) => {
    const { clock, node, request, head, forkedAt } = await setUp()
    // The block of the development accounts.
    expect(await head()).toBe(forkedAt + BLOCK_MS / 1000)
    node.start()
    if (method !== undefined) await request(method, ...params)
    await clock.advance(60_000)
    await request('eth_sendRawTransaction', await signTransfer(0, 0))
    await request('evm_mine')
    const elapsed = (await head()) - forkedAt
    expect(elapsed).toBeGreaterThan(0)
    // About as much as has passed.
    expect(elapsed).toBeLessThanOrEqual(60 + (2 * BLOCK_MS) / 1000)
    await node.close()
  },
)

test('a fork on a manual clock goes on from its block, also once the clock drives it', async () => {
  const { clock, node, request, head, forkedAt } = await setUp({ mode: 'manual' })
  node.start()
  await request('devnet_seal', 3)
  expect(await head()).toBe(forkedAt + (4 * BLOCK_MS) / 1000)
  await request('devnet_resume')
  await clock.advance(10 * BLOCK_MS)
  expect((await head()) - forkedAt).toBeLessThanOrEqual((16 * BLOCK_MS) / 1000)
  await node.close()
})

test('while a fork’s blocks come by the clock, its time moves as the clock does, also over a pause', async () => {
  const { clock, node, request, head, forkedAt } = await setUp()
  node.start()
  await clock.advance(20_000)
  const before = await head()
  expect(before - forkedAt).toBeGreaterThanOrEqual(18)
  expect(before - forkedAt).toBeLessThanOrEqual(26)
  await request('devnet_pause')
  await clock.advance(3_600_000)
  await request('devnet_resume')
  await clock.advance(3 * BLOCK_MS)
  const passed = (await head()) - before
  expect(passed).toBeGreaterThanOrEqual(3_600)
  expect(passed).toBeLessThanOrEqual(3_620)
  await node.close()
})

test('times near a fork’s block can be set', async () => {
  const { node, request, head, forkedAt } = await setUp()
  node.start()
  await request('evm_setNextBlockTimestamp', forkedAt + 100)
  await request('evm_mine')
  expect(await head()).toBe(forkedAt + 100)
  await request('evm_setTime', forkedAt + 1_000)
  await request('evm_mine')
  expect((await head()) - forkedAt).toBeGreaterThanOrEqual(1_000)
  expect((await head()) - forkedAt).toBeLessThanOrEqual(1_010)
  await request('evm_increaseTime', 5_000)
  await request('evm_mine')
  expect((await head()) - forkedAt).toBeLessThanOrEqual(6_020)
  await node.close()
})

test('the time of a fork begins at the present, or at a moment, if that is asked for', async () => {
  const now = await setUp({ forkTime: 'now' })
  expect(await now.head()).toBe((NOW_MS + BLOCK_MS) / 1000)
  await now.request('devnet_reset')
  expect(await now.head()).toBe((NOW_MS + BLOCK_MS) / 1000)
  await now.node.close()
  const manual = await setUp({ forkTime: 'now', mode: 'manual' })
  expect(await manual.head()).toBe((NOW_MS + BLOCK_MS) / 1000)
  await manual.node.close()

  const later = now.forkedAt + 1_000_000
  const moment = await setUp({ forkTime: later })
  moment.node.start()
  expect(await moment.head()).toBe(later + BLOCK_MS / 1000)
  await moment.clock.advance(60_000)
  expect((await moment.head()) - later).toBeLessThanOrEqual(62)
  await moment.node.close()
  await expect(setUp({ forkTime: now.forkedAt })).rejects.toThrow(
    `its time cannot begin at ${now.forkedAt}: the fork's block is of ${now.forkedAt} (--timestamp)`,
  )
})

test('a reset takes a fork back to the time of its block, however long it ran', async () => {
  const { clock, node, request, head, forkedAt } = await setUp()
  node.start()
  await clock.advance(3_600_000)
  await request('devnet_reset')
  expect(await head()).toBe(forkedAt + BLOCK_MS / 1000)
  await clock.advance(5 * BLOCK_MS)
  expect((await head()) - forkedAt).toBeLessThanOrEqual((8 * BLOCK_MS) / 1000)
  await node.close()
})

test('a stored fork stays as far from the clock as it was, also while nobody ran it', async () => {
  const journal = new MemoryJournal()
  const { clock, node, request, forkedAt } = await setUp({}, journal)
  node.start()
  await clock.advance(60_000)
  // A paused chain does not show how far it is from the clock.
  await request('devnet_pause')
  await node.close()

  const later = new FakeClock(NOW_MS + 3_600_000)
  const again = await createTestNode({}, { journal: journal.reopen(), clock: later })
  const newest = async () => Number((await again.request('eth_getBlockByNumber', ['latest', false]))?.timestamp)
  expect((await newest()) - forkedAt).toBeLessThanOrEqual(64)
  await again.request('devnet_resume')
  await later.advance(3 * BLOCK_MS)
  const passed = (await newest()) - forkedAt
  expect(passed).toBeGreaterThanOrEqual(3_600)
  expect(passed).toBeLessThanOrEqual(3_600 + 20)
  expect(await again.request('eth_getBlockByNumber', [toQuantity(4), false])).not.toBeNull()
})
