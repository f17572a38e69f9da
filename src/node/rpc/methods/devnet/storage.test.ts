import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { JournalError } from '../../../storage/journal.ts'
import { MemoryJournal } from '../../../storage/memory-journal.ts'

const MANUAL = { mode: 'manual' } as const
const RICH = '0x00000000000000000000000000000000000000aa'

test('a new chain replaces the old one, with its own options, and its time runs', async () => {
  const clock = new FakeClock()
  const journal = new MemoryJournal()
  let replaced = 0
  const before = await createTestNode(MANUAL, { journal, clock, onReplaced: () => replaced++ })
  await before.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await before.request('anvil_mine', ['0x3'])
  const options = { chainId: 777, partialMs: 100, speed: 2, genesis: { [RICH]: { balance: '0x2a' } } }
  expect(await before.request('devnet_startChain', [options])).toBe(true)
  expect(replaced).toBe(1)
  await before.node.close()

  const { request } = await createTestNode({}, { journal: journal.reopen(), clock })
  expect(await request('eth_blockNumber')).toBe('0x0')
  expect(await request('eth_chainId')).toBe('0x309')
  expect(await request('eth_getBalance', [RICH, 'latest'])).toBe('0x2a')
  expect(await request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x0')
  expect(await request('devnet_status')).toMatchObject({ mode: 'auto', paused: false, partialMs: 100, speed: 2 })
  await clock.advance(5_000)
  expect(Number(await request('eth_blockNumber'))).toBeGreaterThan(3)
})

test.each([
  [{ genesis: { '0x12': { balance: '0x1' } } }, /an address/],
  [{ genesis: { [RICH]: { balance: 'plenty' } } }, /whole number/],
  [{ chainId: 0 }, /chainId must be/],
  [{ colour: 'red' }, /there is no option "colour"/],
  [{ mode: 'fast' }, /auto or manual/],
  [{ speed: 0 }, /speed must be/],
  [{ accounts: [null] }, /accounts\[0\] must be an object/],
  [[], /cannot unmarshal array/],
])('a chain is not started with %j, and the old one continues', async (options, why) => {
  let replaced = 0
  const journal = new MemoryJournal()
  const node = await createTestNode(MANUAL, { journal, onReplaced: () => replaced++ })
  await node.request('anvil_mine', ['0x3'])
  const refused: unknown = await node.requestLoosely('devnet_startChain', [options]).catch((error: unknown) => error)
  expect(refused).toMatchObject({ error: { code: -32602 } })
  expect(String(refused)).toMatch(why)
  expect(replaced).toBe(0)
  await node.request('anvil_mine', ['0x1'])
  const again = await createTestNode({}, { journal: journal.reopen() })
  expect(await again.request('eth_blockNumber')).toBe('0x4')
})

test('a chain in memory cannot be replaced', async () => {
  const { request } = await createTestNode(MANUAL)
  await expect(request('devnet_startChain')).rejects.toThrow('in memory')
})

test('a node that could not start with a new chain keeps the old one, and says so', async () => {
  const { request } = await createTestNode(MANUAL, { journal: new MemoryJournal() })
  expect(await request('devnet_getStorage')).toMatchObject({ kind: 'journal', canImport: false })
  await expect(request('devnet_startChain')).rejects.toThrow('start another node for that')
})

test('if there is no room for the new chain, the old one continues and stays stored', async () => {
  let replaced = 0
  const journal = new MemoryJournal()
  const node = await createTestNode(MANUAL, { journal, onReplaced: () => replaced++ })
  await node.request('anvil_mine', ['0x3'])
  journal.failNext(new JournalError('quota', 'no room'))
  const refused = { error: { code: -32000, data: { journal: 'quota' } } }
  await expect(node.request('devnet_startChain')).rejects.toMatchObject(refused)
  expect(replaced).toBe(0)
  await node.request('anvil_mine')
  await node.node.close()
  const again = await createTestNode({}, { journal: journal.reopen() })
  expect(await again.request('eth_blockNumber')).toBe('0x4')
})

test('forgotten snapshots leave the journal and cannot be restored', async () => {
  const journal = new MemoryJournal()
  const { request, node } = await createTestNode(MANUAL, { journal })
  const first = await request('evm_snapshot')
  await request('anvil_mine', ['0x2'])
  await request('evm_snapshot')
  const entries = async () => [...(await journal.readAll('snapshots')), ...(await journal.readAll('states'))].length
  const kept = await entries()
  expect(await request('devnet_forgetSnapshots')).toBe(2)
  expect(await request('evm_revert', [first])).toBe(false)
  expect(await request('devnet_forgetSnapshots')).toBe(0)
  await node.close()
  expect(await entries()).toBe(kept - 4)
  const again = await createTestNode({}, { journal: journal.reopen() })
  expect(await again.request('eth_blockNumber')).toBe('0x2')
  expect((await again.request('anvil_metadata')).snapshots).toEqual({})
  // Ids continue: none is reused.
  expect(await again.request('evm_snapshot')).toBe('0x3')
})
