import { AS_VISITOR, expect, test } from './playground.ts'

test.use(AS_VISITOR)

const notice = 'This chain is only in memory'

test('A4: a link that sets up the chain leaves the stored one alone until the person says otherwise', async ({
  page,
  playground,
}) => {
  await playground.open({ path: '/', seed: 7, storage: 'asked' })
  await expect(page.getByRole('region', { name: notice })).toContainText('asks for a chain that differs')
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 7, mode: 'manual' })
  await page.goto('/')
  await playground.ready()
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 1, mode: 'auto' })
  expect(await playground.request('devnet_getStorage')).toMatchObject({ kind: 'journal' })
})

test('A4: the person may have the chain of a link stored, which then comes back after a reload', async ({
  page,
  playground,
}) => {
  await playground.open({ seed: 7, storage: 'asked' })
  await page.getByRole('button', { name: 'Start it over and store it' }).click()
  await expect(page.getByRole('region', { name: notice })).toHaveCount(0)
  const hash = await playground.sendTransfer()
  await page.reload()
  await playground.ready()
  expect(await playground.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
})
