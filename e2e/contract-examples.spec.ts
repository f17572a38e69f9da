import type { Page } from '@playwright/test'
import { COMPILE_MS, compile, deploy, openContracts } from './contracts.ts'
import { expect, test } from './playground.ts'
import { BOB } from './token.ts'

const call = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const events = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Events' }).getByRole('listitem').filter({ hasText: name })

async function bid(page: Page, eth: string): Promise<void> {
  await call(page, 'bid').getByLabel('Amount in ETH').fill(eth)
  await page.getByRole('button', { name: 'Send bid' }).click()
}

/** An accepted bid. The clock is manual, so the bid must be in the mempool before the tick. */
async function place(page: Page, eth: string): Promise<void> {
  await bid(page, eth)
  await expect(call(page, 'bid').getByRole('status', { name: /^Transaction/ })).toHaveAccessibleName(/in the mempool/)
}

test.beforeEach(async ({ playground }) => {
  test.slow()
  await playground.open()
  await openContracts(playground)
})

test('the examples of a token and of an auction work, and so do the compiler’s options', async ({
  playground,
  page,
}) => {
  await test.step('a token is deployed and transferred, and its event is shown before the block is sealed', async () => {
    await deploy(playground, 'Token (ERC-20)', 'Token')
    await expect(page.getByLabel('Answer of symbol')).toContainText('BLK')
    const transfer = call(page, 'transfer')
    await transfer.getByLabel('Argument 1: to, address').fill(BOB)
    await transfer.getByLabel('Argument 2: value, uint256').fill('250')
    await transfer.getByRole('button', { name: 'Send transfer' }).click()
    await expect(transfer.getByRole('status', { name: /^Transaction/ })).toHaveAccessibleName(/in the mempool/)
    await expect(events(page, 'Transfer')).toHaveCount(1)

    await playground.tick()
    const moved = events(page, 'Transfer').filter({ hasText: 'Account 1' })
    await expect(moved).toContainText('Pre-confirmed')
    await expect(moved).toContainText('250')
    const balance = call(page, 'balanceOf')
    await balance.getByLabel('Argument 1: owner, address').fill(BOB)
    await balance.getByRole('button', { name: 'Call: balanceOf' }).click()
    await expect(page.getByLabel('Answer of balanceOf')).toHaveText(/^250 = <0.000001 /)

    await playground.tick(8)
    await expect(moved).toContainText('Sealed')
    await moved.getByRole('link', { name: 'block #1' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
    await page.getByRole('link', { name: 'Blinknet, home' }).click()
    await expect(playground.transactions.getByRole('row').filter({ hasText: 'transfer' })).toHaveCount(1)
  })

  await test.step('two bidders outbid each other within one block, and a bid that is too low is refused', async () => {
    await openContracts(playground)
    await deploy(playground, 'Auction')
    await place(page, '1')
    await playground.tick()
    await expect(events(page, 'Bid')).toHaveCount(1)
    await expect(events(page, 'Bid')).toContainText('Account 0')

    await page.getByRole('region', { name: 'Write' }).getByLabel('From').selectOption('1')
    await bid(page, '1.01')
    await expect(call(page, 'bid').getByRole('alert')).toContainText('TooLow')
    await place(page, '1.5')
    await playground.tick()
    await expect(events(page, 'Bid')).toHaveCount(2)
    for (const event of await events(page, 'Bid').all()) {
      await expect(event).toContainText('Pre-confirmed')
      await expect(event).toContainText('block #2')
    }
    await expect(page.getByLabel('Answer of highestBidder')).toHaveText(/Account 1/)
    await expect(page.getByLabel('Answer of highestBid', { exact: true })).toHaveText('1,500,000,000,000,000,000')
    await playground.tick(7)
    await expect(events(page, 'Bid').filter({ hasText: 'Sealed' })).toHaveCount(2)
  })

  await test.step('compiler options change the output, and invalid ones get a message', async () => {
    await page.getByLabel('Example').selectOption('Token (ERC-20)')
    await compile(page)
    const size = page.getByText(/[\d,]+ bytes of code/)
    const optimized = await size.innerText()

    await page.getByText(/^Compiler options: optimizer for/).click()
    const runs = page.getByLabel('Runs')
    await runs.fill('0')
    await expect(runs).toHaveAccessibleDescription(/Enter a whole number from 1/)
    await runs.fill('10000')
    await expect(page.getByText(/^Compiler options: optimizer for 10,000 runs/)).toBeVisible()
    await page.getByRole('checkbox', { name: 'Optimizer' }).uncheck()
    await page.getByLabel('EVM version').selectOption('paris')
    await expect(page.getByText('Compiler options: no optimizer, EVM version paris')).toBeVisible()
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    await expect.poll(() => size.innerText(), { timeout: COMPILE_MS }).not.toBe(optimized)
  })
})

test('a compilation is cancelled, and the next one works', async ({ page }) => {
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Compile', exact: true })).toBeEnabled()
  await expect(page.getByText(/^Compiled /)).toBeHidden()
  await compile(page)
})
