import { openDB } from 'idb'
import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { deleteIdbJournal, listIdbJournals, openIdbJournal } from './idb-journal.ts'
import { rescueStored } from './rescue-stored.ts'
import { salvageChain } from './salvage-chain.ts'

installFakeIndexedDb()
const clock = new FakeClock()

const open = (chain = 'main') => openIdbJournal(chain, clock, async () => ({}))

/** Stores a chain with that many blocks; returns the hash of its head. */
async function store(blocks: number): Promise<string | undefined> {
  const journal = await open()
  const { node, request } = await createTestNode({ mode: 'manual' }, { journal })
  await request('anvil_mine', [`0x${blocks.toString(16)}`])
  const head = await request('eth_getBlockByNumber', ['latest', false])
  await node.close()
  await journal.close()
  return head?.hash ?? undefined
}

async function importFile(file: Uint8Array) {
  const journal = await open('other')
  const other = await createTestNode({ mode: 'manual', seed: 9 }, { journal, onReplaced: () => {} })
  await other.request('devnet_importChain', [Buffer.from(file).toString('base64')])
  await other.node.close()
  await journal.close()
  return createTestNode({}, { journal: await open('other') })
}

test('a whole chain that was salvaged can be imported, and is the same', async () => {
  const hash = await store(5)
  const { request } = await importFile(await salvageChain('main', clock))
  expect(await request('eth_getBlockByNumber', ['latest', false])).toMatchObject({ hash, number: '0x5' })
})

test('a chain that cannot be opened can still be salvaged, and stays as it is', async () => {
  await store(3)
  const database = await openDB('blinknet/main', 9)
  await database.clear('diffs')
  const [key] = await database.getAllKeys('blocks')
  await database.delete('blocks', key as string)
  await database.put('meta', 'of another kind', 'text')
  database.close()
  await expect(open()).rejects.toMatchObject({ code: 'newer' })

  const file = await salvageChain('main', clock)
  expect(new TextDecoder().decode(file.subarray(0, 8))).toBe('BLINKNET')
  await expect(importFile(file)).rejects.toThrow(/is inconsistent/)
  await expect(open()).rejects.toMatchObject({ code: 'newer' })
})

test('of a damaged chain, what is proven is a file that can be imported, and the rest is named', async () => {
  await store(6)
  const journal = await open()
  const lost = (await journal.readAll('blocks'))[3]?.[0] as string
  await journal.write([{ kind: 'delete', part: 'blocks', key: lost }], 'strict')
  const before = await salvageChain('main', clock)
  const { file, head, missing } = await rescueStored('main', clock)
  expect(head).toBe(3)
  expect(missing).toMatchObject([
    { number: 4, hash: `0x${lost.slice(9)}`, isWhole: false },
    { number: 5, isWhole: true },
    { number: 6, isWhole: true },
  ])
  expect(await salvageChain('main', clock)).toEqual(before)
  await journal.close()
  const { request } = await importFile(file)
  expect(await request('eth_blockNumber')).toBe('0x3')
})

test('a database that has lost the record of its chain is damaged, and no new chain begins over it', async () => {
  await store(2)
  const database = await openDB('blinknet/main')
  await database.delete('meta', 'chain')
  database.close()
  const journal = await open()
  await expect(createTestNode({ mode: 'manual' }, { journal })).rejects.toMatchObject({ code: 'corrupt' })
  expect(await journal.readAll('blocks')).toHaveLength(2)
  await journal.close()
})

test('a tab that has the chain open keeps it while it is copied', async () => {
  await store(1)
  const journal = await open()
  await salvageChain('main', clock)
  await journal.write([{ kind: 'put', part: 'meta', key: 'a', value: new Uint8Array(1) }], 'relaxed')
  expect(await journal.read('meta', 'a')).toEqual(new Uint8Array(1))
})

test('if nothing is stored, nothing is salvaged and no database is created', async () => {
  await expect(salvageChain('main', clock)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await listIdbJournals()).toEqual([])
})

test('an erased chain is gone', async () => {
  await store(1)
  await deleteIdbJournal('main', clock)
  await expect(salvageChain('main', clock)).rejects.toMatchObject({ code: 'unavailable' })
})
