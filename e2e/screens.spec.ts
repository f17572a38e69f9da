import type { Page, TestInfo } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { expect, test } from './playground.ts'
import { SCREENS } from './screens.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const
/** `SCREENSHOTS=1` saves a picture of every screen in every mode in `test-results`. */
const KEEPS_PICTURES = process.env['SCREENSHOTS'] === '1'

for (const { name, heading, visit } of SCREENS) {
  test(`the screen “${name}” fits on desktop and phone, and axe finds nothing on it`, async ({
    playground,
    page,
  }, testInfo) => {
    await playground.open()
    await visit(playground)
    // The screen's script may still be loading, with the previous screen shown until then.
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'no-preference' })
      await page.setViewportSize(SIZES.desktop)
      await expectToFit(page, testInfo, `desktop, ${colorScheme}`)
      await expectNoFindings(page, `desktop, ${colorScheme}`, colorScheme === 'light' ? 'all' : 'colour')
      await page.setViewportSize(SIZES.phone)
      await expectToFit(page, testInfo, `phone, ${colorScheme}`)
    }
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectNoFindings(page, 'phone, reduced motion, dark')
  })
}

async function expectToFit(page: Page, testInfo: TestInfo, mode: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect.soft(overflow, `pixels too wide: ${mode}`).toBeLessThanOrEqual(0)
  if (!KEEPS_PICTURES) return
  const body = await page.screenshot({ fullPage: true, path: testInfo.outputPath(`${mode}.png`) })
  await testInfo.attach(mode, { body, contentType: 'image/png' })
}
