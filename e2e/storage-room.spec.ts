import type { Page } from '@playwright/test'
import { expect, Playground, test } from './playground.ts'
import { press } from './storage-dialog.ts'

test.use({ storage: 'stored' })

/** The script that the node's worker starts with; the file that it shares with others is not meant. */
const NODE_WORKER = /\/node-worker-(?!shared)[^/]+\.js$/

/** Limits the browser's storage for the site; without a number it removes the limit. */
async function limitStorage(page: Page, baseURL: string | undefined, quotaSize?: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { origin } = new URL(baseURL ?? '')
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) })
}

/** Sends large transactions until the node refuses one; returns that error. */
const fill = (page: Page) =>
  page.evaluate(async () => {
    const request = (method: string, params: readonly unknown[]) => window.devnet?.request({ method, params })
    const [from] = (await request('eth_accounts', [])) as string[]
    for (let i = 0; i < 60; i++) {
      // Repetitive data would be compressed.
      const noise = crypto.getRandomValues(new Uint8Array(50_000))
      const input = `0x${Array.from(noise, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
      try {
        await request('eth_sendTransaction', [{ from, to: from, input }])
      } catch (error) {
        const { code, data } = error as { code: number; data: unknown }
        return { code, data }
      }
    }
    return 'nothing was refused'
  })

test('transactions are refused without room to store them, and the chain continues once there is room', async ({
  playground,
  page,
  baseURL,
}) => {
  await limitStorage(page, baseURL, 1_500_000)
  await playground.open()
  await playground.sendTransfer()
  expect(await fill(page)).toEqual({ code: -32000, data: { journal: 'quota' } })
  // Refused transactions are not in the mempool.

  await limitStorage(page, baseURL)
  await playground.tick(10)
  await expect(page.getByRole('region', { name: 'The chain is not being stored' })).toBeHidden()
  expect(await playground.request('evm_mine')).toBe('0x0')
})

test('for as long as no write succeeds the page says that the chain is not being stored', async ({
  playground,
  page,
}) => {
  // Makes every write of the node fail while the page says so, as on a full disk.
  await page.context().route(NODE_WORKER, async (route) => {
    const response = await route.fetch()
    const refuseWrites = `
      let full = false
      const switchboard = new BroadcastChannel('full disk')
      switchboard.onmessage = ({ data }) => { full = data; switchboard.postMessage('done') }
      for (const name of ['put', 'delete', 'clear']) {
        const write = IDBObjectStore.prototype[name]
        IDBObjectStore.prototype[name] = function (...args) {
          if (full) throw new DOMException('the disk is full', 'QuotaExceededError')
          return write.apply(this, args)
        }
      };`
    await route.fulfill({ response, body: refuseWrites + (await response.text()) })
  })
  const setFull = (full: boolean) =>
    page.evaluate(
      (value) =>
        new Promise<void>((resolve) => {
          const switchboard = new BroadcastChannel('full disk')
          switchboard.onmessage = () => resolve()
          switchboard.postMessage(value)
        }),
      full,
    )
  await playground.open()
  const [from] = (await playground.request('eth_accounts')) as string[]
  await setFull(true)
  await playground.refusal('eth_sendTransaction', [{ from, to: from }])
  const notice = page.getByRole('region', { name: 'The chain is not being stored' })
  await expect(notice).toContainText('Transactions are refused until the chain can be stored again.')
  await setFull(false)
  await playground.tick()
  await expect(notice).toBeHidden()
})

test('without room to open the chain, a chain in memory is offered', async ({ playground, page, baseURL }) => {
  await limitStorage(page, baseURL, 1)
  await page.goto('/?clock=manual')
  await expect(page.getByRole('heading', { level: 1, name: 'No space left for the chain' })).toBeVisible()
  await press(page, 'Use a chain in memory instead')
  await playground.ready()
  await playground.sendTransfer()
})

test('a browser without storage has a chain in memory, and the page says so', async ({ playground, page }) => {
  await page.route(NODE_WORKER, async (route) => {
    const response = await route.fetch()
    const hide = "Object.defineProperty(self, 'indexedDB', { value: undefined });"
    await route.fulfill({ response, body: hide + (await response.text()) })
  })
  await playground.open()
  await expect(page.getByRole('region', { name: 'This chain is only in memory' })).toContainText('no IndexedDB')
  const hash = await playground.sendTransfer()
  await playground.tick()
  await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)

  const second = new Playground(await page.context().newPage())
  await second.open()
  await expect(second.page.getByRole('banner')).toContainText('runs in another tab')
  expect(await second.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
  await expect(second.page.getByRole('region', { name: 'This chain is only in memory' })).toContainText(
    'The chain ends when the tab that runs it is closed or reloaded.',
  )
  await page.close()
  await expect(second.page.getByRole('banner')).toContainText('runs in this tab')
  expect(await second.request('eth_getTransactionByHash', [hash])).toBeNull()
  await second.sendTransfer()
})
