import { expect, test } from './playground.ts'

test('the chain in the page returns its OpenRPC document, which its worker loads', async ({ playground, page }) => {
  await playground.open()
  const { openrpc, names } = await page.evaluate(async () => {
    const document = await window.devnet?.request({ method: 'rpc_discover' })
    return { openrpc: document?.openrpc, names: document?.methods.map(({ name }) => name) }
  })
  expect(openrpc).toMatch(/^1\./)
  expect(names).toContain('rpc_discover')
})
