// Run by `npm run package`: dapps that break a promise, each in one way. All of these tests fail, and say why.
import { expect, test } from 'blinknet/playwright'
import { DAPP, type DappKind, paymentPage } from '../dapps/payment.js'

test.use({ faults: { patienceMs: 1_000, depth: 1 } })

for (const manner of ['hasty', 'trusting', 'stubborn', 'listening', 'careless'] satisfies DappKind[]) {
  test(`a ${manner} dapp`, async ({ page, chain }) => {
    await page.route(DAPP, (route) => route.fulfill({ contentType: 'text/html', body: paymentPage(manner) }))
    await page.goto(DAPP)
    await page.getByRole('button', { name: 'Pay' }).click()
    await chain.tick()
    await chain.seal()
    await expect(page.getByText(/Paid|Thank you/)).toBeVisible()
  })
}
