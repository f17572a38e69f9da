// Run by `npm run package`: dapps that break a promise, each in one way. All of these tests fail, and say why.
import { expect, test } from 'blinknet/playwright'
import { DAPP, type DappKind, paymentPage } from '../dapps/payment.js'

/** What it takes to find each; one is looked for among all histories, as dapps are. */
const DAPPS = {
  hasty: ['withdraw'],
  trusting: ['lose'],
  stubborn: undefined,
  listening: ['lose'],
  careless: ['refuse'],
} as const satisfies Partial<Record<DappKind, readonly string[] | undefined>>

for (const [manner, kinds] of Object.entries(DAPPS)) {
  test.describe(`a ${manner} dapp`, () => {
    test.use({ faults: { patienceMs: 1_000, depth: 1, kinds } })

    test('is found', async ({ page, chain }) => {
      await page.route(DAPP, (route) =>
        route.fulfill({ contentType: 'text/html', body: paymentPage(manner as DappKind) }),
      )
      await page.goto(DAPP)
      await page.getByRole('button', { name: 'Pay' }).click()
      await chain.tick()
      await chain.seal()
      await expect(page.getByText(/Paid|Thank you/)).toBeVisible()
    })
  })
}
