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

interface LayoutShiftSource {
  readonly node: Node | null
  readonly previousRect: DOMRectReadOnly
  readonly currentRect: DOMRectReadOnly
}

/** Runs in the page before its scripts: notes by how much parts of the page have moved by themselves, and which. */
function noteShifts(): void {
  const shifts: { readonly value: number; readonly parts: readonly string[] }[] = []
  /** Left, top, width and height. */
  const place = ({ x, y, width, height }: DOMRectReadOnly) =>
    [x, y, width, height].map((pixels) => pixels.toFixed(1)).join(' ')
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        readonly value: number
        readonly sources: readonly LayoutShiftSource[]
      }
      // With each new block the list of blocks moves by a row, as it should.
      const isNewBlock = sources.some(({ node }) => /^#\d+, sealed/.test(node?.textContent ?? ''))
      if (isNewBlock) continue
      const parts = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.textContent?.slice(0, 40) ?? 'nothing'}: ${place(previousRect)} → ${place(currentRect)}`,
      )
      shifts.push({ value, parts })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  Object.assign(window, { shifts })
}

/**
 * What rounds to 0.00: links of the header and figures in rows, each of which moves by up to 14 pixels when its own face
 * comes later than the chain and is that much wider or narrower than the system's.
 */
const NOTHING = 0.002

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
