import { watchMoves } from './moves.ts'
import { expect, type Playground, test, visit } from './playground.ts'
import { ALICE, BOB } from './token.ts'

/** Sends transfers from Alice's account, and pre-confirms them all. */
async function fillBlock({ page }: Playground, count: number): Promise<void> {
  await page.evaluate(
    async ([from, to, number]) => {
      const tx = { from, to, value: '0x1', gas: '0x5208' } as const
      for (let i = 0; i < number; i++) await window.devnet?.request({ method: 'eth_sendTransaction', params: [tx] })
      await window.devnet?.tick(1)
    },
    [ALICE, BOB, count] as const,
  )
}

test('a block is shown while it is pending and once it is sealed', async ({ playground, page }) => {
  await playground.open()
  await test.step('the pending block becomes the sealed one in place', async () => {
    await fillBlock(playground, 1)
    await visit(playground, '/block/1')
    await expect(page.getByRole('heading', { level: 1, name: 'Pending block #1' })).toBeVisible()
    const meter = page.getByRole('meter', { name: 'Gas used' })
    await expect(meter).toHaveAttribute('aria-valuetext', /^21,000 of /)
    await playground.tick(9)
    await expect(page.getByRole('heading', { level: 1, name: 'Block #1', exact: true })).toBeVisible()
    await expect(meter).toHaveAttribute('aria-valuetext', /^21,000 of /)
    await page.getByRole('link', { name: '#0' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Block #0' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Block #1', exact: true })).toBeVisible()
  })

  await test.step('a block shows its time, and its age by chain time', async () => {
    const header = page.getByRole('region', { name: 'Header' })
    await expect(header).toContainText(/ UTC · now/)
    await playground.tick(50)
    await expect(header).toContainText(/ UTC · 10 s ago/)
  })

  await test.step('an amount shows its wei when it is pressed, by pointer and by keyboard', async () => {
    const exact = page.getByRole('group', { name: 'Exact amount' })
    const value = playground.transactions.getByRole('button', { name: 'ETH' })
    await value.click()
    await expect(exact).toHaveText('1 wei')
    await value.click()
    await expect(exact).toHaveCount(0)

    const fee = page.getByRole('region', { name: 'Header' }).getByRole('button', { name: /gwei$/ })
    await fee.focus()
    await page.keyboard.press('Enter')
    await expect(exact).toHaveText(/^[\d,]+ wei$/)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Copy wei' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(exact).toHaveCount(0)
    await expect(fee).toBeFocused()
  })

  await test.step('a partial block of the strip filters the transactions of its block', async () => {
    for (const count of [1, 2]) await fillBlock(playground, count)
    await visit(playground, '/block/7')
    await expect(playground.transactions.getByRole('row')).toHaveCount(4)
    const choice = page.getByRole('button', { name: 'Only partial block 3' })
    await choice.click()
    await expect(choice).toHaveAttribute('aria-pressed', 'true')
    await expect(playground.transactions.getByRole('row')).toHaveCount(3)
    await page.getByRole('button', { name: 'Show all 3' }).click()
    await expect(playground.transactions.getByRole('row')).toHaveCount(4)
  })

  await test.step('Enter opens the selected transaction', async () => {
    await playground.tick(8)
    await fillBlock(playground, 1)
    await visit(playground, '/block/pending')
    await expect(playground.transactions.getByRole('row')).toHaveCount(2)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/tx\/0x/)
  })

  await test.step('holding the key keeps moving', async () => {
    await playground.tick(9)
    await fillBlock(playground, 5)
    await visit(playground, '/block/pending')
    await expect(playground.transactions.getByRole('row')).toHaveCount(6)
    for (let i = 0; i < 4; i++) await page.keyboard.down('j')
    await page.keyboard.up('j')
    await expect(playground.transactions.getByRole('row').nth(4).getByRole('link').first()).toBeFocused()
  })
})

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`nothing moves when the next pending block replaces the last, ${width} pixels wide`, async ({
    playground,
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await playground.open()
    await visit(playground, '/block/pending')
    await expect(page.getByRole('heading', { level: 1, name: 'Pending block #1' })).toBeVisible()
    await page.getByText('Hex', { exact: true }).click()
    const moved = await watchMoves(page)
    const foot = page.getByRole('contentinfo')
    for (const block of [1, 2]) {
      for (let partial = 0; partial < 9; partial++) await fillBlock(playground, block === 1 ? 4 : 1)
      const { live } = (await playground.request('devnet_status')) as { live: { number: string } }
      expect(Number(live.number)).toBe(block)
      await expect(playground.transactions.getByRole('row')).toHaveCount(block === 1 ? 37 : 10)
      // With the foot visible, where things move most.
      if (block === 1) await foot.scrollIntoViewIfNeeded()
      await playground.tick()
      await expect(page.getByRole('heading', { level: 1, name: `Pending block #${block + 1}` })).toBeVisible()
      await expect(playground.transactions.getByRole('row')).toHaveCount(1)
    }
    // A choice for one block stays for the next.
    await expect(page.getByRole('radio', { name: 'Hex' })).toBeChecked()
    const { value, moves } = await moved()
    expect(value, JSON.stringify(moves)).toBeLessThan(0.001)
  })
}

test('of a block with hundreds of transactions only visible rows are drawn; j and k move through them, and going back restores the place', async ({
  playground,
  page,
}) => {
  await playground.open()
  await fillBlock(playground, 300)
  await playground.tick(9)
  await visit(playground, '/block/1')
  const rows = playground.transactions.getByRole('row')
  await expect(playground.transactions).toHaveAttribute('aria-rowcount', '301')
  expect(await rows.count()).toBeLessThan(100)

  for (let i = 0; i < 3; i++) await page.keyboard.press('j')
  await page.keyboard.press('k')
  const third = playground.transactions.locator('[aria-rowindex="3"]').getByRole('link').first()
  await expect(third).toBeFocused()

  await page.mouse.wheel(0, 100_000)
  const last = playground.transactions.locator('[aria-rowindex="301"]')
  await expect(last).toBeInViewport()
  // The focused row is no longer drawn: moving continues from there.
  await page.keyboard.press('j')
  await expect(playground.transactions.locator('[aria-rowindex="4"]').getByRole('link').first()).toBeFocused()

  await page.mouse.wheel(0, 100_000)
  await last.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/tx\/0x/)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(last).toBeInViewport()
})

test('after a reload, old transactions are on the live screen, and their partial blocks are known', async ({
  playground,
  page,
}) => {
  await playground.open({ storage: 'stored' })
  await playground.tick(1)
  await fillBlock(playground, 2)
  // Far more blocks than the page fetches at first.
  await playground.tick(400)
  await page.reload()
  await playground.ready()
  await expect(playground.transactions.getByTestId('tx-row')).toHaveCount(2)
  for (const row of await playground.transactions.getByTestId('tx-row').all()) {
    await expect(row).toHaveAttribute('data-partial', '2')
  }
  await visit(playground, '/block/1')
  await playground.partialBlocks.getByRole('button', { name: 'Only partial block 3' }).click()
  await expect(page.getByRole('region', { name: 'Transactions', exact: true })).toContainText('only of partial block 3')
  await visit(playground, `/address/${BOB}`)
  await expect(playground.transactions.getByTestId('tx-row').first()).toHaveAttribute('data-partial', '2')
})
