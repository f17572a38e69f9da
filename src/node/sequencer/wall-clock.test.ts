import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const HOUR_MS = 3_600_000
const GENESIS_S = 1_700_000_000

const secondOf = async ({ request }: TestNode, tag: string = 'latest') =>
  Number((await request('eth_getBlockByNumber', [tag as 'latest', false]))?.timestamp)
const wallSecond = ({ clock }: TestNode) => Math.floor(clock.wallNow() / 1000)
/** By how many seconds the newest block is ahead of the clock of the day. */
const ahead = async (node: TestNode) => (await secondOf(node)) - wallSecond(node)

test('after the machine has slept, the next block has the time of the day, and ticks stay where they were', async () => {
  const node = await createTestNode()
  await node.clock.advance(700)
  node.clock.stepWall(8 * HOUR_MS)
  await node.clock.advance(1_300)
  expect(Number(await node.request('eth_blockNumber'))).toBe(1)
  expect(await ahead(node)).toBe(0)
  await node.clock.advance(20_000)
  expect(Number(await node.request('eth_blockNumber'))).toBe(11)
  expect(await ahead(node)).toBe(0)
  expect(node.logged).toEqual([])
})

test('a block with transactions keeps its timestamp when the clock is set forward; the next one follows', async () => {
  const node = await createTestNode()
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.clock.advance(200)
  node.clock.stepWall(HOUR_MS)
  await node.clock.advance(1_800)
  expect(await secondOf(node)).toBe(GENESIS_S + 2)
  await node.clock.advance(2_000)
  expect(await ahead(node)).toBe(0)
})

test('with automine, and for blocks that are mined on request, it is the same', async () => {
  const node = await createTestNode()
  await node.request('evm_setAutomine', [true])
  node.clock.stepWall(HOUR_MS)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await ahead(node)).toBe(0)
  node.clock.stepWall(HOUR_MS)
  await node.request('evm_mine')
  expect(await ahead(node)).toBe(0)
})

test('when the clock is set back, timestamps rise by a second a block until it is right again, and the log says so once', async () => {
  const node = await createTestNode()
  await node.clock.advance(4_000)
  node.clock.stepWall(-60_000)
  const before = await node.request('devnet_status')
  await node.clock.advance(20_000)
  const during = await node.request('devnet_status')
  // Ten blocks of two seconds.
  expect(Number(during.head.number) - Number(before.head.number)).toBe(10)
  // The pending block was opened before.
  expect(await secondOf(node)).toBe(GENESIS_S + 4 + 2 + 9)
  // The next tick notices.
  expect(during.chainTimeMs).toBe(before.chainTimeMs + 200)
  expect(during.live.sealsAtMs - during.chainTimeMs).toBe(2_000)
  expect(node.logged).toEqual([
    "the clock of this machine was set back by 60 s: the chain's time stands still until it is right again",
  ])
  await node.clock.advance(120_000)
  expect(await ahead(node)).toBe(0)
  expect(node.logged).toHaveLength(1)
})

test('a step back and forth again leaves nothing behind', async () => {
  const node = await createTestNode()
  await node.clock.advance(4_000)
  node.clock.stepWall(-2 * HOUR_MS)
  await node.clock.advance(4_000)
  node.clock.stepWall(2 * HOUR_MS)
  await node.clock.advance(4_000)
  expect(await ahead(node)).toBe(0)
})

test('a chain that somebody has moved keeps its distance from the clock of the day', async () => {
  const node = await createTestNode()
  await node.request('evm_increaseTime', [1_000])
  await node.clock.advance(4_000)
  expect(await ahead(node)).toBe(1_000)
  for (const step of [HOUR_MS, -60_000]) {
    node.clock.stepWall(step)
    await node.clock.advance(130_000)
    expect(await ahead(node)).toBe(1_000)
  }
})

test('a chain that begins in the future keeps its distance, too, after a restart as well', async () => {
  const journal = new MemoryJournal()
  const clock = new FakeClock()
  const node = await createTestNode({ genesisTimestamp: GENESIS_S + 50_000 }, { journal, clock })
  await clock.advance(4_000)
  expect(await ahead(node)).toBe(50_000)
  clock.stepWall(HOUR_MS)
  await clock.advance(4_000)
  expect(await ahead(node)).toBe(50_000)
  await node.node.close()
  // While no node ran, the machine slept.
  clock.stepWall(HOUR_MS)
  const next = await createTestNode({}, { journal: journal.reopen(), clock })
  await clock.advance(4_000)
  expect(await ahead(next)).toBe(50_000)
  await next.request('evm_increaseTime', [100])
  await clock.advance(4_000)
  expect(await ahead(next)).toBe(50_100)
})

test('time that goes on while a chain is paused is made up for by a later timestamp, not by a shorter block', async () => {
  const node = await createTestNode()
  await node.request('devnet_pause')
  await node.clock.advance(10_300)
  node.clock.stepWall(HOUR_MS)
  await node.clock.advance(1_200)
  await node.request('devnet_resume')
  await node.clock.advance(2_000)
  expect(Number(await node.request('eth_blockNumber'))).toBe(1)
  await node.clock.advance(1_999)
  expect(Number(await node.request('eth_blockNumber'))).toBe(1)
  await node.clock.advance(1)
  expect(Number(await node.request('eth_blockNumber'))).toBe(2)
  expect(await ahead(node)).toBe(0)
})

test('a clock that was set back while the chain was paused is not kept as a distance', async () => {
  const node = await createTestNode()
  await node.clock.advance(2_000)
  await node.request('devnet_pause')
  node.clock.stepWall(-60_000)
  await node.request('evm_increaseTime', [5])
  await node.request('devnet_resume')
  await node.clock.advance(300_000)
  expect(await ahead(node)).toBe(5)
})

test('a manual clock knows nothing of the day', async () => {
  const run = async (step: number) => {
    const { request, clock } = await createTestNode({ mode: 'manual' })
    await request('devnet_tick', [13])
    clock.stepWall(step)
    await request('evm_mine')
    await request('devnet_tick', [7])
    return [await request('eth_getBlockByNumber', ['pending', false]), (await request('devnet_status')).chainTimeMs]
  }
  expect(await run(HOUR_MS)).toEqual(await run(0))
  expect(await run(-HOUR_MS)).toEqual(await run(0))
})

test('a chain with a manual clock goes on from where it stood when the clock is started', async () => {
  const node = await createTestNode({ mode: 'manual' })
  await node.clock.advance(60_000)
  const before = await secondOf(node)
  await node.request('devnet_resume')
  await node.clock.advance(4_000)
  expect(await secondOf(node)).toBe(before + 4)
})

test('slow motion and a faster pace end as they did: a chain that is behind catches up, one that is ahead stays so', async () => {
  const slow = await createTestNode({ speed: 0.1 })
  await slow.clock.advance(100_000)
  await slow.request('devnet_setSpeed', [1])
  await slow.clock.advance(4_000)
  expect(await ahead(slow)).toBe(0)
  const fast = await createTestNode({ speed: 10 })
  await fast.clock.advance(100_000)
  await fast.request('devnet_setSpeed', [1])
  await fast.clock.advance(4_000)
  expect(await ahead(fast)).toBe(900)
  fast.clock.stepWall(HOUR_MS)
  await fast.clock.advance(4_000)
  expect(await ahead(fast)).toBe(900)
})

test('after any steps of the clock, chain time never goes back, blocks come on time, and in the end it is right', async () => {
  const step = fc.record({
    wallMs: fc.integer({ min: -20_000, max: 20_000 }),
    thenMs: fc.integer({ min: 0, max: 5_000 }),
    doing: fc.constantFrom('nothing', 'mine', 'edit', 'travel', 'pause'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const node = await createTestNode()
      const { clock, request } = node
      const startMs = clock.now()
      let travelled = 0
      let pausedMs = 0
      let [chainMs, second] = [0, 0]
      for (const { wallMs, thenMs, doing } of steps) {
        clock.stepWall(wallMs)
        if (doing === 'mine') await request('evm_mine')
        if (doing === 'edit') await request('anvil_setBalance', [`0x${'31'.repeat(20)}`, '0x1'])
        if (doing === 'travel') travelled = Number(await request('evm_increaseTime', [100]))
        if (doing === 'pause') {
          await request('devnet_pause')
          await clock.advance(thenMs)
          pausedMs += thenMs
          await request('devnet_resume')
        }
        await clock.advance(thenMs)
        const { chainTimeMs, live } = await request('devnet_status')
        expect(chainTimeMs).toBeGreaterThanOrEqual(chainMs)
        const passedMs = clock.now() - startMs - pausedMs
        expect(Math.round(live.sealsAtMs - chainTimeMs)).toBe(2_000 - (passedMs % 2_000))
        const newest = await secondOf(node)
        expect(newest).toBeGreaterThanOrEqual(second)
        chainMs = chainTimeMs
        second = newest
      }
      // Up to 160 s, by a second every two seconds.
      await clock.advance(400_000)
      const late = (await ahead(node)) - travelled
      // Each journey is counted from a timestamp, which is up to a block ahead of the time.
      const journeys = steps.filter(({ doing }) => doing === 'travel').length
      expect(Math.abs(late)).toBeLessThanOrEqual(2 + 2 * journeys)
    }),
    { numRuns: runsOf(12) },
  )
})
