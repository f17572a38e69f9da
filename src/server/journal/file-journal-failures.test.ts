import { cp, type FileHandle, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { failureOf, put } from '#testing/node/storage/journal-contract.ts'
import { createDirectory, directoryOfEachTest, fileOf, noWarning, overwrite } from '#testing/server/file-journal.ts'
import { openFileJournal } from './file-journal.ts'
import { syncedBehind, visitFrames } from './journal-scan.ts'

const { directory, openJournal, copyAsAfterCrash } = directoryOfEachTest()

describe('after a crash', () => {
  test('a truncated last write is dropped, wherever it was cut', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1), put('meta', 'head', 1)], 'strict')
    await journal.write([put('blocks', '2', 2)], 'relaxed')
    const { size: before } = await stat(fileOf(directory()))
    await journal.write([put('blocks', '3', 3), { kind: 'delete', part: 'blocks', key: '1' }], 'relaxed')
    const { size: after } = await stat(fileOf(directory()))
    expect(after).toBeGreaterThan(before + 20)
    for (let size = before; size <= after; size++) {
      const copy = await copyAsAfterCrash()
      await truncate(fileOf(copy), size)
      const found = await openFileJournal(copy, { onWarning: noWarning })
      expect(found.cutBytes).toBe(size === after ? 0 : size - before)
      const keys = (await found.readAll('blocks')).map(([key]) => key)
      expect(keys).toEqual(size === after ? ['2', '3'] : ['1', '2'])
      // The next write replaces what was cut off.
      await found.write([put('blocks', '4', 4)], 'relaxed')
      await found.close()
      const again = await openFileJournal(copy, { onWarning: noWarning })
      expect(again.cutBytes).toBe(0)
      expect(await again.readAll('blocks')).toHaveLength(3)
      await again.close()
    }
  })

  test('a last write with any wrong byte is cut off', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size: before } = await stat(fileOf(directory()))
    await journal.write([put('blocks', '2', 2)], 'strict')
    const bytes = await readFile(fileOf(directory()))
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

  test('if a machine crash lost one of several relaxed writes, the file is cut off there', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size } = await stat(fileOf(directory()))
    await journal.write([put('blocks', '2', 2)], 'relaxed')
    await journal.write([put('blocks', '3', 3)], 'relaxed')
    const copy = await copyAsAfterCrash()
    await overwrite(fileOf(copy), size, Buffer.alloc(30))
    const found = await openJournal(copy)
    expect(await found.readAll('blocks')).toEqual([['1', Uint8Array.of(1)]])
  })

  test('a value inside a cut-off write is not mistaken for a later write', async () => {
    const other = path.join(directory(), 'other')
    const inner = await openJournal(other)
    for (let value = 0; value < 2; value++) await inner.write([put('blocks', '1', new Uint8Array(5_000))], 'strict')
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'strict')
    const { size } = await stat(fileOf(directory()))
    await journal.write([put('blocks', '2', await readFile(fileOf(other)))], 'relaxed')
    const copy = await copyAsAfterCrash()
    await overwrite(fileOf(copy), size, Buffer.alloc(30))
    const found = await openJournal(copy)
    expect((await found.readAll('blocks')).map(([key]) => key)).toEqual(['1'])
  })

  test('a prefix of the writes in progress survives, including every acknowledged one', async () => {
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

  test('the lock of a process that has ended, or had the same process id, is taken over', async () => {
    for (const holder of [2 ** 22 + 1, process.pid]) {
      await writeFile(path.join(directory(), 'blinknet.lock'), `${holder}\n`)
      const journal = await openJournal()
      expect(await readFile(path.join(directory(), 'blinknet.lock'), 'utf8')).toContain(`"pid":${process.pid},`)
      await journal.close()
      expect(await readdir(directory())).toEqual(['blinknet.journal', 'blinknet.lock'])
    }
  })
})

test.runIf(process.platform === 'linux')('where nobody can create a directory, the journal is refused', async () => {
  for (const place of ['/proc/nope', '/proc/nope/chain']) {
    await expect(openFileJournal(place, { onWarning: noWarning })).rejects.toMatchObject({ code: 'unavailable' })
  }
})

describe('when the disk', () => {
  afterEach(() => vi.restoreAllMocks())

  /** The methods of all open files. */
  async function handles(): Promise<FileHandle> {
    const handle = await open(fileOf(directory()), 'r')
    await handle.close()
    return Object.getPrototypeOf(handle) as FileHandle
  }
  const failure = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' })

  test('is full, a write fails without a trace, and later ones succeed', async () => {
    const journal = await openJournal()
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    const { size } = await stat(fileOf(directory()))
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
    expect((await stat(fileOf(directory()))).size).toBe(size)
    await journal.write([put('blocks', '4', 4)], 'strict')
    expect((await journal.readAll('blocks')).map(([key]) => key)).toEqual(['1', '4'])
    await journal.close()
    const found = await openJournal()
    expect(found.cutBytes).toBe(0)
    expect((await found.readAll('blocks')).map(([key]) => key)).toEqual(['1', '4'])
  })

  test('fails to sync, nothing is acknowledged any more', async () => {
    const journal = await openJournal()
    vi.spyOn(await handles(), 'datasync').mockRejectedValueOnce(failure('EIO'))
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    expect(await failureOf(journal.write([put('blocks', '2', 2)], 'strict'))).toBe('unavailable')
    expect(await failureOf(journal.write([put('blocks', '3', 3)], 'relaxed'))).toBe('unavailable')
    await journal.close()
    expect(await readdir(directory())).toEqual(['blinknet.journal', 'blinknet.lock'])
  })

  test('is asked for strict writes only', async () => {
    const journal = await openJournal()
    const datasync = vi.spyOn(await handles(), 'datasync')
    await journal.write([put('blocks', '1', 1)], 'relaxed')
    expect(datasync).toHaveBeenCalledTimes(0)
    await Promise.all([1, 2, 3].map((value) => journal.write([put('blocks', '1', value)], 'strict')))
    // Waiting writes are made together.
    expect(datasync).toHaveBeenCalledTimes(1)
  })
})

describe('a damaged or crafted file', () => {
  const header = (length: number) => {
    const bytes = Buffer.alloc(20)
    bytes.set([0xb1, 0x1b, 0x0c, 0xf5])
    bytes.writeUInt32LE(length, 4)
    return bytes
  }
  /** The frames of a file from its first byte on, and what is behind it. */
  async function scan<Result>(content: Buffer, size: number, look: (handle: FileHandle) => Promise<Result>) {
    const file = path.join(directory(), 'crafted')
    await writeFile(file, content)
    await truncate(file, size)
    const handle = await open(file, 'r')
    try {
      return await look(handle)
    } finally {
      await handle.close()
    }
  }

  test('a header that claims more than one read can take is none; Node.js ended the process', async () => {
    const size = 5 * 2 ** 30
    const visit = () => expect.fail('there is no frame')
    expect(await scan(header(2 ** 32 - 1), size, (handle) => visitFrames(handle, 0, size, visit))).toBe(0)
  })

  test('headers at every place that claim to be long are not all read', async () => {
    const size = 2 ** 20
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => header(size / 2)))
    expect(await scan(many, size, (handle) => syncedBehind(handle, 0, size, 4 * size))).toBeUndefined()
    expect(await scan(many.subarray(0, 60), size, (handle) => syncedBehind(handle, 0, size, 4 * size))).toBe(0)
  })

  test('a write that is longer than a frame may be is refused, and the next one is made', async () => {
    const journal = await openJournal()
    const huge = put('blocks', '1', new Uint8Array(2 ** 30))
    expect(await failureOf(journal.write([huge], 'strict'))).toBe('quota')
    await journal.write([put('blocks', '2', 2)], 'strict')
    expect(await journal.readAll('blocks')).toHaveLength(1)
  })
})

test('a journal that another program has deleted takes no more writes as kept', async () => {
  const journal = await openFileJournal(directory(), { onWarning: noWarning })
  await journal.write([put('blocks', '1', 1)], 'strict')
  await rm(fileOf(directory()))
  const written = journal.write([put('blocks', '2', 2)], 'strict')
  await expect(written).rejects.toMatchObject({ code: 'unavailable' })
  await expect(written).rejects.toThrow('was deleted while the node ran')
  await expect(journal.write([put('blocks', '3', 3)], 'relaxed')).rejects.toThrow('was deleted while the node ran')
  await journal.close()
})
