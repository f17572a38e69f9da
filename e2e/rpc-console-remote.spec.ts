import { expect, test } from './remote-nodes.ts'

test('at an endpoint that does not list its methods, a method is called by name', async ({
  playground,
  page,
  nodes,
}) => {
  const node = await nodes.anvil()
  await page.goto(`/?rpc=${encodeURIComponent(node.webSocket)}`)
  await playground.ready()
  await playground.openConsole()
  await expect(page.getByText('The node does not list its methods')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search methods' }).fill('eth_chainId')
  await page.getByRole('button', { name: 'Call eth_chainId anyway' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('"0x7a69" 31,337')

  await page.getByText('Copy as code').click()
  await expect(page.getByRole('radio', { name: 'curl' })).toHaveCount(0)
  await page.getByRole('radio', { name: 'viem' }).check()
  await expect(page.getByText(`webSocket("${new URL(node.webSocket).href}")`)).toBeVisible()
})
