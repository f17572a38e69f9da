import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFileJournal } from './file-journal.ts'
import { takeLock } from './lock-file.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'blinknet-lock-'))
  file = path.join(directory, 'blinknet.lock')
})
afterEach(() => rm(directory, { recursive: true }))

/** A process that ends at once. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid as number
}
const record = (fields: object) => `${JSON.stringify({ token: 'other', startedAt: null, place: '', ...fields })}\n`

test('when many processes take a stale lock at the same time, only one gets it', async () => {
  const pid = await deadProcess()
  for (let round = 0; round < 5; round++) {
    await writeFile(file, `${pid}\n`)
    // Separate module instances know nothing of each other, like processes.
    const takers: (typeof takeLock)[] = []
    for (let i = 0; i < 8; i++) {
      vi.resetModules()
      takers.push((await import('./lock-file.ts')).takeLock)
    }
    const taken = await Promise.allSettled(takers.map((take) => take(file, 'the chain')))
    const holders = taken.filter((each) => each.status === 'fulfilled')
    expect(holders).toHaveLength(1)
    for (const { value: lock } of holders) await lock.giveBack()
    expect(await readdir(directory)).toEqual(['blinknet.lock'])
  }
})

test('an empty lock, which shows no sign of life, is taken over', async () => {
  await writeFile(file, '')
  const lock = await takeLock(file, 'the chain', { watchMs: 50 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid })
  await lock.giveBack()
  expect(await readdir(directory)).toEqual(['blinknet.lock'])
})

test('a process in another container with the same id keeps its lock as long as it shows life', async () => {
  await writeFile(file, record({ pid: process.pid, place: 'another container' }))
  let at = 1_000
  const beating = setInterval(() => void utimes(file, ++at, at), 10)
  await expect(takeLock(file, 'the chain', { watchMs: 200 })).rejects.toThrow('another machine or container')
  clearInterval(beating)
  await (await takeLock(file, 'the chain', { watchMs: 50 })).giveBack()
})

test('a process with the id of a dead one is not mistaken for it', async () => {
  await writeFile(file, record({ pid: process.ppid, place: '', startedAt: '1' }))
  const lock = await takeLock(file, 'the chain', { watchMs: 50 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid })
  await lock.giveBack()
})

test('a process that died while taking over a stale lock does not block others', async () => {
  const stale = `${await deadProcess()}\n`
  await writeFile(file, stale)
  const digest = createHash('sha256').update(stale).digest('hex').slice(0, 16)
  await writeFile(`${file}.${digest}.claim`, `${await deadProcess()}\n`)
  const lock = await takeLock(file, 'the chain', { watchMs: 50 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid })
  expect(await readdir(directory)).toEqual([path.basename(file)])
  await lock.giveBack()
})

test('stored files are readable by their owner only', async () => {
  const place = path.join(directory, 'made', 'here')
  const journal = await openFileJournal(place, { onWarning: (message) => expect.fail(message) })
  const modeOf = async (name: string) => ((await stat(name)).mode & 0o777).toString(8)
  expect(await modeOf(place)).toBe('700')
  for (const name of ['blinknet.lock', 'blinknet.journal']) expect(await modeOf(path.join(place, name))).toBe('600')
  await journal.close()
})

test.each<[what: string, make: () => Promise<unknown>, words: RegExp]>([
  ['a pipe', () => promisify(execFile)('mkfifo', [file]), /something that no node writes/],
  ['a device without end', () => symlink('/dev/zero', file), /something that no node writes/],
  ['a directory', () => mkdir(file), /something that no node writes/],
  ['a huge file', () => writeFile(file, '').then(() => truncate(file, 2 ** 32)), /something that no node writes/],
  ['a link that leads nowhere', () => symlink('nowhere', file), /a link that leads nowhere/],
])('a lock that is %s is refused at once, with what to do', async (_what, make, words) => {
  await make()
  const refused = takeLock(file, 'the chain', { watchMs: 50 })
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  await expect(refused).rejects.toThrow(words)
  await expect(refused).rejects.toThrow(`delete ${file}.`)
  expect(await readdir(directory)).toEqual([path.basename(file)])
})

test.each(['-1', '0', '1e15', '2147483648', '0.5'])(
  'a lock whose process number is none, %s, is taken over when it shows no sign of life',
  async (pid) => {
    await writeFile(file, record({ pid: Number(pid) }))
    await (await takeLock(file, 'the chain', { watchMs: 50 })).giveBack()
    await writeFile(file, `${'9'.repeat(30)}\n`)
    await (await takeLock(file, 'the chain', { watchMs: 50 })).giveBack()
    expect(await readdir(directory)).toEqual(['blinknet.lock'])
  },
)
