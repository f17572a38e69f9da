import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './playground.ts'
import { SCREENS } from './screens.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

for (const { name, visit } of SCREENS) {
  for (const theme of ['light', 'dark'] as const) {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      test(`axe finds nothing on the screen “${name}”, ${theme}, motion ${reducedMotion}`, async ({
        playground,
        page,
      }) => {
        await page.emulateMedia({ colorScheme: theme, reducedMotion })
        await playground.open()
        await visit(playground)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
      })
    }
  }
}

test('the whole story works by keyboard', async ({ playground, page }) => {
  await playground.open()
  await playground.sendButton.focus()
  const hash = await playground.sendTransferBy(() => page.keyboard.press('Enter'))
  await page.keyboard.press('.')
  await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
})

test('what happens to an own transaction is announced, politely', async ({ playground, page }) => {
  await playground.open()
  await playground.sendTransfer()
  await playground.tick()
  const announcement = page.getByText(/^Transaction 0x\w{4}…\w{4} pre-confirmed in block 1$/)
  await expect(announcement).toHaveAttribute('aria-live', 'polite')
})
