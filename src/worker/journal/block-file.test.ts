import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakePrivateFiles } from '#testing/worker/journal/fake-private-files.ts'
import { BlockFile, removeAbandonedFiles } from './block-file.ts'

let files = new FakePrivateFiles()
beforeEach(() => {
  files = new FakePrivateFiles()
  files.install()
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'navigator')
})

async function openFile(): Promise<BlockFile> {
  const file = await BlockFile.open()
  if (!file) throw new Error('there are no private files')
  return file
}

test('blocks are read where they were written, and the file ends with its worker', async () => {
  const file = await openFile()
  const records = Array.from({ length: 50 }, (_, i) => new Uint8Array(1 + i * 13).fill(i))
  const places = records.map((record) => file.keep(record))
  expect(places.map((place) => place?.read())).toEqual(records)
  expect(places[9]?.read(3, 7)).toEqual(Uint8Array.of(9, 9, 9, 9))
  await file.close()
  expect(files.names).toEqual([])
  expect(() => places[9]?.read()).toThrow('The stored chain was closed.')
  expect(file.keep(Uint8Array.of(1))).toBeUndefined()
})

test('where there is no room, nothing is kept, and what was kept can be read', async () => {
  const file = await openFile()
  files.roomBytes = 10
  const place = file.keep(Uint8Array.of(1, 2, 3))
  expect(file.keep(new Uint8Array(20))).toBeUndefined()
  expect(file.keep(Uint8Array.of(4))?.read()).toEqual(Uint8Array.of(4))
  expect(place?.read()).toEqual(Uint8Array.of(1, 2, 3))
})

test('the next worker removes what a killed one has left, and nothing of one that runs', async () => {
  await openFile()
  files.kill()
  const [first, second] = await Promise.all([openFile(), openFile()])
  expect(files.names).toHaveLength(2)
  await removeAbandonedFiles()
  expect(files.names).toHaveLength(2)
  expect(first.keep(Uint8Array.of(1))?.read()).toEqual(Uint8Array.of(1))
  expect(second.keep(Uint8Array.of(2))?.read()).toEqual(Uint8Array.of(2))
  await first.close()
  files.kill()
  await removeAbandonedFiles()
  expect(files.names).toEqual([])
})

test('without private files there is none', async () => {
  Reflect.deleteProperty(globalThis, 'navigator')
  expect(await BlockFile.open()).toBeUndefined()
  await removeAbandonedFiles()
})
