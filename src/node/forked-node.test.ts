import { expect, test } from 'vitest'
import { remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { createForkedNode } from './forked-node.ts'
import { JournalError } from './storage/journal.ts'
import { MemoryJournal } from './storage/memory-journal.ts'

/** The endpoint of a chain whose development accounts have nothing. */
async function poorEndpoint() {
  const original = await createTestNode({ mode: 'manual', accounts: [] })
  await original.request('devnet_seal', [3])
  return remoteOf(original).remote
}

test('whatever write of a new fork a crash comes after, its development accounts are funded (20)', async () => {
  const journal = new MemoryJournal()
  const crashes: MemoryJournal[] = []
  const write = journal.write.bind(journal)
  journal.write = async (changes) => {
    await write(changes)
    crashes.push(journal.afterCrash())
  }
  const deps = { clock: new FakeClock(), log: () => {}, journal }
  const { node } = await createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  await node.close()
  expect(crashes.length).toBeGreaterThan(0)
  for (const crash of crashes) {
    const again = await createTestNode({}, { journal: crash })
    expect(await again.request('eth_blockNumber')).toBe('0x4')
    for (const index of [0, 9]) {
      const balance = await again.request('eth_getBalance', [devAccount(index).address, 'latest'])
      expect(BigInt(balance)).toBe(10_000n * 10n ** 18n)
    }
  }
})

test('a new fork that cannot be written is not opened, and leaves nothing behind (20)', async () => {
  const journal = new MemoryJournal()
  journal.failNext(new JournalError('quota', 'There is no room.'))
  const deps = { clock: new FakeClock(), log: () => {}, journal }
  const opening = createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  await expect(opening).rejects.toMatchObject({ code: 'quota' })
  expect(await journal.readAll('meta')).toEqual([])
})

test('a fork funds its development accounts in one edit, not in one for each (20)', async () => {
  const deps = { clock: new FakeClock(), log: () => {} }
  const { node } = await createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  const partials: string[] = []
  const connection = node.connect((body) => partials.push(body))
  await connection.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}')
  await connection.handle('{"jsonrpc":"2.0","id":2,"method":"devnet_reset","params":[]}')
  expect(partials.length).toBeGreaterThan(0)
  expect(partials.length).toBeLessThan(10)
  await node.close()
})
