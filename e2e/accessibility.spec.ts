import { AS_VISITOR, expect, test } from './playground.ts'

test.use(AS_VISITOR)

test('the whole story works by keyboard', async ({ playground, page }) => {
  await playground.open()
  await playground.sendButton.focus()
  const hash = await playground.sendTransferBy(() => page.keyboard.press('Enter'))
  await page.keyboard.press('.')
  await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
})

test('changes of an own transaction are announced politely', async ({ playground, page }) => {
  await playground.open()
  await playground.sendTransfer()
  await playground.tick()
  const announcement = page.getByText(/^Transaction 0x\w{4}…\w{4} pre-confirmed in block 1$/)
  await expect(announcement).toHaveAttribute('aria-live', 'polite')
})
