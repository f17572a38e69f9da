import { AS_VISITOR } from './playground.ts'
import { CHAIN_ID, callIn, expect, openAt, test } from './service-worker.ts'

test.use(AS_VISITOR)

test('after one visit the page opens offline, at any of its addresses', async ({ page, host }) => {
  const playground = await openAt(page, `${host.url}?clock=manual`)
  await host.close()

  await page.reload()
  await playground.ready()
  await expect(playground.pendingBlock).toContainText('Block #1')
  expect(await callIn(page, 'eth_chainId')).toMatchObject(CHAIN_ID)

  await page.goto(`${host.url}block/0?clock=manual`)
  await playground.ready()
  await expect(page.getByRole('heading', { name: /Block #0/ })).toBeVisible()
  expect(playground.complaints).toEqual([])
})

test('the next visit loads a new build, which then also opens offline', async ({ page, host, context }) => {
  const playground = await openAt(page, `${host.url}?clock=manual`)
  const before = await page.evaluate(() => caches.keys())
  await host.deployNext()

  const second = await context.newPage()
  const next = await openAt(second, `${host.url}?clock=manual`)
  await expect(second.locator('#root.next')).toBeAttached()
  const isInstalled = async () => {
    const registration = await navigator.serviceWorker.ready
    return registration.installing === null && registration.waiting === null && (await caches.keys()).length === 2
  }
  await expect.poll(() => second.evaluate(isInstalled)).toBe(true)
  expect(await second.evaluate(() => caches.keys())).toEqual(expect.arrayContaining(before))
  for (const tab of [page, second]) expect(await callIn(tab, 'eth_chainId')).toMatchObject(CHAIN_ID)

  await host.close()
  await second.reload()
  await next.ready()
  await expect(second.locator('#root.next')).toBeAttached()
  expect([...playground.complaints, ...next.complaints]).toEqual([])
})
