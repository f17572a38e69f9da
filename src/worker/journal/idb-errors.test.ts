import { describe, expect, test } from 'vitest'
import { JournalError } from '#node/storage/journal.ts'
import { settle, toJournalError } from './idb-errors.ts'

describe('an error of IndexedDB', () => {
  test.each([
    ['QuotaExceededError', '', 'quota'],
    ['VersionError', 'The requested version (1) is less than the existing version (2).', 'newer'],
    ['DataError', '', 'corrupt'],
    ['NotReadableError', 'Data lost due to missing file.', 'corrupt'],
    ['UnknownError', 'Internal error: the backing store is corrupted', 'corrupt'],
    ['UnknownError', 'Internal error opening backing store for indexedDB.open.', 'unavailable'],
    ['AbortError', '', 'unavailable'],
    ['InvalidStateError', 'The database connection is closing.', 'unavailable'],
  ])('%s "%s" is told as %s', (name, message, code) => {
    const cause = new DOMException(message, name)
    const error = toJournalError(cause)
    expect(error).toBeInstanceOf(JournalError)
    expect(error).toMatchObject({ code, cause })
    expect((error as JournalError).message).toContain(name)
  })

  test('of another kind is passed on unchanged', () => {
    for (const error of [new TypeError('a bug'), new JournalError('taken-over', '')]) {
      expect(toJournalError(error)).toBe(error)
    }
  })
})

describe('of the requests of a transaction', () => {
  const aborted = new DOMException('', 'AbortError')
  const full = new DOMException('', 'QuotaExceededError')

  test('the one that caused the others to fail is reported', async () => {
    await expect(settle([Promise.reject(aborted), Promise.resolve(), Promise.reject(full)])).rejects.toBe(full)
    await expect(settle([Promise.resolve(), Promise.reject(aborted)])).rejects.toBe(aborted)
  })

  test('nothing is reported if all succeeded', async () => {
    await expect(settle([Promise.resolve(1), Promise.resolve(2)])).resolves.toBeUndefined()
  })
})
