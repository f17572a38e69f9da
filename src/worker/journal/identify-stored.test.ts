import { deleteDB, openDB } from 'idb'
import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { openIdbJournal } from './idb-journal.ts'
import { identifyStored } from './identify-stored.ts'

installFakeIndexedDb()
const clock = new FakeClock()

async function store(chain: string, chainId?: number) {
  const journal = await openIdbJournal(chain, clock, async () => ({}))
  const { node, request } = await createTestNode(
    { mode: 'manual', ...(chainId !== undefined && { chainId }) },
    { journal },
  )
  return {
    request,
    async end() {
      await node.close()
      await journal.close()
    },
  }
}

test('the ids of stored chains are told, that of a running one too, which goes on', async () => {
  const running = await store('running', 8453)
  await (await store('plain')).end()
  expect(await identifyStored(['plain', 'running'], clock)).toEqual([31337, 8453])
  await running.request('anvil_mine', ['0x1'])
  await running.end()
})

test('a chain that is not stored has no id, and does not begin', async () => {
  expect(await identifyStored(['never'], clock)).toEqual([undefined])
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('blinknet/never')
})

test('a damaged chain and a database of another kind have no id, and do not hide the others', async () => {
  await (await store('damaged', 5)).end()
  const damaged = await openDB('blinknet/damaged')
  await damaged.put('meta', Uint8Array.of(1, 2, 3), 'chain')
  damaged.close()
  const strange = await openDB('blinknet/strange', 1, { upgrade: (database) => void database.createObjectStore('x') })
  strange.close()
  await (await store('whole', 7)).end()
  expect(await identifyStored(['damaged', 'strange', 'whole'], clock)).toEqual([undefined, undefined, 7])
  await deleteDB('blinknet/strange')
})
