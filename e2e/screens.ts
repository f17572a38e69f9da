import { expect, type Playground } from './playground.ts'

/** Every screen of the page and how a person gets there; each leaves the page on it, with something to see. */
export const SCREENS: readonly { readonly name: string; readonly visit: (playground: Playground) => Promise<void> }[] =
  [
    { name: 'live', visit: async (playground) => void (await playground.populate()) },
    {
      name: 'transaction',
      visit: async (playground) => playground.openTransaction(await playground.populate()),
    },
    {
      name: 'sealed block',
      visit: async (playground) => {
        await playground.populate()
        await playground.openSealedBlock(1)
      },
    },
    {
      name: 'pending block',
      visit: async (playground) => {
        await playground.populate()
        await playground.openPendingBlock()
      },
    },
    {
      name: 'faults in force',
      visit: async (playground) => {
        await playground.populate()
        await playground.request('devnet_stallPartialBlocks', [5])
        await expect(playground.page.getByRole('region', { name: 'Faults in force' })).toBeVisible()
      },
    },
    {
      name: 'RPC console',
      visit: async (playground) => {
        await playground.populate()
        await playground.openConsole()
        const { page } = playground
        // A few of each: axe takes its time for every method and every row.
        await page.getByRole('searchbox', { name: 'Search methods' }).fill('eth_get balance')
        await page.getByRole('searchbox', { name: 'Filter by method or error' }).fill('eth_getBalance')
        await playground.runInConsole('eth_getBalance')
        await page.getByRole('button', { name: 'Pin', exact: true }).click()
        await page.getByRole('table', { name: 'Calls' }).getByRole('button').first().click()
      },
    },
    {
      name: 'send',
      visit: async ({ page }) => {
        await page.getByRole('link', { name: 'Send', exact: true }).click()
        await page.getByText('The same with viem').click()
        await page.getByRole('button', { name: 'Sign & send' }).click()
        await expect(page.getByRole('region', { name: 'Sent' })).toBeVisible()
      },
    },
    { name: 'send, call', visit: (playground) => openView(playground, 'Call') },
    {
      name: 'errors',
      visit: async (playground) => {
        await openView(playground, 'Errors')
        const card = playground.page.getByRole('article', { name: 'Intrinsic gas' })
        await card.getByRole('button', { name: 'Trigger' }).click()
        await expect(card.getByText('As the protocol says')).toBeVisible()
      },
    },
    {
      name: 'waiting transaction',
      visit: async ({ page }) => {
        await page.getByRole('link', { name: 'Send', exact: true }).click()
        await page.getByLabel('Nonce').fill('3')
        await page.getByRole('button', { name: 'Sign & send' }).click()
        await page.getByRole('region', { name: 'Sent' }).getByRole('link').click()
        await expect(page.getByRole('button', { name: 'Speed up' })).toBeEnabled()
      },
    },
    {
      name: 'unknown transaction',
      visit: (playground) => playground.openNothing(`/tx/0x${'ab'.repeat(32)}`, 'No such transaction'),
    },
    {
      name: 'unknown block',
      visit: (playground) => playground.openNothing('/block/999', 'Block #999 does not exist yet'),
    },
    { name: 'no such page', visit: (playground) => playground.openNothing('/nowhere', 'There is no such page') },
  ]

async function openView({ page }: Playground, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await page.getByRole('radio', { name, exact: true }).check()
}
