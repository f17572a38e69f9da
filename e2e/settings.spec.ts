import type { Page } from '@playwright/test'
import { expect, test } from './playground.ts'

test.use({ storage: 'stored' })

const panel = (page: Page, name: string) => page.getByRole('region', { name })

test('the current options are shown, and a chain with other options can be opened', async ({ playground, page }) => {
  await playground.open({ path: '/settings', seed: 42 })
  const chain = panel(page, 'Chain')
  await expect(chain.getByRole('definition').filter({ hasText: '42' })).toBeVisible()
  await expect(chain).toContainText('10 partial blocks, sealed every 2,000 ms')

  await chain.getByText('Open a chain with other options').click()
  await chain.getByLabel('Partial blocks per block').fill('0')
  await expect(chain.getByText('Enter a whole number from 1 to 100.')).toBeVisible()
  await expect(chain.getByRole('button', { name: 'Open this chain' })).toBeDisabled()
  await chain.getByLabel('Partial blocks per block').fill('5')
  await chain.getByRole('textbox', { name: 'Seed' }).fill('7')
  await chain.getByRole('radio', { name: 'Manual clock' }).check()
  await chain.getByRole('button', { name: 'Open this chain' }).click()
  await playground.ready()
  await expect(page).toHaveURL(/\/\?storage=off&seed=7&partials=5&clock=manual$/)
  await expect(playground.partialBlocks.getByRole('listitem')).toHaveCount(5)
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 7, partialsPerBlock: 5, mode: 'manual' })
})

test('theme and motion are kept, and accounts show their keys', async ({ playground, page }) => {
  await playground.open({ path: '/settings' })
  await test.step('theme and motion can be chosen and are stored', async () => {
    const looks = panel(page, 'Appearance')
    await looks.getByRole('radio', { name: 'Light' }).check()
    await looks.getByRole('radio', { name: 'Off' }).check()
    await page.reload()
    await playground.ready()
    await expect(looks.getByRole('radio', { name: 'Light' })).toBeChecked()
    await expect(looks.getByRole('radio', { name: 'Off' })).toBeChecked()
    await expect(page.locator(':root')).toHaveAttribute('data-motion', 'off')
  })

  await test.step('the development accounts are shown with their keys, and marked as public', async () => {
    const accounts = panel(page, 'Development accounts')
    await expect(accounts).toContainText('Public test keys: anyone can use them. Never send real money there.')
    const rows = accounts.getByRole('row')
    await expect(rows).toHaveCount(11)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // The button shows this for a moment: the page's time is stopped meanwhile.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1_000)
    await rows.nth(1).getByRole('button', { name: 'Copy private key of account 0' }).click()
    await expect(rows.nth(1).getByRole('button', { name: 'Private key of Account 0 copied' })).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  })
})

test('the clock can be controlled, and the dialogs of endpoint and storage opened', async ({ playground, page }) => {
  await playground.open({ path: '/settings', clock: 'auto' })
  const time = panel(page, 'Time')
  await time.getByRole('radio', { name: '0.5×' }).check()
  await expect.poll(() => playground.request('devnet_status')).toMatchObject({ speed: 0.5 })
  await time.getByRole('button', { name: 'Pause the chain' }).click()
  await expect(time.getByRole('button', { name: 'Resume the chain' })).toBeVisible()
  expect(await playground.request('devnet_status')).toMatchObject({ paused: true })

  await page.getByRole('button', { name: 'Connect to a remote chain…' }).click()
  await expect(page.getByRole('dialog', { name: 'Endpoint' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export, import or start fresh…' }).click()
  await expect(page.getByRole('dialog', { name: 'Chain storage' })).toBeVisible()
})
