import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { editFile, setField } from '#testing/node/persistence/chain-files.ts'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { decodeChainFile } from '../persistence/decode-chain-file.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const FAST: NodeOptions = { partialMs: 50, partialsPerBlock: 5 }
const SHARED: NodeOptions = { ...FAST, allowSameTimestamp: true }

const secondOf = async ({ request }: TestNode, tag: Hex | 'latest' | 'pending' = 'latest') =>
  Number((await request('eth_getBlockByNumber', [tag, false]))?.timestamp)
const ahead = async (node: TestNode) => (await secondOf(node)) - Math.floor(node.clock.wallNow() / 1000)

test('blocks that come more often than once a second run ahead of the clock, unless they may share a second', async () => {
  const strict = await createTestNode(FAST)
  await strict.clock.advance(6_000)
  expect(await ahead(strict)).toBe(18)
  const shared = await createTestNode(SHARED)
  await shared.clock.advance(6_000)
  expect(Number(await shared.request('eth_blockNumber'))).toBe(24)
  expect(await ahead(shared)).toBe(0)
  const seconds = await Promise.all(Array.from({ length: 25 }, (_, i) => secondOf(shared, `0x${i.toString(16)}`)))
  expect(seconds).toEqual(seconds.toSorted((one, other) => one - other))
  expect((await shared.request('devnet_status')).options).toMatchObject({ allowSameTimestamp: true })
})

test('with automine as well', async () => {
  const node = await createTestNode({ allowSameTimestamp: true })
  await node.request('evm_setAutomine', [true])
  for (let nonce = 0; nonce < 10; nonce++) {
    await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  }
  expect(await ahead(node)).toBe(0)
  await node.clock.advance(3_000)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 10)])
  expect(await ahead(node)).toBe(0)
})

test('edits, however many, do not make the time of such a chain run ahead', async () => {
  const node = await createTestNode({ allowSameTimestamp: true })
  for (let i = 0; i < 100; i++) {
    await node.request('anvil_setBalance', [`0x${'31'.repeat(20)}`, '0x1'])
    await node.clock.advance(20)
  }
  expect(await ahead(node)).toBe(0)
})

test("a timestamp may be the parent's where blocks share a second, and no earlier", async () => {
  const node = await createTestNode({ mode: 'manual', allowSameTimestamp: true })
  const latest = await secondOf(node)
  await node.request('evm_setNextBlockTimestamp', [latest])
  await node.request('evm_mine')
  expect(await secondOf(node)).toBe(latest)
  await expect(node.request('evm_setNextBlockTimestamp', [latest - 1])).rejects.toMatchObject({
    error: { message: `Timestamp error: ${latest - 1} is lower than previous block's timestamp ${latest}` },
  })
  const same = { blockOverrides: { time: `0x${latest.toString(16)}` } } as const
  const simulated = await node.request('eth_simulateV1', [{ blockStateCalls: [same, same] }])
  expect(simulated.map(({ timestamp }) => Number(timestamp))).toEqual([latest, latest])
})

test("an interval of 0 gives blocks their parent's timestamp, and lets them share a second from then on", async () => {
  for (const method of ['anvil_setBlockTimestampInterval', 'hardhat_setBlockTimestampInterval'] as const) {
    const node = await createTestNode(FAST)
    const first = await secondOf(node)
    await node.request(method, [0])
    await node.clock.advance(3_000)
    expect(await secondOf(node)).toBe(first)
    await node.request('anvil_removeBlockTimestampInterval')
    await node.clock.advance(3_000)
    expect(await ahead(node)).toBe(0)
    await node.request('devnet_reset')
    await node.clock.advance(6_000)
    expect(await ahead(node)).toBeGreaterThan(15)
  }
})

test.each([
  ['the option', SHARED, false],
  ['an interval of 0', FAST, true],
])('a chain with %s is stored, opened again, exported and imported as it is', async (_how, options, byInterval) => {
  const journal = new MemoryJournal()
  const clock = new FakeClock()
  const node = await createTestNode(options, { journal, clock })
  if (byInterval) {
    await node.request('anvil_setBlockTimestampInterval', [0])
    await clock.advance(1_000)
    await node.request('anvil_removeBlockTimestampInterval')
  }
  await clock.advance(2_000)
  const id = await node.request('evm_snapshot')
  await clock.advance(2_000)
  const latest = await node.request('eth_getBlockByNumber', ['latest', false])
  await node.node.close()

  const again = await createTestNode({}, { journal: journal.reopen(), clock })
  expect(await again.request('eth_getBlockByNumber', [latest?.number as Hex, false])).toEqual(latest)
  await clock.advance(2_000)
  expect(await ahead(again)).toBe(0)
  expect(await again.request('evm_revert', [id])).toBe(true)
  await clock.advance(2_000)
  expect(await ahead(again)).toBe(0)
  const file = await again.request('devnet_exportChain')
  await again.node.close()

  const place = new MemoryJournal()
  const other = await createTestNode({}, { journal: place, clock, onReplaced: () => undefined })
  await other.request('devnet_importChain', [file])
  await other.node.close()
  const imported = await createTestNode({}, { journal: place.reopen(), clock })
  expect(await imported.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ number: '0x1' })
  await clock.advance(2_000)
  expect(await ahead(imported)).toBe(0)
})

test('a file of a chain whose blocks may not share a second is refused if they do', async () => {
  const journal = new MemoryJournal()
  const clock = new FakeClock()
  const node = await createTestNode(FAST, { journal, clock })
  await node.request('anvil_setBlockTimestampInterval', [0])
  await clock.advance(1_000)
  const file = new Uint8Array(Buffer.from(await node.request('devnet_exportChain'), 'base64'))
  const guard = { checkpoint: () => undefined }
  await expect(decodeChainFile(file, guard, () => {})).resolves.toBeDefined()
  const strict = editFile(file, setField('present', 'production.sharesSeconds', undefined))
  await expect(decodeChainFile(strict, guard, () => {})).rejects.toThrow(/timestamp must be above its parent's/)
})
