import type { Frame, Page } from '@playwright/test'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { AS_VISITOR, expect, Playground, test } from './playground.ts'

// A dapp that batches (EIP-5792), as dapps do it: it asks for the capability, and has a branch for each answer.
const DAPP = `<!doctype html><title>A shop</title><h1>A shop</h1>
<button id="buy" disabled>Approve and buy</button> <output id="said"></output>
<script>
  let wallet
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    wallet = detail.provider
    document.getElementById('buy').disabled = false
  })
  const shop = '0x00000000000000000000000000000000000005a0'
  const calls = [{ to: shop, value: '0x1' }, { to: shop, value: '0x2' }]
  const say = (text) => { document.getElementById('said').textContent = text }
  const request = (method, ...params) => wallet.request({ method, params })
  document.getElementById('buy').onclick = async () => {
    try {
      const [from] = await request('eth_requestAccounts')
      const chainId = await request('eth_chainId')
      const { [chainId]: { atomic } } = await request('wallet_getCapabilities', from, [chainId])
      if (atomic.status === 'unsupported') {
        for (const call of calls) await request('eth_sendTransaction', { from, ...call })
        return say('sent one by one')
      }
      const { id } = await request('wallet_sendCalls', { version: '2.0.0', from, chainId, atomicRequired: true, calls })
      window.bundle = id
      say(atomic.status + ': sent at once')
    } catch ({ code }) {
      say('refused: ' + code)
    }
  }
</script>
<script src="/wallet.js"></script>`

/** The wallet's contract, on every chain. */
const DELEGATE = '0xec9a85657ffd012a7e5fdbc07e63d8cfa830d6e0'

/** What the wallet answers about the dapp's bundle. */
const STATUS = ['wallet_getCallsStatus'] as const

async function openShop(page: Page): Promise<Frame> {
  await page.context().route('**/shop.html', (route) => route.fulfill({ contentType: 'text/html', body: DAPP }))
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.src = '/shop.html'
    frame.title = 'A shop'
    document.body.append(frame)
  })
  await expect(page.frameLocator('iframe[title="A shop"]').getByRole('heading', { name: 'A shop' })).toBeVisible()
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/shop.html'))
  if (!frame) throw new Error('there is no frame')
  // The wallet's script is there.
  await expect(frame.getByRole('button', { name: 'Approve and buy' })).toBeEnabled()
  return frame
}

async function buy(frame: Frame): Promise<void> {
  await frame.getByRole('button', { name: 'Approve and buy' }).dispatchEvent('click')
}

const dialog = (page: Page) => page.getByRole('dialog')
const said = (frame: Frame) => frame.locator('output')
const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).click()

async function openWith(playground: Playground, atomic?: string): Promise<void> {
  await playground.page.goto(`/?clock=manual&storage=off${atomic === undefined ? '' : `&atomic=${atomic}`}`)
  await playground.ready()
}

test('ready: the page says what the account becomes, and the dapp’s calls are one transaction', async ({
  playground,
  page,
}) => {
  await openWith(playground, 'ready')
  const frame = await openShop(page)
  await test.step('who refuses the upgrade sends nothing', async () => {
    await buy(frame)
    await press(page, 'Connect 1 account')
    await expect(dialog(page).getByRole('heading', { name: 'Upgrade the account?' })).toBeVisible()
    await expect(dialog(page)).toContainText('becomes delegated to this contract of the wallet (EIP-7702)')
    await expect(dialog(page)).toContainText(DELEGATE)
    await press(page, 'Reject')
    await expect(said(frame)).toHaveText('refused: 5750')
  })
  await test.step('who agrees to it is asked about the calls, and may refuse those', async () => {
    await buy(frame)
    await press(page, 'Upgrade')
    await expect(dialog(page).getByRole('heading', { name: 'Send 2 calls as one transaction?' })).toBeVisible()
    await press(page, 'Reject')
    await expect(said(frame)).toHaveText('refused: 4001')
    expect(await playground.request('txpool_status')).toMatchObject({ pending: '0x0' })
  })
  await test.step('all or none of them', async () => {
    await buy(frame)
    await press(page, 'Upgrade')
    await press(page, 'Send')
    await expect(said(frame)).toHaveText('ready: sent at once')
    const id = await frame.evaluate(() => (window as { bundle?: string }).bundle)
    expect(await playground.request(...STATUS, [id])).toMatchObject({ status: 100, atomic: true })
    await playground.tick()
    expect(await playground.request(...STATUS, [id])).toMatchObject({ status: 200, atomic: true, receipts: [{}] })
  })
  await test.step('the next bundle asks for no upgrade', async () => {
    await buy(frame)
    await expect(dialog(page).getByRole('heading', { name: 'Send 2 calls as one transaction?' })).toBeVisible()
    await press(page, 'Send')
    await expect(said(frame)).toHaveText('supported: sent at once')
  })
})

test('unsupported, as without the option: the same dapp takes its other branch', async ({ playground, page }) => {
  await openWith(playground)
  const frame = await openShop(page)
  await buy(frame)
  await press(page, 'Connect 1 account')
  for (const value of ['0.000000000000000001 ETH', '0.000000000000000002 ETH']) {
    await expect(dialog(page)).toContainText(value)
    await press(page, 'Send')
  }
  await expect(said(frame)).toHaveText('sent one by one')
})

test('who connects a dapp chooses which branch it takes', async ({ playground, page }) => {
  await openWith(playground)
  await page.getByRole('button', { name: 'Connect a dapp' }).click()
  const choice = dialog(page).getByRole('combobox', { name: 'Bundles of calls' })
  await expect(choice).toHaveValue('unsupported')
  await choice.selectOption('supported')
  await expect.poll(() => playground.request('devnet_status')).toMatchObject({ atomic: 'supported' })
  await expect(choice).toHaveValue('supported')
  await page.keyboard.press('Escape')
  const frame = await openShop(page)
  await buy(frame)
  await press(page, 'Connect 1 account')
  await press(page, 'Send')
  await expect(said(frame)).toHaveText('supported: sent at once')
})

test.describe('of a stored chain', () => {
  test.use(AS_VISITOR)
  // A service worker would hide the route of the dapp's page from the test.
  test.use({ serviceWorkers: 'block' })

  test('the status of a bundle is there after a reload', async ({ playground, page }) => {
    await page.goto('/?chain=shop&clock=manual&atomic=supported')
    await playground.ready()
    await playground.storeChain()
    const frame = await openShop(page)
    await buy(frame)
    await press(page, 'Connect 1 account')
    await press(page, 'Send')
    await expect(said(frame)).toHaveText('supported: sent at once')
    const id = await frame.evaluate(() => (window as { bundle?: string }).bundle)
    await page.reload()
    await playground.ready()
    expect(await playground.request(...STATUS, [id])).toMatchObject({ id, status: 100, atomic: true })
    await playground.tick()
    const done = await playground.request(...STATUS, [id])
    expect(done).toMatchObject({ id, status: 200, atomic: true })

    // The page knows the contract by its code, and what the account calls in it.
    const { receipts } = done as { receipts: { transactionHash: string }[] }
    await page.goto(`/tx/${receipts[0]?.transactionHash}?chain=shop`)
    await expect(page.getByText('execute', { exact: true }).first()).toBeVisible()
    await page.goto(`/address/${DELEGATE}?chain=shop`)
    await expect(page.getByText('Batch delegate').first()).toBeVisible()
  })
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('axe finds nothing on the question about the upgrade', async ({ playground, page }) => {
    await openWith(playground, 'ready')
    const frame = await openShop(page)
    await buy(frame)
    await press(page, 'Connect 1 account')
    await expect(dialog(page).getByRole('heading', { name: 'Upgrade the account?' })).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'upgrade')
    await press(page, 'Upgrade')
    await expect(dialog(page).getByRole('heading', { name: /Send 2 calls/ })).toBeVisible()
  })
})
