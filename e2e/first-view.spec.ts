import type { Page } from '@playwright/test'
import { noteFirstView } from '../bench/first-view/visit.mjs'
import { LISTS } from '../src/ui/page/lists.ts'
import { expect, test, visit } from './playground.ts'
import { JOURNEYS } from './screens.ts'

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
      const { value, sources, hadRecentInput } = entry as PerformanceEntry & {
        readonly value: number
        readonly hadRecentInput: boolean
        readonly sources: readonly LayoutShiftSource[]
      }
      // With each new block the list of blocks moves by a row and the tiles by one, and with each call its log, as they should.
      const hasNews = sources.some(({ node }) =>
        /^(?:#\d+(?:, sealed|empty|\d)|\d\d:\d\d:\d\d\.)/.test(node?.textContent ?? ''),
      )
      // Another screen, which is shorter, brings the foot of the page into sight.
      const isFoot = sources.every(({ node, previousRect }) => node?.nodeName === 'FOOTER' && previousRect.height === 0)
      if (hasNews || isFoot || hadRecentInput) continue
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
 * Runs in the page before its scripts: what the page asks its node for goes out `window.askedAfter` milliseconds later, in
 * order, as on a slow machine.
 */
function askLate(): void {
  const post = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, ...message: unknown[]) => void
  // A screen that plays chains in a worker of its own asks that one thousands of times.
  const nodes = new Set<Worker>()
  let last = 0
  Worker.prototype.postMessage = function postLate(...message: unknown[]) {
    if (nodes.size === 0) nodes.add(this)
    if (!nodes.has(this)) {
      post.call(this, ...message)
      return
    }
    const now = performance.now()
    last = Math.max(last, now + ((Reflect.get(window, 'askedAfter') as number | undefined) ?? 0))
    if (last <= now) post.call(this, ...message)
    else setTimeout(() => post.call(this, ...message), last - now)
    Reflect.set(window, 'lastAskedAt', last)
  }
}

/** Milliseconds that a person sees. */
const LATE = 150

/**
 * What rounds to 0.00: links of the header and figures in rows, each of which moves by up to 14 pixels when its own face
 * comes later than the chain and is that much wider or narrower than the system's.
 */
const NOTHING = 0.002

/** Screens that a link opens on a new chain. */
const OPENED = [
  '/',
  ...LISTS.map(({ path }) => path),
  '/block/0',
  '/block/999',
  `/tx/0x${'ab'.repeat(32)}`,
  `/address/0x${'f3'.repeat(20)}`,
  '/send',
  '/send/call',
  '/send/raw',
  '/send/errors',
  '/contracts',
  '/rpc-console',
  '/settings',
  '/nowhere',
]

const PHONE = [390, 844] as const
const LAPTOP = [1280, 720] as const

for (const [width, height] of [PHONE, LAPTOP, [1440, 900], [1920, 1080]] as const) {
  test(`nothing moves while the page opens, with its own faces at the end (${width} × ${height})`, async ({ page }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    await page.addInitScript(noteShifts)
    for (const path of width > LAPTOP[0] ? ['/', '/explore', '/block/0'] : OPENED) {
      await page.goto(path)
      await expect(page.locator(':root[data-faces]')).toBeAttached()
      // Below a screen, once there is a chain.
      await expect(page.locator('footer[aria-label="RPC endpoint"]')).toBeAttached()
      await settled(page)
      const hasOwnFaces = await page.evaluate(async () => {
        await document.fonts.ready
        return [...document.fonts].some(({ family, status }) => /^"?Geist"?$/.test(family) && status === 'loaded')
      })
      expect.soft(hasOwnFaces, path).toBe(true)
      await expectNoShift(page, path)
    }
  })
}

for (const [width, height] of [PHONE, LAPTOP]) {
  for (const { start, screens } of JOURNEYS) {
    const names = screens.map(({ name }) => `“${name}”`)
    test(`nothing moves by itself on the screens ${names.join(', ')} (${width} × ${height})`, async ({
      playground,
      page,
    }) => {
      test.slow()
      // Some screens are visited by what a phone does not show: it opens them by the same addresses.
      await page.addInitScript(noteShifts)
      await page.addInitScript(askLate)
      await playground.open({ storage: 'stored' })
      await start?.(playground)
      const ask = (after: number) => page.evaluate((ms) => void Reflect.set(window, 'askedAfter', ms), after)
      for (const screen of screens) {
        await page.setViewportSize({ width: LAPTOP[0], height: LAPTOP[1] })
        await screen.visit(playground)
        await settled(page)
        const at = await page.evaluate(() => location.pathname)
        await page.setViewportSize({ width, height })
        // A document that has not asked for any of it yet.
        await page.goto('/?clock=manual')
        await playground.ready()
        await settled(page)
        await page.evaluate(() => void (Reflect.get(window, 'shifts') as unknown[]).splice(0))
        await ask(LATE)
        await visit(playground, at)
        await expect(page.locator('main h1')).toBeVisible()
        // What was asked last may lead to another question.
        await page.waitForFunction((ms) => performance.now() - Reflect.get(window, 'lastAskedAt') > ms, LATE)
        await settled(page)
        await ask(0)
        await expectNoShift(page, screen.name)
        await visit(playground, '/')
      }
    })
  }
}

/** Waits until nothing loads any more. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await page.evaluate(async () => {
    await document.fonts.ready
    // Two frames: then what has moved was reported.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

async function expectNoShift(page: Page, name: string): Promise<void> {
  const shifts = await page.evaluate(() => Reflect.get(window, 'shifts') as { readonly value: number }[])
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect.soft(sum, `${name}: ${JSON.stringify(shifts)}`).toBeLessThan(NOTHING)
}
