import { IDBObjectStore } from 'fake-indexeddb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { openKeptTexts } from './kept-texts.ts'

installFakeIndexedDb()

let now = 0
const open = async (limits?: { group: number; all: number }) => {
  const texts = await openKeptTexts(() => ++now, limits)
  if (!texts) throw new Error('there is no storage')
  return texts
}

test('texts are found again by group and name, after the next opening too', async () => {
  const texts = await open()
  await texts.put('a', new Map([['x', '1']]))
  await texts.put('b', new Map([['x', '2']]))
  expect(await texts.get('a', ['y', 'x'])).toEqual([undefined, '1'])
  expect(await (await open()).get('b', ['x'])).toEqual(['2'])
})

test('a group takes no more than its share, and of all groups those that were used last stay', async () => {
  const texts = await open({ group: 700, all: 1_500 })
  const long = 'x'.repeat(300)
  await texts.put(
    'a',
    new Map([
      ['1', long],
      ['2', long],
    ]),
  )
  expect(await texts.get('a', ['1', '2'])).toEqual([long, undefined])
  await texts.put('b', new Map([['1', long]]))
  await texts.put('a', new Map([['3', '']]))
  await texts.put('c', new Map([['1', long]]))
  expect(await texts.get('b', ['1'])).toEqual([undefined])
  expect(await texts.get('a', ['1'])).toEqual([long])
  expect(await texts.get('c', ['1'])).toEqual([long])
})

test('without enough room nothing is kept, and there is no error; texts of more than a megabyte are never kept', async () => {
  const texts = await open()
  const real = IDBObjectStore.prototype.put
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    const request = real.call(this, value, key)
    // As in browsers: the transaction fails, and all of its requests with it.
    const dying = this.transaction as unknown as Record<'_abort', (name: string) => void>
    request.addEventListener('success', () => dying['_abort']('QuotaExceededError'))
    return request
  })
  onTestFinished(() => put.mockRestore())
  await texts.put('a', new Map([['x', '1']]))
  put.mockRestore()
  expect(await texts.get('a', ['x'])).toEqual([undefined])
  await texts.put(
    'a',
    new Map([
      ['x', '2'],
      ['long', 'x'.repeat(1_100_000)],
    ]),
  )
  expect(await texts.get('a', ['x', 'long'])).toEqual(['2', undefined])
})

test('what was kept counts as missing once the database is lost', async () => {
  const texts = await open()
  await texts.put('a', new Map([['x', '1']]))
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('the connection is closed', 'InvalidStateError')
  })
  onTestFinished(() => transaction.mockRestore())
  expect(await texts.get('a', ['x'])).toEqual([undefined])
  await texts.put('a', new Map([['y', '1']]))
})
