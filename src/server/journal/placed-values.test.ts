import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { BlockUnreadableError, type StoredBytes } from '#node/storage/journal.ts'
import { put } from '#testing/node/storage/journal-contract.ts'
import { directoryOfEachTest } from '#testing/server/file-journal.ts'
import { encodeChanges } from './journal-frame.ts'
import { JournalLog } from './journal-log.ts'

const { directory, openJournal } = directoryOfEachTest()
const KEYS = ['a', 'b', 'c']
const valueOf = (key: string) => new Uint8Array(500).fill(key.charCodeAt(0))

test('values that stay in the file are those that were there, whatever is deleted, replaced and rewritten', async () => {
  // Nearly every write rewrites the file.
  const journal = await openJournal(directory(), { tolerateGarbageBytes: 20 })
  await journal.write(
    KEYS.map((key) => put('diffs', key, valueOf(key))),
    'strict',
  )
  const placed = new Map(await journal.shelf?.placed?.('diffs'))
  expect([...placed.keys()].toSorted()).toEqual(KEYS)
  const before = (await journal.usage()).usedBytes ?? 0
  await journal.write([{ kind: 'delete', part: 'diffs', key: 'a' }, put('diffs', 'b', Uint8Array.of(1))], 'strict')
  await expect.poll(async () => (await journal.usage()).usedBytes).toBeLessThan(before)
  for (const [key, place] of placed) {
    expect(place.length).toBe(500)
    expect(place.read()).toEqual(valueOf(key))
    expect(place.read(1, 3)).toEqual(valueOf(key).slice(1, 3))
  }
  expect(new Map(await journal.shelf?.placed?.('diffs')).get('b')?.read()).toEqual(Uint8Array.of(1))
  await journal.close()
  expect(() => placed.get('a')?.read()).toThrow(new BlockUnreadableError('The chain was closed.'))
})

// In functions of their own, so that nothing is left of them when they have returned.
const secondOf = (log: JournalLog) => log.placed('diffs')[1]?.[1]
const expectSecond = (held: readonly (StoredBytes | undefined)[]) => expect(held[0]?.read()).toEqual(valueOf('b'))

test('a file that was replaced is closed once nobody can read its values any more', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const log = await JournalLog.create(path.join(directory(), 'replaced'))
  await log.append([encodeChanges(KEYS.map((key) => put('diffs', key, valueOf(key))))])
  const held = [secondOf(log)]
  await log.retire((error) => expect.fail(String(error)))
  collect()
  expect(log.isClosed).toBe(false)
  expectSecond(held)
  held.length = 0
  await expect.poll(() => (collect(), log.isClosed)).toBe(true)
})
