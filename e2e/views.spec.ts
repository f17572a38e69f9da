import { expect, test } from './playground.ts'
import { expectStageFits } from './stage.ts'

test('the stage fits every size without scrolling, and its smallest text is a fortieth of the height', async ({
  playground,
  page,
}) => {
  // With all its keys, but standing still.
  await page.goto('/?view=projector&storage=off')
  await playground.ready()
  await playground.request('devnet_pause')
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await expect(playground.pendingBlock).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.keyboard.press('s')
  await expect(page.getByRole('status', { name: /^Transaction 0x\w+: in the mempool$/ })).toBeVisible()
  await page.keyboard.press('.')
  await expect(page.getByRole('status', { name: /^Transaction 0x\w+: pre-confirmed in block \d+/ })).toBeVisible()
  await expectStageFits(page)
})

test.describe('with a chain that windows share', () => {
  test.use({ storage: 'stored' })

  test('a clicker walks the scenes, and the speaker’s notes in a second window lead the stage', async ({
    playground,
    page,
  }) => {
    await playground.open()
    await page.goto('/?view=projector')
    await playground.ready()
    const transaction = page.getByRole('status', { name: /^Transaction 0x/ })
    const title = page.getByText(/^\d of 6 · /)
    await page.getByRole('button', { name: 'Begin the scenes' }).click()
    await expect(title).toHaveText('1 of 6 · What a block is')
    const opened = page.waitForEvent('popup')
    await page.keyboard.press('n')
    const notes = await opened
    await expect(notes.getByText('Scene 1 of 6 · What a block is')).toBeVisible()

    await notes.getByRole('button', { name: 'One transaction' }).click()
    await expect(title).toHaveText('2 of 6 · One transaction')
    await expect(transaction).toHaveAccessibleName(/in the mempool/)
    await notes.keyboard.press('PageDown')
    await expect(transaction).toHaveAccessibleName(/pre-confirmed/)

    await page.bringToFront()
    await page.keyboard.press('PageDown')
    await expect(transaction).toHaveAccessibleName(/sealed/)
    await expect(notes.getByText(/^The stage says: The block is sealed/)).toBeVisible()
    await page.keyboard.press('PageUp')
    await expect(page.getByRole('status').filter({ hasText: 'The next partial block takes it' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(title).toHaveCount(0)
    await expect(notes.getByText('Before the scenes')).toBeVisible()
    await page.goto('/')
    await expect(notes.getByText('No stage is open.')).toBeVisible()
    await expect(notes.getByRole('button', { name: 'Begin the scenes' })).toBeDisabled()
  })
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

test('the embed view shows a live block and a send button in a frame of any size, without scrolling', async ({
  playground,
  page,
}) => {
  await page.goto('/?view=embed&storage=off&clock=manual')
  await playground.ready()
  const send = page.getByRole('button', { name: 'Send transaction' })
  for (const [width, height] of [
    [320, 240],
    [600, 400],
    [390, 400],
    [1100, 300],
    [390, 361],
    [1100, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(send).toBeInViewport({ ratio: 1 })
    await expect(playground.pendingBlock).toBeInViewport({ ratio: 1 })
    const scrolls = () => page.evaluate(() => document.documentElement.scrollHeight > innerHeight)
    await expect.poll(scrolls, { message: `at ${width} × ${height}` }).toBe(false)
  }
})
