import { expect, test } from './playground.ts'

test('the projector view shows only the live chain, in large letters', async ({ playground, page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto('/?view=projector&clock=manual')
  await playground.ready()
  await expect(playground.pendingBlock).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.keyboard.press('s')
  await expect(page.getByRole('status', { name: /^Transaction 0x\w+: in the mempool$/ })).toBeVisible()
  await page.keyboard.press('.')
  await expect(page.getByRole('status', { name: /^Transaction 0x\w+: pre-confirmed in block 1/ })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^[\d,.]+ m?s$/ })).toHaveCount(1)
  const smallest = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT)
    let size = Number.POSITIVE_INFINITY
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement
      if (!element?.checkVisibility() || texts.currentNode.textContent?.trim() === '') continue
      if (element.getBoundingClientRect().width <= 4) continue
      const zoom = (element as HTMLElement & { currentCSSZoom?: number }).currentCSSZoom ?? 1
      size = Math.min(size, Number.parseFloat(getComputedStyle(element).fontSize) * zoom)
    }
    return size
  })
  expect(smallest).toBeGreaterThanOrEqual(24)
})

test('the embed view fits into a frame of another page of the site', async ({ playground, page }) => {
  await playground.open()
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.title = 'Chain'
    frame.width = '640'
    frame.height = '700'
    frame.src = '/?view=embed&storage=off&clock=manual'
    document.body.append(frame)
  })
  const frame = page.frameLocator('iframe[title="Chain"]')
  await expect(frame.getByRole('region', { name: 'Pending block' })).toContainText('Block #1')
  await expect(frame.getByRole('navigation')).toHaveCount(0)
  await frame.getByRole('button', { name: 'Send transaction' }).click()
  await expect(frame.getByText('1 transaction waiting')).toBeAttached()
  await frame.getByRole('link', { name: 'Block #1' }).click()
  await expect(frame.getByRole('heading', { name: 'Pending block #1' })).toBeVisible()
  await frame.getByRole('link', { name: 'Back to the live chain' }).click()
  await expect(frame.getByRole('region', { name: 'Pending block' })).toBeVisible()
})
