import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const MANUAL = { mode: 'manual' } as const

/** A chain with transfers, a contract, edits, a live block and a pooled transaction. */
async function build(node: TestNode): Promise<void> {
  const { request } = node
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('eth_sendTransaction', [{ from: devAccount(1).address, input: '0x6001600c60003960016000f300' }])
  await request('anvil_mine', ['0x3'])
  await request('devnet_faucet', [devAccount(5).address, '0x7'])
  await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('devnet_tick', [3])
  await request('eth_sendRawTransaction', [await signTransfer(2, 4)])
}

async function describeChain({ request }: TestNode): Promise<unknown> {
  const { chainTimeMs: _now, ...status } = await request('devnet_status')
  return {
    status,
    blocks: await Promise.all(
      ['0x0', '0x1', '0x2', '0x3', 'latest', 'pending'].map((number) =>
        request('eth_getBlockByNumber', [number, true]),
      ),
    ),
    state: await request('devnet_exportState'),
    old: await request('eth_getBalance', [devAccount(0).address, '0x1']),
    pool: await request('txpool_content'),
  }
}

/** Imports into a node that has another chain. Returns the node that is then opened on its journal. */
async function importInto(file: string, clock: FakeClock): Promise<TestNode> {
  const journal = new MemoryJournal()
  let replaced = 0
  const other = await createTestNode({ ...MANUAL, seed: 9 }, { journal, onReplaced: () => replaced++ })
  await other.request('anvil_mine', ['0x5'])
  expect(await other.request('devnet_importChain', [file])).toBe(true)
  expect(replaced).toBe(1)
  await other.node.close()
  return createTestNode({}, { journal: journal.reopen(), clock })
}

test.each(['in memory', 'in a journal'])('a chain %s is the same where it is imported', async (where) => {
  const clock = new FakeClock()
  const deps = where === 'in memory' ? { clock } : { clock, journal: new MemoryJournal() }
  const node = await createTestNode(MANUAL, deps)
  await build(node)
  const imported = await importInto(await node.request('devnet_exportChain'), clock)
  expect(await describeChain(imported)).toEqual(await describeChain(node))
  // The original and the import continue the same way.
  for (const each of [node, imported]) await each.request('devnet_tick', [20])
  expect(await describeChain(imported)).toEqual(await describeChain(node))
})

test('a file with any damage is refused, and the chain is unchanged', async () => {
  const source = await createTestNode(MANUAL)
  await build(source)
  const file = Buffer.from(await source.request('devnet_exportChain'), 'base64')
  const node = await createTestNode({ ...MANUAL, seed: 9 }, { journal: new MemoryJournal(), onReplaced: () => {} })
  await node.request('anvil_mine', ['0x3'])
  const before = await describeChain(node)
  for (let at = 0; at < file.length; at += Math.ceil(file.length / 40)) {
    const damaged = Buffer.from(file)
    damaged[at] = (damaged[at] as number) ^ 1
    await expect(node.request('devnet_importChain', [damaged.toString('base64')])).rejects.toMatchObject({
      error: { code: -32602 },
    })
  }
  for (const length of [0, 3, 8, 40, file.length - 1]) {
    const cut = file.subarray(0, length).toString('base64')
    await expect(node.request('devnet_importChain', [cut])).rejects.toThrow(/damaged|not a Blinknet chain/)
  }
  await expect(node.request('devnet_importChain', ['%%%%'])).rejects.toThrow('not Base64')
  expect(await describeChain(node)).toEqual(before)
})

test('a node that keeps its chain in memory says that it cannot import another', async () => {
  const node = await createTestNode(MANUAL)
  const file = await node.request('devnet_exportChain')
  await expect(node.request('devnet_importChain', [file])).rejects.toThrow('keeps its chain in memory')
  expect(await node.request('devnet_getStorage')).toMatchObject({ kind: 'memory', usedBytes: null, canImport: false })
})

test('devnet_storage reports how much space the chain takes, and why a write failed', async () => {
  const journal = new MemoryJournal()
  const node = await createTestNode(MANUAL, { journal })
  await node.request('anvil_mine', ['0x2'])
  const storage = await node.request('devnet_getStorage')
  expect(storage).toMatchObject({ kind: 'journal', failure: null, blocks: 3, statesKept: 256 })
  expect(storage.usedBytes).toBeGreaterThan(1_000)
})
