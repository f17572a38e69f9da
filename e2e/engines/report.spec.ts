import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { findFirefox, findWebKit } from '../../scripts/browsers/engines.mjs'
import { type FailedTest, failTest } from '../failed-test.ts'
import { startChromium } from './chromium.ts'
import type { BrowserEngine, EngineTab } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const firefox = findFirefox()
const webkit = findWebKit()

const ENGINES: readonly { readonly name: string; readonly start: (() => Promise<BrowserEngine>) | undefined }[] = [
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: firefox === undefined ? undefined : () => startFirefox(firefox) },
  { name: 'WebKit', start: webkit === undefined ? undefined : () => startWebKit(webkit) },
]

let failed: FailedTest
test.beforeAll(async () => {
  failed = await failTest()
})
test.afterAll(() => failed.remove())

const says = (tab: EngineTab, what: RegExp) =>
  expect.poll(() => tab.evaluate(() => document.body.innerText), { timeout: 60_000 }).toMatch(what)

/** Presses the step whose title begins so. */
const chooseStep = (tab: EngineTab, title: string) =>
  tab.evaluate((begins) => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('ol[aria-label=Steps] button')]
    buttons.find((button) => button.textContent?.startsWith(begins))?.click()
  }, title)

for (const { name, start } of ENGINES) {
  test(`in ${name} the report of a failed test opens from a disk, and a step shows the chain as it was`, async () => {
    test.skip(start === undefined, `${name} is not here and could not be installed`)
    const engine = await start?.()
    try {
      const tab = await engine?.openTab()
      if (!tab) return
      await tab.goto(pathToFileURL(failed.report).href)
      await says(tab, /Block 2, partial block 4/)
      await says(tab, /Block #2/)
      await chooseStep(tab, 'Click')
      await says(tab, /Block 1, partial block 1/)
      await says(tab, /Block #1/)
      await chooseStep(tab, 'pay')
      await says(tab, /Block 1, partial block 2/)
      await says(tab, /Pre-confirmed/)
      const pictures = await tab.evaluate(() =>
        [...document.querySelectorAll('aside img')].map((picture) => (picture as HTMLImageElement).naturalWidth),
      )
      expect(pictures).toEqual([800])
    } finally {
      await engine?.close()
    }
  })
}
