import { expect, test } from './playground.ts'
import { SCREENS } from './screens.ts'

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

for (const { name, visit } of SCREENS) {
  for (const [device, viewport] of Object.entries(SIZES)) {
    for (const theme of ['light', 'dark'] as const) {
      test(`the screen “${name}” fits on a ${device}, ${theme}`, async ({ playground, page }, testInfo) => {
        await page.setViewportSize(viewport)
        await playground.open({ theme })
        await visit(playground)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
        const body = await page.screenshot({ fullPage: true, path: testInfo.outputPath('screen.png') })
        await testInfo.attach(`${name}, ${device}, ${theme}`, { body, contentType: 'image/png' })
      })
    }
  }
}
