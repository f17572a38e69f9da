import type { Locator } from '@playwright/test'
import { expectNoFindingsInBothThemes } from './axe.ts'
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
    const title = page.getByText(/^\d of 8 · /)
    await page.getByRole('button', { name: 'Begin the scenes' }).click()
    await expect(title).toHaveText('1 of 8 · What a block is')
    const opened = page.waitForEvent('popup')
    await page.keyboard.press('n')
    const notes = await opened
    await expect(notes.getByText('Scene 1 of 8 · What a block is')).toBeVisible()

    await notes.getByRole('button', { name: 'One transaction' }).click()
    await expect(title).toHaveText('2 of 8 · One transaction')
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

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

test('the stage goes black and shows the code by a key, hides the speaker’s keys, and closes with what it measured', async ({
  playground,
  page,
}) => {
  test.slow()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto('/?view=projector&storage=off')
  await playground.ready()
  await expect(playground.pendingBlock).toBeVisible()
  const black = page.getByRole('img', { name: /^The stage is black/ })
  await test.step('B is black, and Esc does not leave the stage', async () => {
    await page.keyboard.press('b')
    await expect(black).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(black).toHaveCount(0)
    await expect(page).toHaveURL(/view=projector/)
  })
  await test.step('Q never shows a code that phones cannot open', async () => {
    await page.keyboard.press('q')
    const code = page.getByRole('region', { name: 'Code for phones' })
    await expect(code).toContainText('Phones cannot join yet')
    await expect(code.getByRole('img')).toHaveCount(0)
    await expectNoFindingsInBothThemes(page, 'the code before the stage')
    await page.keyboard.press('q')
    await expect(code).toHaveCount(0)
  })
  await test.step('what the spotlight leaves can still be read', async () => {
    await playground.sendTransfer()
    await page.keyboard.press('l')
    await expect(page.locator('[data-lit]')).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'the stage, with the spotlight')
    await page.keyboard.press('l')
  })
  await test.step('the speaker’s keys hide until the mouse moves', async () => {
    const isSeen = (part: Locator) => part.evaluate((el) => el.checkVisibility({ opacityProperty: true }))
    const keys = page.getByRole('button', { name: 'Begin the scenes' })
    await expect.poll(() => isSeen(keys)).toBe(false)
    await test.step('what a key led to is told all the same', async () => {
      await page.keyboard.press('2')
      const told = page.getByRole('region', { name: 'Controls' }).getByRole('button', { name: 'Dismiss' })
      await expect(told).toBeVisible()
      expect([await isSeen(told), await isSeen(keys)]).toEqual([true, false])
      await told.dispatchEvent('click')
      await expect(told).toHaveCount(0)
    })
    await page.mouse.move(200, 200)
    await expect.poll(() => isSeen(keys)).toBe(true)
  })
  await test.step('sentences of any length leave everything where it is', async () => {
    /** Runs inside the page, so that both are of one moment: which scene is shown, and where the pending block is. */
    const seen = () =>
      page.evaluate(() => ({
        scene: /(\d) of 8 · /.exec(document.querySelector('main')?.textContent ?? '')?.[1],
        top: [...document.querySelectorAll('main section')]
          .find((section) => section.getAttribute('aria-label') === 'Pending block')
          ?.getBoundingClientRect()
          .top.toFixed(0),
      }))
    const title = page.getByText(/^\d of 8 · /)
    const sentence = title.locator('..').getByRole('status')
    const { top } = await seen()
    expect(top).toBeDefined()
    await page.keyboard.press('s')
    for (let press = 0; press < 20; press++) {
      const { scene, top: now } = await seen()
      if (scene !== undefined && Number(scene) > 5) break
      expect(now, `scene ${scene}`).toBe(top)
      const before = scene === undefined ? '' : await sentence.innerText()
      await page.keyboard.press('PageDown')
      // Without this the next look is at the scene before, and one press too many follows.
      await expect(sentence).not.toHaveText(before)
    }
    await page.keyboard.press('PageDown')
    await expect(title).toHaveText('7 of 8 · The same on your phone')
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toHaveCount(0)
  })
  await test.step('the closing picture has what was measured', async () => {
    await page.keyboard.press('PageDown')
    const closing = page.getByRole('region', { name: 'The numbers of the evening' })
    await expect(closing).toBeVisible()
    // What the scenes sent was slowed down or withdrawn, which says nothing about the usual time.
    await page.keyboard.press('s')
    await expect(closing).toContainText(/Pre-confirmed after[\d,]+ ms/)
    await expect(closing).toContainText(/Transactions[1-9]/)
    await page.mouse.move(300, 300)
    await expectNoFindingsInBothThemes(page, 'the closing picture')
    await expectStageFits(page)
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
