import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Journal, JournalChange } from '#node/storage/journal.ts'
import { failureOf, put, testJournal } from '#testing/node/storage/journal-contract.ts'
import { createDirectory, directoryOfEachTest, fileOf, noWarning, overwrite } from '#testing/server/file-journal.ts'
import { openFileJournal } from './file-journal.ts'

const { directory, openJournal, copyAsAfterCrash } = directoryOfEachTest()

for (const [name, tolerateGarbageBytes] of [
  ['a journal in a file', undefined],
  // Every other write then starts to rewrite the file.
  ['a journal in a file that is always rewritten', 20],
] as const) {
  testJournal(name, {
    secondOwner: 'is-refused',
    async start() {
      const folder = await createDirectory()
      let journal: Journal | undefined
      return {
        async open() {
          const options = tolerateGarbageBytes === undefined ? {} : { tolerateGarbageBytes }
          journal = await openFileJournal(folder, { onWarning: noWarning, ...options })
          return journal
        },
        async end() {
          await journal?.close()
          await rm(folder, { recursive: true })
        },
      }
    },
  })
}

describe('it refuses to open', () => {
  test('a file that is damaged before its last write, and says where', async () => {
    const journal = await openJournal()
    const ends: number[] = []
    for (let value = 0; value < 4; value++) {
      await journal.write([put('blocks', String(value), new Uint8Array(700_000).fill(value))], 'strict')
      ends.push((await stat(fileOf(directory()))).size)
    }
    const start = ends[0] as number
    // In the magic, the length, the check and the value of the second frame.
    for (const at of [0, 6, 17, 300_000]) {
      const copy = await copyAsAfterCrash()
      await overwrite(fileOf(copy), start + at, Buffer.of(0x77))
      const refused = openFileJournal(copy, { onWarning: noWarning })
      expect(await failureOf(refused)).toBe('corrupt')
      await expect(refused).rejects.toThrow(`is damaged at byte ${start}`)
      // Nothing was cut off, and the lock was released.
      expect((await stat(fileOf(copy))).size).toBe(ends[3])
      expect(await readdir(copy)).toEqual(['blinknet.journal', 'blinknet.lock'])
    }
  })

  test('a file of a newer version, or of another program', async () => {
    const journal = await openJournal()
    await journal.close()
    const header = await readFile(fileOf(directory()))
    for (const [content, code] of [
      [withVersion(header, 2), 'newer'],
      [Buffer.from('{"not": "a journal", "but": "JSON"}'), 'corrupt'],
      [header.subarray(0, 9), 'corrupt'],
      [Buffer.alloc(0), 'corrupt'],
      [Buffer.from(header).fill(0, 9), 'corrupt'],
    ] as const) {
      await writeFile(fileOf(directory()), content)
      expect(await failureOf(openFileJournal(directory(), { onWarning: noWarning }))).toBe(code)
      expect(await readFile(fileOf(directory()))).toEqual(Buffer.from(content))
    }
  })

  test('a directory that another process has open, and names the process', async () => {
    await openJournal()
    await expect(openFileJournal(directory(), { onWarning: noWarning })).rejects.toThrow(
      'is open in this process already',
    )
    // The parent is surely running.
    const other = path.join(directory(), 'other')
    await (await openFileJournal(other, { onWarning: noWarning })).close()
    await writeFile(path.join(other, 'blinknet.lock'), `${process.ppid}\n`)
    const refused = openFileJournal(other, { onWarning: noWarning })
    expect(await failureOf(refused)).toBe('unavailable')
    await expect(refused).rejects.toThrow(`${other} is open in process ${process.ppid}.`)
  })

  test('a path that is not a directory', async () => {
    const file = path.join(directory(), 'file')
    await writeFile(file, '')
    expect(await failureOf(openFileJournal(file, { onWarning: noWarning }))).toBe('unavailable')
    expect(await failureOf(openFileJournal(path.join(file, 'below'), { onWarning: noWarning }))).toBe('unavailable')
  })
})

/** The header as a later version would write it. */
function withVersion(header: Buffer, version: number): Buffer {
  const changed = Buffer.from(header)
  changed.writeUInt32LE(version, 8)
  changed.writeUInt32LE(crc32(changed.subarray(0, 12)), 12)
  return changed
}

describe('its file', () => {
  const rows = (round: number): JournalChange[] =>
    Array.from({ length: 50 }, (_, index) => put('states', String(index), new Uint8Array(2_000).fill(round)))

  test('drops replaced values when it is rewritten, and keeps everything written meanwhile', async () => {
    const journal = await openJournal(directory(), { tolerateGarbageBytes: 300_000 })
    const writes: Promise<void>[] = []
    for (let round = 0; round < 200; round++) {
      writes.push(journal.write([...rows(round), put('blocks', String(round), round)], 'relaxed'))
      if (round % 10 === 0) await writes.at(-1)
    }
    await Promise.all(writes)
    // 20 MB were written; 100 kB of states remain.
    await expect.poll(async () => (await stat(fileOf(directory()))).size).toBeLessThan(700_000)
    expect((await journal.usage()).usedBytes).toBe((await stat(fileOf(directory()))).size)
    const check = async (found: Journal) => {
      expect(await found.readAll('blocks')).toHaveLength(200)
      for (const [, value] of await found.readAll('states'))
        expect(Buffer.from(value).toString('hex')).toBe('c7'.repeat(2_000))
      expect(await found.readAll('states')).toHaveLength(50)
    }
    await check(journal)
    await journal.close()
    await check(await openJournal())
  })

  test('is not rewritten while most of it is in use', async () => {
    const journal = await openJournal(directory(), { tolerateGarbageBytes: 0 })
    await journal.write(rows(1), 'strict')
    const { usedBytes = Number.POSITIVE_INFINITY } = await journal.usage()
    await journal.write([put('states', '0', 1)], 'strict')
    await journal.write([put('states', '0', 2)], 'strict')
    await journal.close()
    expect((await stat(fileOf(directory()))).size).toBeGreaterThan(usedBytes)
  })

  test('stays in use if it cannot be rewritten, without a new attempt at every write', async () => {
    const warnings: string[] = []
    const journal = await openJournal(directory(), {
      tolerateGarbageBytes: 100_000,
      onWarning: (message) => warnings.push(message),
    })
    const { token } = JSON.parse(await readFile(path.join(directory(), 'blinknet.lock'), 'utf8')) as { token: string }
    await mkdir(`${fileOf(directory())}.${token}.new`)
    for (let round = 0; round < 8; round++) await journal.write(rows(round), 'relaxed')
    await expect.poll(() => warnings).toContain('the journal could not be made smaller')
    await journal.close()
    expect(warnings.length).toBeLessThan(8)
    await rm(`${fileOf(directory())}.${token}.new`, { recursive: true })
    const found = await openJournal()
    expect(await found.read('states', '49')).toEqual(new Uint8Array(2_000).fill(7))
  })

  test('stops rewriting when it is closed', async () => {
    const journal = await openJournal(directory(), { tolerateGarbageBytes: 100_000 })
    for (let round = 0; round < 5; round++) void journal.write(rows(round), 'relaxed')
    await journal.close()
    expect(await readdir(directory())).toEqual(['blinknet.journal', 'blinknet.lock'])
    const found = await openJournal()
    expect(await found.read('states', '49')).toEqual(new Uint8Array(2_000).fill(4))
  })
})
