import { expect, test } from 'blinknet/playwright'
import { parseEther } from 'viem'
import { DUCAT } from '../contracts/ducat.mjs'
import { DUCAT_ADDRESS, HOLDER, SHELTER } from '../contracts/places.mjs'

const GIFT = parseEther('100')

// Each test begins at the block of the real chain that the file names, without its endpoint.
test.use({ chain: { fork: 'tests.fork' }, rpcUrls: ['http://localhost:8545'] })

test('a holder of the real chain gives', async ({ page, chain, wallet }) => {
  await wallet.use(HOLDER)
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByLabel('Your Ducats')).toHaveText('1000000 Ducats')
  await expect(chain).toChangeBalances(
    { [HOLDER]: -GIFT, [SHELTER]: GIFT },
    async () => {
      await page.getByRole('button', { name: 'Give 100 Ducats' }).click()
      await expect(page.getByText('On its way')).toBeVisible()
      await chain.tick()
    },
    { token: DUCAT_ADDRESS },
  )
  await expect(chain).toHaveEmitted(wallet.lastTransaction, {
    abi: DUCAT.abi,
    event: 'Transfer',
    args: { from: HOLDER, to: SHELTER, value: GIFT },
  })
  await expect(chain).toHaveStorage(
    DUCAT_ADDRESS,
    { layout: DUCAT.storageLayout, variable: 'balanceOf', keys: [SHELTER] },
    GIFT,
  )
  await chain.seal()
  await expect(page.getByText('Thank you')).toBeVisible()
  await expect(page.getByLabel('Your Ducats')).toHaveText('999900 Ducats')
})

test('who has no Ducats is told so, and sends nothing', async ({ page, wallet }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Give 100 Ducats' }).click()
  await expect(page.getByText('You have too little')).toBeVisible()
  expect(wallet.transactions).toEqual([])
})

test('a gift whose pre-confirmation is withdrawn is not thanked for', async ({ page, chain, wallet }) => {
  await wallet.use(HOLDER)
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Give 100 Ducats' }).click()
  await expect(page.getByText('On its way')).toBeVisible()
  await chain.tick()
  await expect(chain).toHavePreconfirmed(wallet.lastTransaction)
  await chain.withdrawNext('lose')
  await chain.seal()
  await expect(page.getByText('On its way')).toBeVisible()
  await expect(page.getByText('Thank you')).toBeHidden()
})
