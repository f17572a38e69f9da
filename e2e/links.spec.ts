import { expect, Playground, test } from './playground.ts'

test.use({ storage: 'stored' })

const notice = 'This chain is only in memory'

test('a link with chain options does not touch the stored chain until the person agrees', async ({
  page,
  playground,
  context,
}) => {
  await playground.open({ path: '/', seed: 7, storage: 'asked' })
  await expect(page.getByRole('region', { name: notice })).toContainText('This link has options of its own')
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 7, mode: 'manual' })

  // A second tab without options joins that chain, says so, and can have it stored with its own options.
  const second = new Playground(await context.newPage())
  await second.page.goto('/')
  await second.ready()
  expect(await second.request('devnet_status')).toMatchObject({ seed: 7 })
  const hash = await second.sendTransfer()
  await expect(second.page.getByRole('region', { name: notice })).toContainText('Another tab runs it.')
  await second.page.getByRole('button', { name: 'Start it over and store it' }).click()
  for (const tab of [second, playground]) {
    await expect(tab.page.getByRole('region', { name: notice })).toHaveCount(0)
    await expect.poll(() => tab.request('devnet_getStorage')).toMatchObject({ kind: 'journal' })
    expect(await tab.request('devnet_status')).toMatchObject({ seed: 1, mode: 'auto' })
    expect(await tab.request('eth_getTransactionByHash', [hash])).toBeNull()
  }
  await second.page.close()
  await page.goto('/')
  await playground.ready()
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 1, mode: 'auto' })
  expect(await playground.request('devnet_getStorage')).toMatchObject({ kind: 'journal' })
})

test('the person may store the chain of a link, which then survives a reload', async ({ page, playground }) => {
  await playground.open({ seed: 7, storage: 'asked' })
  await page.getByRole('button', { name: 'Start it over and store it' }).click()
  await expect(page.getByRole('region', { name: notice })).toHaveCount(0)
  const hash = await playground.sendTransfer()
  await page.reload()
  await playground.ready()
  expect(await playground.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
})
