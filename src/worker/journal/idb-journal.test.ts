import { forceCloseDatabase, IDBDatabase, IDBFactory, IDBObjectStore, IDBVersionChangeEvent } from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { failureOf, put, testJournal } from '#testing/node/storage/journal-contract.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { FakePrivateFiles } from '#testing/worker/journal/fake-private-files.ts'
import { deleteIdbJournal, listIdbJournals, openIdbJournal } from './idb-journal.ts'

installFakeIndexedDb()
new FakePrivateFiles().install()
const clock = new FakeClock()
afterEach(() => {
  vi.restoreAllMocks()
})

const noEstimate = async () => ({})
const open = (chain = 'main') => openIdbJournal(chain, clock, noEstimate)

let hosts = 0
testJournal('a journal in IndexedDB', {
  secondOwner: 'takes-over',
  async start() {
    const chain = `contract ${hosts++}`
    return { open: () => open(chain), end: () => deleteIdbJournal(chain, clock) }
  },
})

/** Records the connections that start transactions from now on. */
function watchTransactions() {
  return vi.spyOn(IDBDatabase.prototype, 'transaction')
}

describe('a write', () => {
  test('asks the browser for the right durability, and for one transaction', async () => {
    const journal = await open()
    const transactions = watchTransactions()
    await journal.write([put('blocks', 'a', 1), put('meta', 'a', 1), put('blocks', 'b', 1)], 'relaxed')
    await journal.write([put('meta', 'a', 2)], 'strict')
    expect(transactions.mock.calls).toEqual([
      [['owner', 'blocks', 'meta'], 'readwrite', { durability: 'relaxed' }],
      [['owner', 'meta'], 'readwrite', { durability: 'strict' }],
    ])
  })

  test('stores only the bytes of a view, not the larger buffer behind it', async () => {
    const journal = await open()
    await journal.write([put('meta', 'a', new Uint8Array(1_000).subarray(10, 12))], 'relaxed')
    expect((await journal.read('meta', 'a'))?.buffer.byteLength).toBe(2)
  })

  test('without enough room is rolled back as a whole, and later ones succeed', async () => {
    const journal = await open()
    const real = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      const request = real.call(this, value, key)
      // As in browsers: the transaction fails, and all of its requests with it.
      const dying = this.transaction as unknown as Record<'_abort', (name: string) => void>
      if (key === 'too much') request.addEventListener('success', () => dying['_abort']('QuotaExceededError'))
      return request
    })
    const refused = journal.write([put('blocks', 'a', 1), put('meta', 'too much', 1), put('meta', 'a', 1)], 'relaxed')
    expect(await failureOf(refused)).toBe('quota')
    await journal.write([put('meta', 'b', 1)], 'relaxed')
    expect(await journal.readAll('blocks')).toEqual([])
    expect((await journal.readAll('meta')).map(([key]) => key)).toEqual(['b'])
  })

  test('with an invalid change is rolled back as a whole', async () => {
    const journal = await open()
    const gone = new Uint8Array(8)
    structuredClone(gone, { transfer: [gone.buffer] })
    await expect(journal.write([put('meta', 'a', 1), put('meta', 'b', gone)], 'relaxed')).rejects.toThrow(TypeError)
    expect(await journal.readAll('meta')).toEqual([])
  })
})

test('of a tab that stood still while another took the chain over, the other has what was acknowledged, and nothing else', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const chain = `fence ${turns}`
    const first = await open(chain)
    const writes = Array.from({ length: 5 }, (_, n) =>
      first.write([put('blocks', `a${n}`, 1), put('meta', 'head', n)], n % 2 === 0 ? 'strict' : 'relaxed').then(
        () => [`a${n}`],
        () => [],
      ),
    )
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => void setImmediate(resolve))
    const second = await open(chain)
    const found = (await second.readAll('blocks')).map(([key]) => key)
    expect(await failureOf(first.write([put('blocks', 'late', 1)], 'relaxed'))).toBe('taken-over')
    await second.write([put('blocks', 'b', 1)], 'strict')
    expect(await failureOf(first.write([{ kind: 'clear', part: 'blocks' }], 'strict'))).toBe('taken-over')
    expect((await Promise.all(writes)).flat()).toEqual(found)
    expect((await second.readAll('blocks')).map(([key]) => key)).toEqual([...found, 'b'])
    await Promise.all([first.close(), second.close()])
  }
})

describe('the database', () => {
  test('is closed when another tab deletes it; writes in progress finish, later ones are refused', async () => {
    const journal = await open()
    const begun = journal.write([put('meta', 'a', 1)], 'strict')
    await deleteIdbJournal('main', clock)
    await begun
    expect(await failureOf(journal.write([put('meta', 'a', 2)], 'relaxed'))).toBe('taken-over')
    expect(await failureOf(journal.read('meta', 'a'))).toBe('taken-over')
    expect(await (await open()).readAll('meta')).toEqual([])
    await journal.close()
  })

  test('may be closed by the browser; then nothing can be read or written', async () => {
    const journal = await open()
    const transactions = watchTransactions()
    await journal.read('meta', 'a')
    const [connection] = transactions.mock.contexts
    forceCloseDatabase(connection as never)
    expect(await failureOf(journal.write([put('meta', 'a', 1)], 'relaxed'))).toBe('unavailable')
    expect(await failureOf(journal.readAll('meta'))).toBe('unavailable')
    await journal.close()
  })

  test('of a newer version is not touched', async () => {
    const newer = await openDB('blinknet/main', 99)
    newer.close()
    expect(await failureOf(open())).toBe('newer')
  })

  test('without its object stores is corrupt', async () => {
    const broken = await openDB('blinknet/main', 1)
    broken.close()
    const closing = vi.spyOn(IDBDatabase.prototype, 'close')
    expect(await failureOf(open())).toBe('corrupt')
    expect(closing).toHaveBeenCalledTimes(1)
  })

  test('held by an older version is unavailable, and is not kept open once that releases it', async () => {
    const stubborn = await openDB('blinknet/main', 1)
    const real = IDBFactory.prototype.open
    const opening = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, name) {
      return real.call(this, name, 2)
    })
    expect(await failureOf(open())).toBe('unavailable')
    opening.mockRestore()
    const closing = vi.spyOn(IDBDatabase.prototype, 'close')
    stubborn.close()
    await expect.poll(() => closing.mock.contexts.length).toBe(2)
    expect(closing.mock.contexts[1]).toHaveProperty('version', 2)
  })

  test.each([
    ['SecurityError', 'unavailable'],
    ['InvalidStateError', 'unavailable'],
    ['QuotaExceededError', 'quota'],
  ] as const)('refused by the browser with a %s is %s', async (name, code) => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('refused', name)
    })
    expect(await failureOf(open())).toBe(code)
  })

  test('held by a frozen tab is busy after ten seconds, and can be opened once it is free', async () => {
    await (await open()).close()
    const frozen = await openDB('blinknet/main', 1)
    const holding = frozen.transaction('owner', 'readwrite')
    const worker = { isFrozen: true }
    // Keeps a transaction open, as a frozen worker does: it never reaches its next line.
    const hold = async () => {
      while (worker.isFrozen) await holding.store.get('epoch')
    }
    const held = hold()
    const refused = failureOf(open())
    await clock.advance(10_000)
    expect(await refused).toBe('busy')
    worker.isFrozen = false
    await held
    frozen.close()
    await (await open()).close()
  })

  test('is unavailable in a browser without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    expect(await failureOf(open())).toBe('unavailable')
    expect(await failureOf(listIdbJournals())).toBe('unavailable')
    expect(await failureOf(deleteIdbJournal('main', clock))).toBe('unavailable')
  })
})

describe('in Chromium, whose events say whether damaged databases were deleted,', () => {
  afterEach(() => {
    Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLoss')
    Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLossMessage')
  })
  const says = (dataLoss: string, dataLossMessage: string) =>
    Object.assign(IDBVersionChangeEvent.prototype, { dataLoss, dataLossMessage })

  test('a database is made and deleted before anything is written, which begins a new log file', async () => {
    says('none', '')
    await (await open()).close()
    const opened = vi.spyOn(IDBFactory.prototype, 'open')
    const deleted = vi.spyOn(IDBFactory.prototype, 'deleteDatabase')
    const transactions = watchTransactions()
    const journals = [open(), open('beside it')]
    for (const journal of journals) expect((await journal).deleted).toBeUndefined()
    expect(opened.mock.calls.filter(([name]) => name === 'blinknet-scratch')).toHaveLength(2)
    const firstWrite = transactions.mock.calls.findIndex(([, mode]) => mode === 'readwrite')
    const [firstDeletion = Number.POSITIVE_INFINITY] = deleted.mock.invocationCallOrder
    expect(transactions.mock.invocationCallOrder[firstWrite]).toBeGreaterThan(firstDeletion)
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['blinknet/main', 'blinknet/beside it'])
  })

  test('a chain opens also while a frozen tab keeps that database open', async () => {
    says('none', '')
    const frozen = await openDB('blinknet-scratch', 1)
    const deleted = vi.spyOn(IDBFactory.prototype, 'deleteDatabase')
    const opening = open()
    await expect.poll(() => deleted.mock.calls).toEqual([['blinknet-scratch']])
    await clock.advance(5_000)
    await (await opening).close()
    frozen.close()
  })

  test('a journal says with the browser’s words that the one before was deleted', async () => {
    says('total', 'checksum mismatch')
    expect((await open()).deleted).toBe('checksum mismatch')
    expect((await open()).deleted).toBeUndefined()
  })
})

test('chains are listed by name, without other databases', async () => {
  for (const chain of ['main', 'b/ä', 'a']) {
    const journal = await open(chain)
    await journal.write([put('meta', 'name', new TextEncoder().encode(chain))], 'relaxed')
  }
  await openDB('somebody else’s', 1)
  expect(await listIdbJournals()).toEqual(['a', 'b/ä', 'main'])
  await deleteIdbJournal('a', clock)
  expect(await listIdbJournals()).toEqual(['b/ä', 'main'])
  const name = await (await open('b/ä')).read('meta', 'name')
  expect(new TextDecoder().decode(name)).toBe('b/ä')
})

test.each([
  [{}, { usedBytes: undefined, quotaBytes: undefined }],
  // WebKit: 0 bytes for an open chain means that the browser does not say.
  [
    { usage: 0, quota: 100 },
    { usedBytes: undefined, quotaBytes: 100 },
  ],
  [
    { usage: 30, quota: 100 },
    { usedBytes: 30, quotaBytes: 100 },
  ],
  [
    { usage: 30, quota: 100, usageDetails: { indexedDB: 20 } },
    { usedBytes: 20, quotaBytes: 100 },
  ],
])('of the browser’s estimate %j it reports its own share, if that is known', async (share, usage) => {
  const journal = await openIdbJournal('main', clock, async () => share)
  expect(await journal.usage()).toEqual(usage)
})
