import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { engineBuild } from './engine.mjs'

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Loads a module as Vite does. */
async function load(id: string, cache: string): Promise<{ source: unknown; watched: readonly string[] }> {
  const watched: string[] = []
  const plugin = engineBuild(cache)
  if (typeof plugin.load !== 'function') throw new Error('the plugin loads nothing')
  const context = { addWatchFile: (file: string) => watched.push(file) }
  const source: unknown = await Reflect.apply(plugin.load, context, [id])
  return { source, watched }
}

test('a module is compiled again after a change in any folder that it imports from', async () => {
  const folder = temporaryFolder()
  const cache = path.join(folder, 'cache')
  const entry = path.join(folder, 'evm/index.ts')
  const constant = path.join(folder, 'words/deep/constant.ts')
  for (const file of [entry, constant]) mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(
    entry,
    `import { answer } from '../words/deep/constant.ts'\nexport function run(): i32 {\n  return answer\n}\n`,
  )
  writeFileSync(constant, 'export const answer: i32 = 41\n')

  const before = await load(`${entry}?wasm`, cache)
  expect(before.watched).toEqual([entry, constant])
  expect(await load(`${entry}?wasm`, cache)).toEqual(before)

  writeFileSync(constant, 'export const answer: i32 = 42\n')
  const after = await load(`${entry}?wasm`, cache)
  expect(after.source).not.toEqual(before.source)
})
