import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, type Playground } from './playground.ts'
import type { TestFile } from './storage-files.ts'

export const dialog = (page: Page) => page.getByRole('dialog')
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

export async function openStorage(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Chain: / }).click()
  await press(page, 'Chain storage…')
  await expect(dialog(page)).toContainText('is stored in this browser')
}

/** Exports the chain in the open dialog; returns the file that the browser saved. */
export async function exportChain(page: Page): Promise<{ name: string; content: Buffer }> {
  const saved = page.waitForEvent('download')
  await press(page, 'Export chain')
  const download = await saved
  await expect(dialog(page).getByRole('status')).toContainText('Exported up to block')
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

export async function choose(page: Page, file: TestFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'Import…')
  await (await chooser).setFiles(file)
}

export const headOf = async (playground: Playground) =>
  (await playground.request('eth_getBlockByNumber', ['latest', false])) as { number: string; hash: string }

/** Changes a stored chain while no tab has it open, as a bug or another program could. */
export async function tamper(
  { page }: Playground,
  how: 'lose-block' | 'lose-newest' | 'newer-layout' | 'newer-format',
): Promise<void> {
  // A file of the origin that is not the page.
  await page.goto('/sw.js')
  await page.evaluate(async (kind) => {
    const name = (await indexedDB.databases()).map((database) => database.name ?? '').find((it) => it.endsWith(':main'))
    if (name === undefined) throw new Error('nothing is stored')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = kind === 'newer-layout' ? indexedDB.open(name, 99) : indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
      opening.addEventListener('error', () => reject(opening.error as DOMException))
    })
    const transaction = database.transaction(['blocks', 'meta'], 'readwrite')
    const ended = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error as DOMException))
    })
    if (kind === 'lose-block') {
      const cursor = transaction.objectStore('blocks').openCursor()
      cursor.addEventListener('success', () => cursor.result?.delete())
    }
    if (kind === 'lose-newest') {
      const cursor = transaction.objectStore('blocks').openCursor(null, 'prev')
      cursor.addEventListener('success', () => cursor.result?.delete())
    }
    if (kind === 'newer-format') {
      const reading = transaction.objectStore('meta').get('chain')
      reading.addEventListener('success', () => {
        const record = new TextDecoder().decode(reading.result as Uint8Array)
        const newer = record.replace(/"format":\d+/, '"format":99')
        transaction.objectStore('meta').put(new TextEncoder().encode(newer), 'chain')
      })
    }
    await ended
    database.close()
  }, how)
}
