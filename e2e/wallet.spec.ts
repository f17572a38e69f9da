import type { Page } from '@playwright/test'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { expect, test } from './playground.ts'

interface Found {
  readonly info: { readonly name: string; readonly rdns: string }
  readonly provider: DappProvider
}
interface DappProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on(event: string, listener: (payload: unknown) => void): void
}
declare global {
  interface Window {
    wallets?: Found[]
    heard?: unknown[]
  }
}

/** A dapp's code to find wallets; a service worker would hide the route of its page from the test. */
test.use({ serviceWorkers: 'block' })

const DAPP = `<!doctype html><title>A dapp</title><h1>A dapp</h1>
<script>
  window.wallets = []
  addEventListener('eip6963:announceProvider', ({ detail }) => wallets.push(detail))
</script>
<script src="/wallet.js"></script>`

type Frame = Pick<Page, 'evaluate' | 'waitForFunction'>

/** Calls the wallet found by the dapp; returns the error if it refuses. */
function call(dapp: Frame, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return dapp.evaluate(
    async (request) => {
      try {
        return await window.wallets?.at(0)?.provider.request(request)
      } catch (error) {
        return { code: (error as { code: unknown }).code }
      }
    },
    { method, params },
  )
}

/** Makes scripts of the page itself look for wallets. */
async function discover(page: Page): Promise<void> {
  await page.evaluate(() => {
    const found: Found[] = []
    window.wallets = found
    addEventListener('eip6963:announceProvider', (event) => found.push((event as CustomEvent<Found>).detail))
    dispatchEvent(new Event('eip6963:requestProvider'))
  })
}

async function openFrame(page: Page): Promise<Frame> {
  await page.context().route('**/dapp.html', (route) => route.fulfill({ contentType: 'text/html', body: DAPP }))
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.src = '/dapp.html'
    frame.title = 'A dapp'
    document.body.append(frame)
  })
  await expect(page.frameLocator('iframe[title="A dapp"]').getByRole('heading', { name: 'A dapp' })).toBeVisible()
  const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
  if (!frame) throw new Error('there is no frame')
  await frame.waitForFunction(() => (window.wallets?.length ?? 0) > 0)
  return frame
}

const dialog = (page: Page) => page.getByRole('dialog')

test('a person is asked before a script of the page has the wallet', async ({ playground, page }) => {
  await playground.open()
  await test.step('Esc refuses, with error 4001', async () => {
    await discover(page)
    const accounts = call(page, 'eth_requestAccounts')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    expect(await accounts).toEqual({ code: 4001 })
    await expect(dialog(page)).toBeHidden()
    expect(await call(page, 'eth_accounts')).toEqual([])
  })

  await test.step('questions come one at a time', async () => {
    await discover(page)
    const frame = await openFrame(page)
    const first = call(page, 'eth_requestAccounts')
    await expect(dialog(page)).toContainText('A script of this page')
    const second = call(frame, 'eth_requestAccounts')
    await expect(dialog(page)).toContainText('1 more question to answer after this one')
    await expect(dialog(page)).toHaveCount(1)
    await dialog(page).getByRole('button', { name: 'Reject' }).click()
    await expect(dialog(page)).toContainText('/dapp.html')
    await dialog(page)
      .getByRole('button', { name: /^Connect/ })
      .click()
    expect(await first).toEqual({ code: 4001 })
    expect(await second).toHaveLength(1)
  })

  await test.step('a script of the page finds the wallet, the person is asked, and the script gets the shared accounts', async () => {
    await discover(page)
    expect(await page.evaluate(() => window.wallets?.map(({ info }) => info.rdns))).toEqual(['dev.blinknet'])
    expect(await call(page, 'eth_accounts')).toEqual([])

    const accounts = call(page, 'eth_requestAccounts')
    await expect(dialog(page)).toContainText('Public test keys: anyone can use them. Never send real money there.')
    await dialog(page)
      .getByRole('checkbox', { name: /Account 0/ })
      .uncheck()
    await expect(dialog(page).getByRole('button', { name: 'Connect 0 accounts' })).toBeDisabled()
    await dialog(page)
      .getByRole('checkbox', { name: /Account 3/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Connect 1 account' }).click()
    expect(await accounts).toEqual(['0x90f79bf6eb2c4f870365e785982e1f101e93b906'])
    expect(await call(page, 'eth_accounts')).toEqual(['0x90f79bf6eb2c4f870365e785982e1f101e93b906'])
  })
})

test('an existing wallet stays window.ethereum, beside Blinknet', async ({ playground, page }) => {
  await page.addInitScript(() => {
    window.ethereum = { isOther: true }
  })
  await playground.open()
  await discover(page)
  expect(await page.evaluate(() => window.ethereum)).toEqual({ isOther: true })
  expect(await page.evaluate(() => window.wallets?.length)).toBe(1)
})

test('a dapp in a frame of the origin connects, signs and sends, each with a question in the page', async ({
  playground,
  page,
}) => {
  await playground.open()
  const frame = await openFrame(page)
  await frame.evaluate(() => {
    window.heard = []
    window.wallets?.[0]?.provider.on('accountsChanged', (accounts) => window.heard?.push(accounts))
  })
  const accounts = call(frame, 'eth_requestAccounts')
  await expect(dialog(page)).toContainText('/dapp.html wants to see your accounts')
  await dialog(page).getByRole('button', { name: 'Connect 1 account' }).click()
  const [own] = (await accounts) as string[]
  expect(await frame.evaluate(() => window.heard)).toEqual([[own]])

  const signature = call(frame, 'personal_sign', ['0x48656c6c6f', own])
  await expect(dialog(page).getByRole('region', { name: 'Message' })).toHaveText('Hello')
  await dialog(page).getByRole('button', { name: 'Sign' }).click()
  expect(await signature).toMatch(/^0x[\da-f]{130}$/)

  const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  const hash = call(frame, 'eth_sendTransaction', [{ to, value: '0x2386f26fc10001' }])
  await expect(dialog(page)).toContainText('0.010000000000000001 ETH')
  await dialog(page).getByRole('checkbox', { name: 'Don’t ask again for this page' }).check()
  await dialog(page).getByRole('button', { name: 'Send' }).click()
  expect(await hash).toMatch(/^0x[\da-f]{64}$/)
  await playground.tick()
  expect(await call(frame, 'eth_getTransactionByHash', [await hash])).toMatchObject({ from: own, blockNumber: '0x1' })

  expect(await call(frame, 'eth_sendTransaction', [{ to, value: '0x1' }])).toMatch(/^0x/)
  await expect(dialog(page)).toBeHidden()
  expect(await call(frame, 'wallet_revokePermissions', [{ eth_accounts: {} }])).toBe(null)
  expect(await call(frame, 'eth_accounts')).toEqual([])
})

test('a dapp in a window opened by the page has the wallet until the page goes away', async ({ playground, page }) => {
  await playground.open()
  await page.context().route('**/dapp.html', (route) => route.fulfill({ contentType: 'text/html', body: DAPP }))
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/dapp.html'))
  const dapp = await opened
  await dapp.waitForFunction(() => (window.wallets?.length ?? 0) > 0)
  expect(await call(dapp, 'eth_chainId')).toBe('0x7a69')
  const pending = call(dapp, 'eth_requestAccounts')
  await expect(dialog(page)).toBeVisible()
  await page.close()
  expect(await pending).toEqual({ code: 4900 })
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('axe finds nothing on the wallet’s questions', async ({ playground, page }) => {
    await playground.open()
    await discover(page)
    const accounts = call(page, 'eth_requestAccounts')
    await expect(dialog(page)).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'eth_requestAccounts')
    await dialog(page)
      .getByRole('button', { name: /^Connect/ })
      .click()
    const [own] = (await accounts) as string[]
    const typed = {
      types: { EIP712Domain: [], A: [{ name: 'b', type: 'string' }] },
      primaryType: 'A',
      message: { b: '' },
    }
    for (const [method, params] of [
      ['personal_sign', ['0x48656c6c6f', own]],
      ['eth_signTypedData_v4', [own, typed]],
      ['eth_sendTransaction', [{ from: own, data: '0x6000' }]],
    ] as const) {
      const answer = call(page, method, params)
      await expect(dialog(page)).toBeVisible()
      await expectNoFindingsInBothThemes(page, method)
      await dialog(page).getByRole('button', { name: 'Reject' }).click()
      expect(await answer).toEqual({ code: 4001 })
    }
  })
})
