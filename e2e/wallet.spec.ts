import type { Page } from '@playwright/test'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { expect, Playground, test } from './playground.ts'

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

test('a dapp’s wallet goes to another chain of this browser for real, and the page stays on its own', async ({
  playground,
  page,
}) => {
  for (const query of ['chain=ten&chainId=10', 'chain=twin&chainId=10', 'chain=home']) {
    await page.goto(`/?${query}&clock=manual`)
    await playground.ready()
  }
  const frame = await openFrame(page)
  const accounts = call(frame, 'eth_requestAccounts')
  await dialog(page).getByRole('button', { name: 'Connect 1 account' }).click()
  const [from] = (await accounts) as string[]

  await test.step('an id of no chain is error 4902, a refusal 4001', async () => {
    expect(await call(frame, 'wallet_switchEthereumChain', [{ chainId: '0xb' }])).toEqual({ code: 4902 })
    const refused = call(frame, 'wallet_switchEthereumChain', [{ chainId: '0xa' }])
    await expect(dialog(page)).toContainText('/dapp.html wants its wallet to be on ten (chain 10)')
    await dialog(page).getByRole('button', { name: 'Reject' }).click()
    expect(await refused).toEqual({ code: 4001 })
    expect(await call(frame, 'eth_chainId')).toBe('0x7a69')
  })

  const hash = await test.step('of two with the id the person chooses one, and what is sent is there', async () => {
    const switched = call(frame, 'wallet_switchEthereumChain', [{ chainId: '0xa' }])
    await dialog(page).getByRole('combobox', { name: 'Chain' }).selectOption('twin')
    await expect(dialog(page)).toContainText('wants its wallet to be on twin (chain 10)')
    await dialog(page).getByRole('button', { name: 'Switch' }).click()
    expect(await switched).toBeNull()
    expect(await call(frame, 'eth_chainId')).toBe('0xa')
    expect(await call(frame, 'eth_accounts')).toEqual([from])
    const sent = call(frame, 'eth_sendTransaction', [{ from, to: from, value: '0x1' }])
    await expect(dialog(page)).toContainText('/dapp.html, on the chain twin (10)')
    await dialog(page).getByRole('button', { name: 'Send' }).click()
    return (await sent) as string
  })
  const find = ['eth_getTransactionByHash', [hash]] as const
  expect(await call(frame, ...find)).toMatchObject({ hash, chainId: '0xa' })
  expect(await playground.request(...find)).toBeNull()
  expect(await playground.request('eth_chainId')).toBe('0x7a69')

  await test.step('another tab of that chain follows this page, and runs it once no dapp is on it', async () => {
    const other = new Playground(await page.context().newPage())
    await other.page.goto('/?chain=twin&chainId=10&clock=manual')
    await other.ready()
    expect(await other.request(...find)).toMatchObject({ hash, blockNumber: null })
    await call(frame, 'devnet_tick', [10])
    await expect.poll(() => other.request(...find)).toMatchObject({ blockNumber: '0x1' })
    const runners = async () => {
      const { held = [] } = await other.page.evaluate(() => navigator.locks.query())
      return held.filter(({ name }) => name === 'blinknet:/:twin').map(({ clientId }) => clientId)
    }
    const before = await runners()
    expect(before).toHaveLength(1)
    const back = call(frame, 'wallet_switchEthereumChain', [{ chainId: '0x7a69' }])
    await expect(dialog(page)).toContainText('the chain of this page (chain 31337)')
    await dialog(page).getByRole('button', { name: 'Switch' }).click()
    expect(await back).toBeNull()
    expect(await call(frame, ...find)).toBeNull()
    // A call that is under way while the chain changes hands may fail, as nobody knows whether it took effect.
    await expect.poll(async () => (await runners()).filter((runner) => !before.includes(runner))).toHaveLength(1)
    await other.tick(10)
    expect(await other.request('eth_blockNumber')).toBe('0x2')
    expect(await runners()).toHaveLength(1)
    expect(other.complaints).toEqual([])
    await other.page.close()
  })

  await test.step('the other chain with that id has nothing of it', async () => {
    await page.goto(`/tx/${hash}?chain=ten`)
    await playground.ready()
    await expect(page.getByRole('heading', { level: 1, name: /not found/i })).toBeVisible()
    await page.goto(`/tx/${hash}?chain=twin`)
    await playground.ready()
    await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
  })
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

  test('axe finds nothing on the choice among chains with one id', async ({ playground, page }) => {
    for (const query of ['chain=ten&chainId=10', 'chain=twin&chainId=10', 'chain=home']) {
      await page.goto(`/?${query}&clock=manual`)
      await playground.ready()
    }
    await discover(page)
    const switched = call(page, 'wallet_switchEthereumChain', [{ chainId: '0xa' }])
    await expect(dialog(page).getByRole('combobox', { name: 'Chain' })).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'wallet_switchEthereumChain')
    await dialog(page).getByRole('button', { name: 'Reject' }).click()
    expect(await switched).toEqual({ code: 4001 })
  })
})
