import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { ChainDump, dumpTarget } from './chain-dump.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'blinknet-dump-')))
})
afterEach(() => rm(folder, { recursive: true }))

const bytesOf = (text: string) => Buffer.from(text)

describe('a dump goes', () => {
  test('to a file that is not there, and then over it', async () => {
    const name = path.join(folder, 'chain')
    expect(await dumpTarget(name)).toBe(name)
    await writeFile(name, 'BLINKNET and so on')
    expect(await dumpTarget(name)).toBe(name)
  })

  test('into a directory, under a name of its own', async () => {
    expect(await dumpTarget(folder)).toBe(path.join(folder, 'state.blinknet'))
  })

  test('to where a link points', async () => {
    await writeFile(path.join(folder, 'chain'), '')
    await symlink('chain', path.join(folder, 'link'))
    expect(await dumpTarget(path.join(folder, 'link'))).toBe(path.join(folder, 'chain'))
  })

  test('over no file of another kind', async () => {
    const name = path.join(folder, 'state.json')
    await writeFile(name, '{"accounts":{}}')
    const refused = dumpTarget(name)
    await expect(refused).rejects.toMatchObject({ name: 'StateFileError' })
    await expect(refused).rejects.toThrow('it is there and is no chain file, and a dump would replace it')
    await mkdir(path.join(folder, 'in', 'state.blinknet'), { recursive: true })
    await expect(dumpTarget(path.join(folder, 'in'))).rejects.toThrow('it is there and is no chain file')
  })

  test('to no link that leads nowhere but to itself', async () => {
    await symlink('loop', path.join(folder, 'loop'))
    await expect(dumpTarget(path.join(folder, 'loop'))).rejects.toThrow(/^ELOOP/u)
  })

  test('to no directory that is not there', async () => {
    await expect(dumpTarget(path.join(folder, 'none', 'chain'))).rejects.toThrow(/^ENOENT: .*none/u)
  })
})

test('at the end the file is replaced as a whole, and only its owner can read it', async () => {
  const target = path.join(folder, 'chain')
  await writeFile(target, 'before')
  const dump = new ChainDump({
    target,
    clock: new FakeClock(),
    exportChain: () => Promise.resolve(bytesOf('after')),
    onFailure: () => {},
  })
  await dump.end()
  expect(await readFile(target, 'utf8')).toBe('after')
  expect((await stat(target)).mode & 0o077).toBe(0)
  expect(await readdir(folder)).toEqual(['chain'])
})

test('if it cannot be written, the file has what it had, and nothing is left beside it', async () => {
  const target = path.join(folder, 'chain')
  await mkdir(path.join(target, 'occupied'), { recursive: true })
  const dump = new ChainDump({
    target,
    clock: new FakeClock(),
    exportChain: () => Promise.resolve(bytesOf('after')),
    onFailure: () => {},
  })
  await expect(dump.end()).rejects.toMatchObject({ name: 'StateFileError' })
  expect(await readdir(folder)).toEqual(['chain'])
})

test('it is written at each interval, also after one that failed, and not after the end', async () => {
  const target = path.join(folder, 'chain')
  const clock = new FakeClock()
  const failures: string[] = []
  const results: (string | Error)[] = ['one', new Error('no room'), 'three', 'last']
  const dump = new ChainDump({
    target,
    intervalMs: 1_000,
    clock,
    async exportChain() {
      const result = results.shift()
      if (result instanceof Error) throw result
      return bytesOf(result ?? 'written after the end')
    },
    onFailure: ({ message }) => failures.push(message),
  })
  await clock.advance(1_000)
  expect(await readFile(target, 'utf8')).toBe('one')
  await clock.advance(1_000)
  expect(failures).toEqual([`the chain could not be written to ${target}: no room`])
  expect(await readFile(target, 'utf8')).toBe('one')
  await clock.advance(1_000)
  expect(await readFile(target, 'utf8')).toBe('three')
  await dump.end()
  expect(await readFile(target, 'utf8')).toBe('last')
  await clock.advance(5_000)
  expect(await readFile(target, 'utf8')).toBe('last')
})
