import { expect, test } from 'vitest'
import { JournalError } from '#node/storage/journal.ts'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import { failureOf, put } from '#testing/node/storage/journal-contract.ts'
import { HandedJournal } from './handed-journal.ts'

async function handed() {
  const journal = new MemoryJournal()
  await journal.write([put('blocks', '1', 1), put('meta', 'head', 1)])
  const whole = new HandedJournal(journal)
  return { journal, whole, next: whole.next() }
}
const blocks = async (journal: MemoryJournal) => (await journal.afterCrash().readAll('blocks')).map(([key]) => key)

test('the next chain begins with nothing, and is written in one write in place of the one before', async () => {
  const { journal, whole, next } = await handed()
  expect(await next.journal.readAll('blocks')).toEqual([])
  expect(await next.journal.read('meta', 'head')).toBeUndefined()
  await next.journal.write([put('blocks', '7', 7)], 'strict')
  await whole.first.write([put('blocks', '2', 2)], 'strict')
  expect(await blocks(journal)).toEqual(['1', '2'])

  const letGo = journal.hold()
  const taking = next.take()
  const later = [
    whole.first.write([put('blocks', '3', 3)], 'strict'),
    next.journal.write([put('blocks', '8', 8)], 'strict'),
  ]
  expect(await blocks(journal)).toEqual(['1', '2'])
  letGo()
  await Promise.all([taking, ...later])
  expect(await blocks(journal)).toEqual(['7', '8'])
  // The one before reads nothing of it, adds nothing to it and does not close it.
  expect(await failureOf(whole.first.read('blocks', '7'))).toBe('taken-over')
  await whole.first.write([put('blocks', '4', 4)], 'strict')
  await whole.first.close()
  await next.journal.write([put('blocks', '9', 9)], 'strict')
  expect(await blocks(journal)).toEqual(['7', '8', '9'])
  await next.journal.close()
  await expect(journal.read('blocks', '7')).rejects.toThrow('closed')
})

test('a chain for which there is no room leaves the one before as it is', async () => {
  const { journal, whole, next } = await handed()
  await next.journal.write([put('blocks', '7', 7)], 'strict')
  journal.failNext(new JournalError('quota', 'full'))
  const taking = failureOf(next.take())
  const later = [
    whole.first.write([put('blocks', '2', 2)], 'strict'),
    next.journal.write([put('blocks', '8', 8)], 'strict'),
  ]
  expect(await taking).toBe('quota')
  await Promise.all(later)
  await next.journal.close()
  expect(await blocks(journal)).toEqual(['1', '2'])
  expect(await whole.first.read('blocks', '2')).toEqual(Uint8Array.of(2))
})
