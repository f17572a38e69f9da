import {
  cp,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Journal, JournalChange } from '#node/storage/journal.ts'
import { failureOf, put, testJournal } from '#node/testing/journal-contract.ts'
import { type FileJournal, type FileJournalOptions, openFileJournal } from './file-journal.ts'

const noWarning: FileJournalOptions['onWarning'] = (message, error) => expect.fail(`${message}: ${String(error)}`)

const createDirectory = () => mkdtemp(path.join(tmpdir(), 'blinknet-journal-'))

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

let directory: string
const opened: Journal[] = []
beforeEach(async () => {
  directory = await createDirectory()
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const journal of opened.splice(0)) await journal.close()
  await rm(directory, { recursive: true })
})

const fileOf = (place: string) => path.join(place, 'blinknet.journal')

async function openJournal(place = directory, options: Partial<FileJournalOptions> = {}): Promise<FileJournal> {
  const journal = await openFileJournal(place, { onWarning: noWarning, ...options })
  opened.push(journal)
  return journal
}

/** A copy of the directory as it is, which is what a process that died now would leave. */
async function copyAsAfterCrash(): Promise<string> {
  const copy = path.join(directory, 'copy')
  await rm(copy, { recursive: true, force: true })
  await cp(fileOf(directory), fileOf(copy))
  return copy
}

describe('after a crash', () => {
  test('a last write that is cut short anywhere is as if it had never begun', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1), put('meta', 'head', 1)], 'strict')
    await journal.write([put('blocks', '2', 2)], 'relaxed')
    const { size: before } = await stat(fileOf(directory))
    await journal.write([put('blocks', '3', 3), { kind: 'delete', part: 'blocks', key: '1' }], 'relaxed')
    const { size: after } = await stat(fileOf(directory))
    expect(after).toBeGreaterThan(before + 20)
    for (let size = before; size <= after; size++) {
      const copy = await copyAsAfterCrash()
      await truncate(fileOf(copy), size)
      const found = await openFileJournal(copy, { onWarning: noWarning })
      expect(found.cutBytes).toBe(size === after ? 0 : size - before)
      const keys = (await found.readAll('blocks')).map(([key]) => key)
      expect(keys).toEqual(size === after ? ['2', '3'] : ['1', '2'])
      // What is written next takes the place of what was cut off.
      await found.write([put('blocks', '4', 4)], 'relaxed')
      await found.close()
      const again = await openFileJournal(copy, { onWarning: noWarning })
      expect(again.cutBytes).toBe(0)
      expect(await again.readAll('blocks')).toHaveLength(3)
      await again.close()
    }
  })

  test('a last write with a wrong byte anywhere is cut off', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size: before } = await stat(fileOf(directory))
    await journal.write([put('blocks', '2', 2)], 'strict')
    const bytes = await readFile(fileOf(directory))
    for (let at = before; at < bytes.length; at++) {
      const copy = await copyAsAfterCrash()
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] as number) ^ 0x10
      await writeFile(fileOf(copy), damaged)
      const found = await openFileJournal(copy, { onWarning: noWarning })
      expect(found.cutBytes).toBe(bytes.length - before)
      expect(await found.readAll('blocks')).toEqual([['1', Uint8Array.of(1)]])
      await found.close()
    }
  })

  test('zeros that the file system left at the end are cut off', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const copy = await copyAsAfterCrash()
    const { size } = await stat(fileOf(copy))
    await truncate(fileOf(copy), size + 3_000_000)
    const found = await openJournal(copy)
    expect(found.cutBytes).toBe(3_000_000)
    expect(await found.readAll('blocks')).toHaveLength(1)
  })

  test('relaxed writes of which the machine lost one in the middle are cut off from there', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size } = await stat(fileOf(directory))
    await journal.write([put('blocks', '2', 2)], 'relaxed')
    await journal.write([put('blocks', '3', 3)], 'relaxed')
    const copy = await copyAsAfterCrash()
    await overwrite(fileOf(copy), size, Buffer.alloc(30))
    const found = await openJournal(copy)
    expect(await found.readAll('blocks')).toEqual([['1', Uint8Array.of(1)]])
  })

  test('what was a value of a write that is cut off is not taken for a write behind it', async () => {
    const other = path.join(directory, 'other')
    const inner = await openJournal(other)
    for (let value = 0; value < 2; value++) await inner.write([put('blocks', '1', new Uint8Array(5_000))], 'strict')
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size } = await stat(fileOf(directory))
    await journal.write([put('blocks', '2', await readFile(fileOf(other)))], 'relaxed')
    const copy = await copyAsAfterCrash()
    await overwrite(fileOf(copy), size, Buffer.alloc(30))
    const found = await openJournal(copy)
    expect((await found.readAll('blocks')).map(([key]) => key)).toEqual(['1'])
  })

  test('of writes under way there is a beginning, and in it every one that was acknowledged', async () => {
    const shape = fc.array(fc.record({ bytes: fc.nat(3_000), strict: fc.boolean(), copy: fc.boolean() }), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(shape, fc.boolean(), async (writes, rewriting) => {
        const place = await createDirectory()
        const options = { onWarning: noWarning, tolerateGarbageBytes: rewriting ? 500 : 1_000_000 }
        const journal = await openFileJournal(place, options)
        let acknowledged = 0
        const begun: Promise<void>[] = []
        for (const [index, { bytes, strict, copy }] of writes.entries()) {
          const changes = [put('meta', 'count', index + 1), put('blocks', String(index % 7), new Uint8Array(bytes))]
          const written = journal.write(changes, strict ? 'strict' : 'relaxed')
          begun.push(
            written.then(() => {
              acknowledged = index + 1
            }),
          )
          if (!copy) continue
          const floor = acknowledged
          const crashed = path.join(place, String(index))
          await cp(fileOf(place), fileOf(crashed))
          const found = await openFileJournal(crashed, { onWarning: noWarning })
          const count = (await found.read('meta', 'count'))?.[0] ?? 0
          await found.close()
          expect(count).toBeGreaterThanOrEqual(floor)
          expect(count).toBeLessThanOrEqual(index + 1)
        }
        await Promise.all(begun)
        await journal.close()
        await rm(place, { recursive: true })
      }),
      { numRuns: 40 },
    )
  })

  test('the lock of a process that is gone, or had the number of this one, is taken over', async () => {
    for (const holder of [2 ** 22 + 1, process.pid]) {
      await writeFile(path.join(directory, 'blinknet.lock'), `${holder}\n`)
      const journal = await openJournal()
      expect(await readFile(path.join(directory, 'blinknet.lock'), 'utf8')).toBe(`${process.pid}\n`)
      await journal.close()
      expect(await readdir(directory)).toEqual(['blinknet.journal'])
    }
  })
})

async function overwrite(file: string, offset: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, offset)
  await handle.close()
}

describe('it refuses to open', () => {
  test('a file that was damaged where it had been safe, and says where', async () => {
    const journal = await openJournal()
    const ends: number[] = []
    for (let value = 0; value < 4; value++) {
      await journal.write([put('blocks', String(value), new Uint8Array(700_000).fill(value))], 'strict')
      ends.push((await stat(fileOf(directory))).size)
    }
    const start = ends[0] as number
    // In the magic, the length, the check and the value of the second frame.
    for (const at of [0, 6, 17, 300_000]) {
      const copy = await copyAsAfterCrash()
      await overwrite(fileOf(copy), start + at, Buffer.of(0x77))
      const refused = openFileJournal(copy, { onWarning: noWarning })
      expect(await failureOf(refused)).toBe('corrupt')
      await expect(refused).rejects.toThrow(`is damaged at byte ${start}`)
      // Nothing was cut off, and the lock was given back.
      expect((await stat(fileOf(copy))).size).toBe(ends[3])
      expect(await readdir(copy)).toEqual(['blinknet.journal'])
    }
  })

  test('a file of a newer version, or of another program', async () => {
    const journal = await openJournal()
    await journal.close()
    const header = await readFile(fileOf(directory))
    for (const [content, code] of [
      [withVersion(header, 2), 'newer'],
      [Buffer.from('{"not": "a journal", "but": "JSON"}'), 'corrupt'],
      [header.subarray(0, 9), 'corrupt'],
      [Buffer.alloc(0), 'corrupt'],
      [Buffer.from(header).fill(0, 9), 'corrupt'],
    ] as const) {
      await writeFile(fileOf(directory), content)
      expect(await failureOf(openFileJournal(directory, { onWarning: noWarning }))).toBe(code)
      expect(await readFile(fileOf(directory))).toEqual(Buffer.from(content))
    }
  })

  test('a directory that is open, and says in which process', async () => {
    await openJournal()
    await expect(openFileJournal(directory, { onWarning: noWarning })).rejects.toThrow(
      'is open in this process already',
    )
    // The parent is surely running.
    const other = path.join(directory, 'other')
    await (await openFileJournal(other, { onWarning: noWarning })).close()
    await writeFile(path.join(other, 'blinknet.lock'), `${process.ppid}\n`)
    const refused = openFileJournal(other, { onWarning: noWarning })
    expect(await failureOf(refused)).toBe('unavailable')
    await expect(refused).rejects.toThrow(`${other} is open in process ${process.ppid}.`)
    await writeFile(path.join(other, 'blinknet.lock'), '')
    await expect(openFileJournal(other, { onWarning: noWarning })).rejects.toThrow('locked, by nobody knows whom')
  })

  test('what is no directory', async () => {
    const file = path.join(directory, 'file')
    await writeFile(file, '')
    expect(await failureOf(openFileJournal(file, { onWarning: noWarning }))).toBe('unavailable')
    expect(await failureOf(openFileJournal(path.join(file, 'below'), { onWarning: noWarning }))).toBe('unavailable')
  })
})

/** The header of a file as a later version would write it. */
function withVersion(header: Buffer, version: number): Buffer {
  const changed = Buffer.from(header)
  changed.writeUInt32LE(version, 8)
  changed.writeUInt32LE(crc32(changed.subarray(0, 12)), 12)
  return changed
}

describe('its file', () => {
  const rows = (round: number): JournalChange[] =>
    Array.from({ length: 50 }, (_, index) => put('states', String(index), new Uint8Array(2_000).fill(round)))

  test('does not keep what was replaced, and loses nothing that is written while it is rewritten', async () => {
    const journal = await openJournal(directory, { tolerateGarbageBytes: 300_000 })
    const writes: Promise<void>[] = []
    for (let round = 0; round < 200; round++) {
      writes.push(journal.write([...rows(round), put('blocks', String(round), round)], 'relaxed'))
      if (round % 10 === 0) await writes.at(-1)
    }
    await Promise.all(writes)
    // 20 MB were written; of the states, 100 kB are left.
    await expect.poll(async () => (await stat(fileOf(directory))).size, { timeout: 10_000 }).toBeLessThan(700_000)
    expect((await journal.usage()).usedBytes).toBe((await stat(fileOf(directory))).size)
    const check = async (found: Journal) => {
      expect(await found.readAll('blocks')).toHaveLength(200)
      for (const [, value] of await found.readAll('states')) expect(value).toEqual(new Uint8Array(2_000).fill(199))
      expect(await found.readAll('states')).toHaveLength(50)
    }
    await check(journal)
    await journal.close()
    await check(await openJournal())
  })

  test('stays as it is while most of it is in use', async () => {
    const journal = await openJournal(directory, { tolerateGarbageBytes: 0 })
    await journal.write(rows(1), 'strict')
    const { usedBytes } = await journal.usage()
    await journal.write([put('states', '0', 1)], 'strict')
    await journal.write([put('states', '0', 2)], 'strict')
    await journal.close()
    expect((await stat(fileOf(directory))).size).toBeGreaterThan(usedBytes)
  })

  test('goes on as it is if it cannot be rewritten, without trying at every write', async () => {
    const warnings: string[] = []
    const journal = await openJournal(directory, {
      tolerateGarbageBytes: 100_000,
      onWarning: (message) => warnings.push(message),
    })
    await mkdir(`${fileOf(directory)}.new`)
    for (let round = 0; round < 8; round++) await journal.write(rows(round), 'relaxed')
    await expect.poll(() => warnings).toContain('the journal could not be made smaller')
    await journal.close()
    expect(warnings.length).toBeLessThan(8)
    await rm(`${fileOf(directory)}.new`, { recursive: true })
    const found = await openJournal()
    expect(await found.read('states', '49')).toEqual(new Uint8Array(2_000).fill(7))
  })

  test('is not rewritten to the end when it closes meanwhile', async () => {
    const journal = await openJournal(directory, { tolerateGarbageBytes: 100_000 })
    for (let round = 0; round < 5; round++) void journal.write(rows(round), 'relaxed')
    await journal.close()
    expect(await readdir(directory)).toEqual(['blinknet.journal'])
    const found = await openJournal()
    expect(await found.read('states', '49')).toEqual(new Uint8Array(2_000).fill(4))
  })
})

describe('when the disk', () => {
  /** The methods of all open files. */
  async function handles(): Promise<FileHandle> {
    const handle = await open(fileOf(directory), 'r')
    await handle.close()
    return Object.getPrototypeOf(handle) as FileHandle
  }
  const failure = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' })

  test('is full, a write fails without a trace, and later ones are made again', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    const { size } = await stat(fileOf(directory))
    const methods = await handles()
    const write = methods.write
    vi.spyOn(methods, 'write')
      // All of the first of two writes, and some of the second.
      .mockImplementationOnce(function (this: FileHandle, bytes: Buffer, start: number, length: number, at: number) {
        return Reflect.apply(write, this, [bytes, start, length - 10, at]) as unknown
      } as FileHandle['write'])
      .mockRejectedValueOnce(failure('ENOSPC'))
    const refused = [
      journal.write([put('blocks', '2', 2)], 'relaxed'),
      journal.write([put('blocks', '3', 3)], 'strict'),
    ]
    for (const each of refused) expect(await failureOf(each)).toBe('quota')
    expect((await stat(fileOf(directory))).size).toBe(size)
    await journal.write([put('blocks', '4', 4)], 'strict')
    expect((await journal.readAll('blocks')).map(([key]) => key)).toEqual(['1', '4'])
    await journal.close()
    const found = await openJournal()
    expect(found.cutBytes).toBe(0)
    expect((await found.readAll('blocks')).map(([key]) => key)).toEqual(['1', '4'])
  })

  test('fails to keep what was written, nothing is acknowledged any more', async () => {
    const journal = await openJournal()
    vi.spyOn(await handles(), 'datasync').mockRejectedValueOnce(failure('EIO'))
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    expect(await failureOf(journal.write([put('blocks', '2', 2)], 'strict'))).toBe('unavailable')
    expect(await failureOf(journal.write([put('blocks', '3', 3)], 'relaxed'))).toBe('unavailable')
    await journal.close()
    expect(await readdir(directory)).toEqual(['blinknet.journal'])
  })

  test('is asked for strict writes only', async () => {
    const journal = await openJournal()
    const datasync = vi.spyOn(await handles(), 'datasync')
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    expect(datasync).toHaveBeenCalledTimes(0)
    await Promise.all([1, 2, 3].map((value) => journal.write([put('blocks', '1', value)], 'strict')))
    // Those that wait together are made together.
    expect(datasync).toHaveBeenCalledTimes(1)
  })
})
