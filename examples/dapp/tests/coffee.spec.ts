import { expect, test } from 'blinknet/playwright'

const SHOP = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PRICE = 10n ** 16n

// The dapp calls this address; in the tests it is the chain of the test, and nothing listens there.
test.use({ rpcUrls: ['http://localhost:8545'] })

test('a payment shows at once, and is done when it is sealed', async ({ page, chain, wallet }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay' }).click()
  // The wallet is asked, the dapp sends: the tick waits for that.
  await chain.tick()
  await expect(chain).toHavePreconfirmed(wallet.lastTransaction)
  await expect(page.getByText('Your coffee is being made')).toBeVisible()
  await expect(chain).not.toHaveSealed(wallet.lastTransaction)
  await chain.seal()
  await expect(chain).toHaveSealed(wallet.lastTransaction)
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
})

test('the shop has the price, and not a wei more', async ({ page, chain }) => {
  await page.goto('/')
  await expect(chain).toChangeBalance(SHOP, PRICE, async () => {
    await page.getByRole('button', { name: 'Pay' }).click()
    await chain.tick()
  })
})

test('a pre-confirmation that is taken back is told, and the payment still arrives', async ({
  page,
  chain,
  wallet,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('On its way')).toBeVisible()
  await chain.tick()
  await expect(page.getByText('Your coffee is being made')).toBeVisible()
  await chain.dropPartialBlocks()
  await expect(page.getByText('Not so fast')).toBeVisible()
  await chain.seal()
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await expect(chain).toHaveSealed(wallet.lastTransaction)
})

test('in a browser without a wallet a test account of the chain pays', async ({ page, chain }) => {
  await page.addInitScript(() =>
    window.addEventListener('eip6963:announceProvider', (event) => event.stopImmediatePropagation()),
  )
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Pays with a test account of the chain')
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByRole('status')).toHaveText('On its way')
  await chain.tick()
  await expect(page.getByRole('status')).toHaveText('Your coffee is being made')
})

test.describe('in every way that one fault can break the promise', () => {
  test.use({ faults: { depth: 1 } })

  test('the shop says what the chain says', async ({ page, chain }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Pay' }).click()
    await chain.tick()
    await chain.seal()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  })
})

test('every test begins at block 0', async ({ chain, wallet }) => {
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  expect(() => wallet.lastTransaction).toThrow('no dapp has sent a transaction')
})

test.describe('a person who looks at each request', () => {
  test.use({ wallet: { approve: 'manual', account: 2 } })

  test('may reject it', async ({ page, wallet }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Pay' }).click()
    expect(await wallet.approve()).toMatchObject({ kind: 'connect' })
    expect(await wallet.refuse()).toMatchObject({ kind: 'transactions', account: wallet.address.toLowerCase() })
    await expect(page.getByText('You rejected it')).toBeVisible()
    expect(wallet.transactions).toEqual([])
  })
})

test.describe('on a running clock', () => {
  test.use({ chain: { clock: 'auto', partialMs: 50 } })

  test('a payment is made without a word to the chain', async ({ page, chain, wallet }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    await expect(chain).toHaveSealed(wallet.lastTransaction)
  })
})
