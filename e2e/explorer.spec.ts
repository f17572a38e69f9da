import { toHex } from 'viem'
import { expect, type Playground, test, visit } from './playground.ts'
import { ALICE, BOB, deployToken, sendFrom, transferData } from './token.ts'

/** Sends transfers of Bob and has them pre-confirmed. */
async function transfer(playground: Playground, count: number): Promise<void> {
  await playground.page.evaluate(
    async ([from, to, times]) => {
      for (let i = 0; i < times; i++) {
        await window.devnet?.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
      }
    },
    [BOB, ALICE, count] as const,
  )
  await playground.tick()
}

test('the explorer’s lists follow the chain, are filtered, and lead to what they list', async ({
  playground,
  page,
}) => {
  await playground.open()
  await playground.populate()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Explore' }).click()
  const blocks = page.getByRole('table', { name: 'Blocks' }).getByRole('row')

  await test.step('blocks, the pending one first', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Blocks' })).toBeVisible()
    await expect(blocks.nth(1)).toContainText('#2, pending')
    await expect(blocks.nth(2)).toContainText('#1, sealed')
    await expect(blocks.nth(1).getByRole('img')).toHaveAccessibleName(/^1 transaction in partial block \d$/)
    await playground.tick(9)
    await expect(blocks.nth(1)).toContainText('#3, pending')
    await expect(blocks.nth(2)).toContainText('#2, sealed')
    await page.getByText('With transactions', { exact: true }).click()
    await expect(blocks).toHaveCount(3)
    await expect(page).toHaveURL(/f\.with=some/)
  })

  await test.step('transactions, each as soon as it is pre-confirmed', async () => {
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Transactions' }).click()
    await expect(page).not.toHaveURL(/f\.with/)
    await expect(playground.transactions.getByRole('row')).toHaveCount(3)
    await transfer(playground, 1)
    const newest = playground.transactions.getByRole('row').nth(1)
    await expect(newest).toContainText('Pre-confirmed')
    await playground.tick(9)
    await expect(newest).toContainText('Sealed')
    await page.getByLabel('From').fill('account 1')
    await expect(playground.transactions.getByRole('row')).toHaveCount(2)
    await page.getByText('Failed', { exact: true }).click()
    await expect(page.getByRole('heading', { name: 'No such transactions' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect(playground.transactions.getByRole('row')).toHaveCount(4)
    await expect(page.getByLabel('From')).toHaveValue('')
  })

  await test.step('a link opens the same view', async () => {
    await visit(playground, '/')
    await expect(page.getByRole('heading', { level: 1, name: /^A chain/ })).toBeVisible()
    await page.evaluate(() => {
      history.pushState(null, '', `/explore/transactions?f.from=Account+1&${location.search.slice(1)}`)
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await expect(page.getByLabel('From')).toHaveValue('Account 1')
    await expect(playground.transactions.getByRole('row')).toHaveCount(2)
  })

  await test.step('rows are walked by keyboard, and Enter opens one', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Transaction 0x/ })).toBeVisible()
  })

  await test.step('accounts are found by name and by the beginning of their address', async () => {
    await visit(playground, '/explore/accounts')
    const accounts = page.getByRole('table', { name: 'Accounts' }).getByRole('row')
    await expect(accounts.nth(1)).toContainText('Account 0')
    await page.getByLabel('Find').fill('account 7')
    await expect(accounts).toHaveCount(2)
    await page.getByLabel('Find').fill(ALICE.slice(0, 8))
    await expect(accounts).toHaveCount(2)
    await expect(accounts.nth(1)).toContainText('Account 0')
  })
})

test('new transactions are counted while older ones are looked at, and the place is in the address', async ({
  playground,
  page,
}) => {
  await playground.open()
  for (let i = 0; i < 4; i++) {
    await transfer(playground, 40)
    await playground.tick(10)
  }
  await visit(playground, '/explore/transactions')
  const foot = page.getByRole('status').filter({ hasText: 'transactions' })
  await expect(foot).toContainText('50 transactions, down to block')
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(foot).toContainText('150 transactions')
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(foot).toContainText('160 transactions, down to the first block')
  await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden()

  // The middle: the end would be in sight with the place of a later row.
  await page.mouse.wheel(0, 2_000)
  await expect(page).toHaveURL(/at=\d+\.\d+/)
  const place = new URL(page.url()).searchParams.get('at') ?? ''
  await transfer(playground, 3)
  const newer = page.getByRole('button', { name: '3 new' })
  await expect(newer).toBeVisible()
  await newer.click()
  await expect(newer).toBeHidden()
  await expect(foot).toContainText('163 transactions')
  await expect(page).not.toHaveURL(/at=/)

  await page.evaluate((at) => {
    history.pushState(null, '', `/explore/transactions?at=${at}&${location.search.slice(1)}`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, place)
  const [block, index] = place.split('.').map(Number)
  const hash = (await playground.request('eth_getTransactionByBlockNumberAndIndex', [
    toHex(block ?? 0),
    toHex((index ?? 0) - 1),
  ])) as { hash: string }
  await expect(playground.transactions.getByRole('row').nth(1)).toHaveAttribute('data-hash', hash.hash)
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(playground.transactions.getByRole('row').nth(1)).toContainText('#5')
  await expect(page).not.toHaveURL(/at=/)
})

test('events are filtered by contract, event, argument and blocks', async ({ playground, page }) => {
  await playground.open()
  const { address: token } = await deployToken(playground)
  await playground.tick(10)
  for (const amount of [5n, 7n]) {
    await sendFrom(playground, { from: ALICE, to: token, input: transferData(BOB, amount), gas: '0x186a0' })
    await playground.tick(10)
  }
  await visit(playground, '/explore/events')
  const events = page.getByRole('table', { name: 'Events' }).getByRole('row')
  await expect(events.nth(1)).toContainText('Transfer')
  const all = await events.count()
  await page.getByRole('combobox', { name: 'Argument' }).fill('Account 1')
  await expect(events).toHaveCount(3)
  await page.getByRole('combobox', { name: 'Argument' }).fill('7')
  await expect(events).toHaveCount(2)
  await expect(events.nth(1)).toContainText('7')
  await page.getByRole('textbox', { name: 'Event' }).fill('Approval')
  await expect(page.getByRole('heading', { name: 'No such events' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Event' }).fill('Transfer')
  await page.getByRole('combobox', { name: 'Argument' }).fill('')
  await page.getByRole('combobox', { name: 'Contract' }).fill(token)
  await expect(events).toHaveCount(all)
  await page.getByRole('textbox', { name: 'Blocks' }).fill('3-')
  await expect(events).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Contract' }).fill('0x12')
  await expect(page.getByRole('heading', { name: 'Check the filters' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(events).toHaveCount(all)

  await events.nth(1).getByRole('link', { name: 'Transfer' }).click()
  await expect(page).toHaveURL(/\/tx\/0x[\da-f]{64}\/logs/)
})

test('a screen’s code loads when its link is pointed at, and the screen then opens at once', async ({
  playground,
  page,
}) => {
  await playground.open()
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Explore' })
  const script = page.waitForResponse(/ExploreScreen[^/]*\.js/)
  await link.hover()
  await (await script).finished()
  // What the script needs is loaded and run.
  await page.waitForLoadState('networkidle')
  const heading = await link.evaluate(async (element: HTMLElement) => {
    element.click()
    await new Promise((resolve) => setTimeout(resolve))
    return document.querySelector('h1')?.textContent
  })
  expect(heading).toBe('Blocks')
})
