import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { chromiumLaunch } from '../../scripts/browsers/chromium.mjs'
import { type BrowserEngine, CALL_TIMEOUT_MS, type EngineTab, type Role } from './engine.ts'

/** Chromium with the same interface, so that all three browsers run the same story. */
export async function startChromium(): Promise<BrowserEngine> {
  const browser: Browser = await chromium.launch({
    ...chromiumLaunch(),
    // A setting as for a person.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(CALL_TIMEOUT_MS)
  return {
    name: `Chromium ${browser.version()}`,
    openTab: async () => chromiumTab(await context.newPage()),
    close: () => browser.close(),
  }
}

function chromiumTab(page: Page): EngineTab {
  return {
    async goto(url) {
      await page.goto(url)
    },
    async back() {
      const address = () => page.evaluate(() => location.href)
      const before = await address()
      // Playwright is not notified of a page restored from the cache. Deferred, since the page being left could not
      // answer any more.
      await page.evaluate(() => void setTimeout(() => history.back()))
      await expect(async () => expect(await address()).not.toBe(before)).toPass({ timeout: CALL_TIMEOUT_MS })
    },
    async reload() {
      await page.reload()
    },
    close: () => page.close(),
    evaluate: <Argument, Result>(script: (argument: Argument) => Result, argument?: Argument) =>
      page.evaluate(script as (argument: unknown) => Result, argument) as Promise<Awaited<Result>>,
    click: (role: Role, name: string) => page.getByRole(role, { name, exact: true }).click(),
    async press(key) {
      await page.bringToFront()
      await page.keyboard.press(key)
    },
    choose: (name, file) => page.getByLabel(name, { exact: true }).setInputFiles(file),
    screenshot: () => page.screenshot(),
  }
}
