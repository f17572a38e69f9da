import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readReport } from '#report/report-file.ts'
import { parseCommand } from '#server/cli/cli.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { writeTemplate } from '#testing/report/template.ts'
import { openHtml } from './open-html.ts'
import { recordOf } from './report-page.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-html-'))
  file = path.join(folder, 'my chain.blinknet')
  await writeTemplate(folder)
})
afterEach(() => rm(folder, { recursive: true }))

const write = (into?: string) => openHtml(file, into, new FakeClock(), folder)

test.each([
  ['as it is', (bytes: Uint8Array) => bytes],
  ['packed with gzip', (bytes: Uint8Array) => gzipSync(bytes)],
])('the film of a chain file, %s, is one HTML file beside it', async (_how, pack) => {
  const chain = await exportSample()
  await writeFile(file, pack(chain))
  const html = path.join(folder, 'my chain.html')
  expect(await write()).toBe(`${html}: 7 moments, 0.0 MB. Open it in a browser; it needs no network.`)
  const text = await readFile(html, 'utf8')
  expect(Buffer.from(readReport(text)?.chains[0] ?? '', 'base64')).toEqual(Buffer.from(chain))
  expect(await recordOf(text)).toMatchObject({ titles: [], chains: [{ name: 'my chain.blinknet' }] })
  const script = /<script id="page">(.*?)<\/script>/.exec(text)?.[1] ?? ''
  expect(gunzipSync(Buffer.from(script, 'base64')).toString()).toBe('page()')
})

test('a report is replaced, anybody else’s file is not', async () => {
  await writeFile(file, await exportSample())
  const into = path.join(folder, 'out.html')
  await write(into)
  const { size } = await stat(into)
  await write(into)
  expect((await stat(into)).size).toBe(size)
  await writeFile(into, '<!doctype html><title>Mine</title>')
  await expect(write(into)).rejects.toThrow(`${into} is there already, and is no report of Blinknet`)
  expect(await readFile(into, 'utf8')).toBe('<!doctype html><title>Mine</title>')
})

test('what cannot be opened or written is told with the reason, and nothing is written', async () => {
  const into = path.join(folder, 'out.html')
  await expect(write(into)).rejects.toThrow(`${file} cannot be opened: there is no such file.`)
  await writeFile(file, '{"accounts":{}}')
  await expect(write(into)).rejects.toThrow('it is a state in JSON, which has no blocks')
  await writeFile(file, (await exportSample()).fill(7, 100, 110))
  await expect(write(into)).rejects.toThrow('the file is damaged: its checksum does not match')
  await expect(stat(into)).rejects.toThrow('ENOENT')
  await writeFile(file, await exportSample())
  const nowhere = path.join(folder, 'no', 'out.html')
  await expect(write(nowhere)).rejects.toThrow(`${nowhere} cannot be written: `)
  await expect(write(folder)).rejects.toBeInstanceOf(UsageError)
})

test('open --html takes one name, or none', () => {
  expect(parseCommand(['open', 'a', '--html'])).toEqual({ kind: 'html', file: 'a' })
  expect(parseCommand(['open', 'a', '--html', 'b.html'])).toEqual({ kind: 'html', file: 'a', into: 'b.html' })
  expect(parseCommand(['open', 'a', '--html=b.html'])).toEqual({ kind: 'html', file: 'a', into: 'b.html' })
  for (const args of [
    ['a', '--html', 'b', 'c'],
    ['a', '--html', '--port'],
    ['a', '--port', '1', '--html'],
    ['a', '--html='],
  ]) {
    expect(parseCommand(['open', ...args])).toMatchObject({
      kind: 'bad',
      message: expect.stringContaining('--html') as string,
    })
  }
  expect(parseCommand(['open', '--html'])).toMatchObject({ kind: 'bad' })
})
