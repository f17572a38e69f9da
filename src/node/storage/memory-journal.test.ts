import { expect, test } from 'vitest'
import { failureOf, put, testJournal } from '#testing/node/storage/journal-contract.ts'
import { JournalError } from './journal.ts'
import { MemoryJournal } from './memory-journal.ts'

testJournal('a journal in memory', {
  secondOwner: 'takes-over',
  async start() {
    let journal: MemoryJournal | undefined
    return {
      async open() {
        journal = journal?.reopen() ?? new MemoryJournal()
        return journal
      },
      async end() {},
    }
  },
})

const FULL = new JournalError('quota', 'full')

test('planned writes fail, the others do not', async () => {
  const journal = new MemoryJournal()
  journal.failNext(FULL, FULL)
  const writes = [1, 2, 3].map((value) => journal.write([put('meta', String(value), value)]))
  expect(await failureOf(writes[0] as Promise<void>)).toBe('quota')
  expect(await failureOf(writes[1] as Promise<void>)).toBe('quota')
  await writes[2]
  expect(await journal.readAll('meta')).toEqual([['3', Uint8Array.of(3)]])
})

test('writes are not made while they are held back, and end in order once released', async () => {
  const journal = new MemoryJournal()
  await journal.write([put('meta', 'a', 1)])
  const letGo = journal.hold()
  const ended: number[] = []
  const writes = [2, 3].map(async (value) => {
    await journal.write([put('meta', 'a', value)])
    ended.push(value)
  })
  expect(await journal.afterCrash().read('meta', 'a')).toEqual(Uint8Array.of(1))
  expect({ ended, inFlight: journal.inFlight }).toEqual({ ended: [], inFlight: 2 })
  letGo()
  await Promise.all(writes)
  expect({ ended, inFlight: journal.inFlight }).toEqual({ ended: [2, 3], inFlight: 0 })
  expect(await journal.read('meta', 'a')).toEqual(Uint8Array.of(3))
})

test('a write that is held back twice waits for both releases', async () => {
  const journal = new MemoryJournal()
  const first = journal.hold()
  const second = journal.hold()
  const written = journal.write([put('meta', 'a', 1)])
  second()
  expect(await journal.afterCrash().read('meta', 'a')).toBeUndefined()
  expect(journal.inFlight).toBe(1)
  first()
  await written
})

test('a write that is held back while another owner opens the journal is refused', async () => {
  const journal = new MemoryJournal()
  const letGo = journal.hold()
  const written = journal.write([put('meta', 'a', 1)])
  const next = journal.reopen()
  letGo()
  expect(await failureOf(written)).toBe('taken-over')
  expect(await next.readAll('meta')).toEqual([])
})

test('writes after a crash do not reach the copy, and writes to the copy do not reach the original', async () => {
  const journal = new MemoryJournal()
  await journal.write([put('meta', 'a', 1)])
  const copy = journal.afterCrash()
  await journal.write([put('meta', 'a', 2)])
  await copy.write([put('meta', 'b', 3)])
  expect(await copy.readAll('meta')).toEqual([
    ['a', Uint8Array.of(1)],
    ['b', Uint8Array.of(3)],
  ])
  expect(await journal.readAll('meta')).toEqual([['a', Uint8Array.of(2)]])
})
