// Run by `npm run package` beside the example dapp: a careful dapp passes under every history.
import { expect, test } from 'blinknet/playwright'
import { DAPP, paymentPage } from './dapps/payment.js'

test.use({
  storageState: {
    cookies: [
      {
        name: 'signed',
        value: 'in',
        domain: 'dapp.test',
        path: '/',
        expires: -1,
        httpOnly: false,
        secure: false,
        sameSite: 'Lax',
      },
    ],
    origins: [],
  },
  faults: {
    // Long enough for a busy machine: a run ends as soon as the page is as it should be.
    patienceMs: 20_000,
    depth: 1,
    judges: {
      'whoever is signed in stays so': async ({ page }) => {
        const cookie = await page.evaluate(() => document.cookie)
        return cookie === 'signed=in' ? undefined : `the cookie is ${JSON.stringify(cookie)}`
      },
    },
  },
})

test.beforeEach(async ({ page }) => {
  await page.route(DAPP, (route) => route.fulfill({ contentType: 'text/html', body: paymentPage('careful') }))
  await page.goto(DAPP)
})

test('a careful dapp keeps all rules in every history', async ({ page, chain, wallet }) => {
  await page.getByRole('button', { name: 'Pay' }).click()
  await chain.tick()
  await expect(page.getByText('On its way')).toBeVisible()
  await chain.seal()
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await expect(chain).toHaveSealed(wallet.lastTransaction)
})

test.afterEach(({}, info) => {
  const fates = info.annotations.find(({ type }) => type === 'fates')
  const histories = Number(/^(\d+) histories of/.exec(fates?.description ?? '')?.[1])
  expect(histories).toBeGreaterThan(10)
})
