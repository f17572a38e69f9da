import { expectNoFindingsInBothThemes } from './axe.ts'
import { joinedWords } from './joined-words.ts'
import { expect, test } from './remote-nodes.ts'

test('the page of a server of several chains shows the one of its path, and its menu leads to the others', async ({
  playground,
  page,
  nodes,
}) => {
  const node = await nodes.blinknet(['--chains', 'l1=1,base=8453', '--pool', '--clock', 'manual'])
  const { host } = new URL(node.http)
  await page.goto(node.http)
  await playground.ready()
  await expect(page.getByRole('button', { name: `Endpoint: ${host}`, exact: true })).toBeVisible()
  await playground.chainButton.click()
  const chains = page.getByRole('navigation', { name: 'Chains of this server' })
  await expect(chains.getByRole('link')).toHaveText(['l1 chain 1', 'base chain 8453'])
  await expect.poll(() => joinedWords(page)).toEqual([])
  await expect(chains.getByRole('link', { name: 'l1' })).toHaveAttribute('aria-current', 'page')
  await expectNoFindingsInBothThemes(page, 'chains of a server')

  await chains.getByRole('link', { name: 'base' }).click()
  await expect(page).toHaveURL(`${node.http}/base/`)
  await playground.ready()
  await expect(page.getByRole('button', { name: `Endpoint: ${host}/base`, exact: true })).toBeVisible()
  const hash = await playground.sendTransfer()
  await playground.tick()

  await test.step('links stay below the path, and a reload shows the same screen of the same chain', async () => {
    await playground.openTransaction(hash)
    await expect(page).toHaveURL(`${node.http}/base/tx/${hash}`)
    await page.reload()
    await playground.ready()
    await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByText(`${node.http}/base`, { exact: true })).toBeVisible()
  })

  await test.step('the other chain knows nothing of it', async () => {
    await page.goto(`${node.http}/l1/tx/${hash}`)
    await playground.ready()
    await expect(page.getByRole('heading', { level: 1, name: /not found/i })).toBeVisible()
  })

  await test.step('a chain on demand has a page, too', async () => {
    await page.goto(`${node.http}/pool/worker-1/base/`)
    await playground.ready()
    await expect(page.getByRole('button', { name: `Endpoint: ${host}/pool/worker-1/base` })).toBeVisible()
    await playground.chainButton.click()
    const made = page.getByRole('navigation', { name: 'Chains on demand' })
    await expect(made.getByRole('link', { name: 'worker-1/base', exact: true })).toHaveAttribute('aria-current', 'page')
  })
})

test('the page of a server of one chain lists none', async ({ playground, page, nodes }) => {
  const node = await nodes.blinknet(['--clock', 'manual'])
  await page.goto(node.http)
  await playground.ready()
  await playground.chainButton.click()
  await expect(page.getByRole('button', { name: 'Step' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Chains of this server' })).toHaveCount(0)
})

test('a dapp’s wallet goes to another chain of the server for real, and to no other', async ({
  playground,
  page,
  nodes,
}) => {
  const node = await nodes.blinknet(['--chains', 'l1=1,base=8453', '--clock', 'manual'])
  await page.goto(`${node.http}/l1/`)
  await playground.ready()
  const call = (method: string, params: readonly unknown[] = []) =>
    page.evaluate(
      async (request) => {
        const wallet = (window as unknown as { ethereum: { request(call: unknown): Promise<unknown> } }).ethereum
        try {
          return await wallet.request(request)
        } catch (error) {
          return { code: (error as { code: unknown }).code }
        }
      },
      { method, params },
    )
  const dialog = page.getByRole('dialog')
  const accounts = call('eth_requestAccounts')
  await dialog.getByRole('button', { name: 'Connect 1 account' }).click()
  const [from] = (await accounts) as string[]
  expect(await call('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toEqual({ code: 4902 })

  const switched = call('wallet_switchEthereumChain', [{ chainId: '0x2105' }])
  await expect(dialog).toContainText('wants its wallet to be on base (chain 8453)')
  await expectNoFindingsInBothThemes(page, 'switch of the chain')
  await dialog.getByRole('button', { name: 'Switch' }).click()
  expect(await switched).toBeNull()
  expect(await call('eth_chainId')).toBe('0x2105')

  const sent = call('eth_sendTransaction', [{ from, to: from, value: '0x1' }])
  await expect(dialog).toContainText('on the chain base (8453)')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const hash = await sent
  expect(await call('eth_getTransactionByHash', [hash])).toMatchObject({ hash, chainId: '0x2105' })
  await page.goto(`${node.http}/base/tx/${String(hash)}`)
  await playground.ready()
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
})
