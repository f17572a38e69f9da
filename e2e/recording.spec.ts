import { readFile } from 'node:fs/promises'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { AS_VISITOR, expect, test } from './playground.ts'

const { args = [], ...browser } = chromiumLaunch()
// The headless shell has no screen capture. A person is asked which tab the page may see; a test is not.
test.use({
  ...AS_VISITOR,
  channel: 'chromium',
  launchOptions: { ...browser, args: [...args, '--auto-accept-this-tab-capture'] },
})

test('the stage is recorded as a video, with the chain as a file', async ({ playground, page }) => {
  await page.goto('/?view=projector')
  await playground.ready()
  const downloads: { readonly name: string; readonly content: Buffer }[] = []
  page.on('download', async (file) => {
    downloads.push({ name: file.suggestedFilename(), content: await readFile(await file.path()) })
  })
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible()
  const dot = page.getByTitle('Recording', { exact: true }).last()
  await test.step('the red dot stays while the keys are hidden', async () => {
    const isSeen = () => dot.evaluate((el) => el.checkVisibility({ opacityProperty: true }))
    await page.getByRole('button', { name: 'Stop recording' }).blur()
    await expect.poll(isSeen).toBe(true)
  })
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await expect(page.getByText('1 of 8 · What a block is')).toBeVisible()
  const seen = Number(await playground.request('eth_blockNumber'))
  await expect(page.getByRole('link', { name: `Block ${seen + 2},` })).toBeVisible()
  await page.keyboard.press('v')

  const outcome = page.getByRole('status', { name: 'Recording' })
  await expect(outcome).toHaveText(/^Recorded .+ as blinknet-stage\.webm, .+ Exported up to block/)
  await expect.poll(() => downloads.length).toBe(2)
  // In the order in which the browser has written them.
  const video = downloads.find(({ name }) => name === 'blinknet-stage.webm')
  // WebM is a Matroska file, and a chain file is packed.
  expect(video?.content.subarray(0, 4)).toEqual(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))
  expect(video?.content.length).toBeGreaterThan(10_000)
  expect(downloads.map(({ name }) => name)).toContainEqual(expect.stringMatching(/\.blinknet\.gz$/))
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(outcome).toBeHidden()
})

test('without permission nothing is recorded, and the page says what to do', async ({ playground, page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getDisplayMedia = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
  })
  await page.goto('/?view=projector&clock=manual&storage=off')
  await playground.ready()
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByRole('alert')).toContainText('Press Record again, and choose this tab')
  await expect(page.getByRole('button', { name: 'Record' })).toBeEnabled()
})
