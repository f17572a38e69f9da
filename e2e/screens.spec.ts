import type { Page, TestInfo } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { expectToLookRight } from './looks.ts'
import { expect, type Playground, test, visit } from './playground.ts'
import { JOURNEYS, type Screen } from './screens.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

/** The window in which screens are visited, before they are looked at in others. */
const VISITED = { width: 1280, height: 720 }
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const
/** `SCREENSHOTS=1` saves a picture of every screen in every mode in `test-results`. */
const KEEPS_PICTURES = process.env['SCREENSHOTS'] === '1'

for (const { start, screens } of JOURNEYS) {
  const names = screens.map(({ name }) => `“${name}”`)
  test(`the screens ${names.join(', ')} fit on desktop and phone, and axe finds nothing on them`, async ({
    playground,
    page,
  }, testInfo) => {
    test.slow()
    await playground.open()
    await start?.(playground)
    for (const screen of screens) {
      await test.step(`the screen “${screen.name}”`, () => expectToPass(playground, screen, testInfo))
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.setViewportSize(VISITED)
      await page.keyboard.press('Escape')
      await visit(playground, '/')
    }
  })
}

async function expectToPass(playground: Playground, screen: Screen, testInfo: TestInfo): Promise<void> {
  const { page } = playground
  const { name, heading } = screen
  await screen.visit(playground)
  // The screen's script may still be loading, with the previous screen shown until then.
  await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
  await expectToLookRight(page, name)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'no-preference' })
    await page.setViewportSize(SIZES.desktop)
    await expectToFit(page, testInfo, `${name}, desktop, ${colorScheme}`)
    expect.soft(await page.evaluate(oddHeights), `controls of other heights on ${name}`).toEqual([])
    await expectNoFindings(page, `${name}, desktop, ${colorScheme}`, colorScheme === 'light' ? 'all' : 'colour')
    await page.setViewportSize(SIZES.phone)
    await expectToFit(page, testInfo, `${name}, phone, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoFindings(page, `${name}, phone, reduced motion, dark`)
}

/**
 * Runs in the page: the controls with an edge or a ground whose height is none of the three, nor that of a small icon. Lines
 * of text that can be pressed are as high as their text.
 */
function oddHeights(): readonly string[] {
  const heights = new Set([24, 28, 36, 44])
  const isDrawn = (element: Element) => {
    const { borderTopWidth, backgroundColor } = getComputedStyle(element)
    return parseFloat(borderTopWidth) > 0 || !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor)
  }
  return [...document.querySelectorAll('button, select, input, fieldset:has(> label > input[type="radio"])')].flatMap(
    (element) => {
      const isLine = element instanceof HTMLInputElement && /^(?:checkbox|radio|range|file)$/.test(element.type)
      const { height } = element.getBoundingClientRect()
      if (isLine || height <= 1 || !element.checkVisibility() || !isDrawn(element)) return []
      const name = element.getAttribute('aria-label') ?? element.textContent
      return heights.has(Math.round(height)) ? [] : [`${element.tagName} “${name.slice(0, 30)}”: ${height}`]
    },
  )
}

async function expectToFit(page: Page, testInfo: TestInfo, mode: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect.soft(overflow, `pixels too wide: ${mode}`).toBeLessThanOrEqual(0)
  if (!KEEPS_PICTURES) return
  const body = await page.screenshot({ fullPage: true, path: testInfo.outputPath(`${mode}.png`) })
  await testInfo.attach(mode, { body, contentType: 'image/png' })
}
