import { noteFirstView } from '../bench/first-view/visit.mjs'
import { expect, test } from './playground.ts'

test('the bench of the first view finds the running chain, presses the button and hears the answer', async ({
  page,
}) => {
  await page.addInitScript(noteFirstView)
  const noted = page.waitForRequest('**/first-view')
  await page.goto('/')
  const view: unknown = (await noted).postDataJSON()
  expect(view).toEqual({ painted: expect.any(Number), running: expect.any(Number), sent: expect.any(Number) })
})

/** Runs in the page before its scripts: notes by how much parts of the page have moved by themselves, and which. */
function noteShifts(): void {
  const shifts: { readonly value: number; readonly parts: readonly string[] }[] = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        readonly value: number
        readonly sources: readonly { readonly node: Node | null }[]
      }
      shifts.push({ value, parts: sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '') })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  Object.assign(window, { shifts })
}

/** What Chromium reports as 0.00: a link of the header that moves by some pixels, or a digit. */
const NOTHING = 0.001

for (const [width, height] of [
  [390, 844],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const) {
  test(`nothing moves while the page opens, with its own faces at the end (${width} × ${height})`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await page.addInitScript(noteShifts)
    for (const path of ['/', '/explore', '/block/0']) {
      await page.goto(path)
      await expect(page.locator(':root[data-faces]')).toBeAttached()
      // Below a screen, once there is a chain.
      await expect(page.getByRole('contentinfo', { name: 'RPC endpoint' })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      const hasOwnFaces = await page.evaluate(async () => {
        await document.fonts.ready
        // Two frames: then what has moved was reported.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return [...document.fonts].some(({ family, status }) => /^"?Geist"?$/.test(family) && status === 'loaded')
      })
      expect(hasOwnFaces, path).toBe(true)
      const shifts = await page.evaluate(() => Reflect.get(window, 'shifts') as { readonly value: number }[])
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      expect(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(NOTHING)
    }
  })
}
