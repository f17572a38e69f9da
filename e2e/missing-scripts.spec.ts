import type { Page } from '@playwright/test'
import { test as base, expect } from './playground.ts'

/** Errors that nothing has handled, promises among them. A request that the test lets fail is logged besides, which is no error. */
const test = base.extend<{ unhandled: string[] }>({
  unhandled: async ({ playground, page }, use) => {
    const unhandled: string[] = []
    page.on('pageerror', (error) => unhandled.push(error.message))
    await use(unhandled)
    expect(unhandled).toEqual([])
    playground.complaints.length = 0
  },
})

/** Lets the scripts with such names fail from now on; returns the names of those that the page has asked for. */
async function lose(page: Page, names: RegExp): Promise<string[]> {
  const lost: string[] = []
  await page.route(/\/assets\/[^/]+\.js$/, (route) => {
    const name = new URL(route.request().url()).pathname.replace(/^.*\//, '')
    if (!names.test(name)) return route.continue()
    lost.push(name)
    return route.abort()
  })
  return lost
}

test('whatever is opened when no script comes any more, the page says so and nothing is left unhandled', async ({
  playground,
  page,
  unhandled,
}) => {
  await playground.open()
  await playground.populate()
  const lost = await lose(page, /./)
  const dialogs = [
    () => page.keyboard.press('?'),
    () => page.getByRole('button', { name: 'Share' }).click(),
    () => page.getByRole('button', { name: 'Connect' }).click(),
  ]
  for (const open of dialogs) {
    await open()
    const dialog = page.getByRole('dialog', { name: 'This dialog could not be shown' })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
  }
  for (const screen of ['Explore', 'Send', 'Contracts', 'RPC', 'Settings']) {
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen, exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'This screen could not be shown' })).toBeVisible()
  }
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Live' }).click()
  await expect(playground.pendingBlock).toBeVisible()
  await playground.tick()
  expect(lost.length).toBeGreaterThan(5)
  expect(unhandled).toEqual([])
})

test('a replaced transaction is shown as such, though the script that keeps it does not come', async ({
  playground,
  page,
  unhandled,
}) => {
  const lost = await lose(page, /^keep-replaced-/)
  await playground.open({ storage: 'stored' })
  const [from, to] = (await playground.request('eth_accounts')) as [string, string]
  const send = (maxFeePerGas: string) =>
    playground.request('eth_sendTransaction', [
      { from, to, value: '0x1', nonce: '0x0', gas: '0x5208', maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas },
    ])
  const first = (await send('0x77359400')) as `0x${string}`
  await expect(page.getByTestId('tx-row')).toHaveAttribute('data-state', 'mempool')
  const second = await send('0xee6b2800')
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  await playground.tick()
  await expect(page.locator(`[data-hash="${String(second)}"]`)).toHaveAttribute('data-state', 'preconfirmed')
  await page
    .locator(`[data-hash="${String(second)}"]`)
    .getByRole('link')
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /^Transaction/ })).toBeVisible()
  await expect(page.getByText(/^It replaced/)).toContainText(first.slice(0, 6))
  expect(unhandled).toEqual([])
})

test('a link that wants a load says so when the script for it does not come', async ({ page, unhandled }) => {
  const lost = await lose(page, /^live-tools-/)
  const alerts = page.getByRole('alert').filter({ hasText: 'A part of the page could not be loaded' })
  // Parts of the live screen are in the same file.
  await page.goto('/?storage=off')
  await expect(alerts).toHaveCount(4)
  await page.goto('/?load=10&storage=off')
  await expect(alerts).toHaveCount(5)
  expect(lost).not.toEqual([])
  expect(unhandled).toEqual([])
})

test('a page that cannot start without a script says so', async ({ page, unhandled }) => {
  const lost = await lose(page, /^remote-session-|^start-fork-/)
  for (const query of ['?rpc=http://127.0.0.1:9', '?fork=http://127.0.0.1:9']) {
    await page.goto(`/${query}`)
    await expect(page.getByText('A part of the page could not be loaded')).toBeVisible()
  }
  expect(lost).not.toEqual([])
  expect(unhandled).toEqual([])
})
