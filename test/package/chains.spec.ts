// Run by `npm run package` beside the example dapp: a test with two chains, as a dapp and as a person meet them.
import { expect, test } from 'blinknet/playwright'

const L1 = 'http://localhost:8545'
const BASE = 'http://localhost:9545/rpc'
const STRANGER = '0x00000000000000000000000000000000000000aa'

test.use({
  chains: { l1: { chainId: 1 }, base: { chainId: 8453 } },
  rpcUrls: { [L1]: 'l1', [BASE]: 'base', 'http://localhost:8545/base': 'base' },
})

type Answer = { readonly result?: unknown; readonly error?: { readonly code: number } }

test('a dapp switches, and its chain, its balances, its signatures and its transactions are those of the other one', async ({
  page,
  chain,
  chains,
  wallet,
}) => {
  expect(chains.names).toEqual(['l1', 'base'])
  expect(chains['l1']).toBe(chain)
  await page.goto('/')
  const ask = (method: string, params: readonly unknown[] = []) =>
    page.evaluate((call) => window.ethereum.request(call).catch((error: { code: number }) => error.code), {
      method,
      params,
    })
  await ask('eth_requestAccounts')
  await page.evaluate(() => {
    window.heard = []
    for (const name of ['accountsChanged', 'chainChanged']) {
      window.ethereum.on(name, (payload) => window.heard.push([name, payload]))
    }
  })
  expect(await ask('eth_chainId')).toBe('0x1')
  expect(await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toBe(4902)
  expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])).toBeNull()
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual([['chainChanged', '0x2105']])
  expect(await ask('eth_chainId')).toBe('0x2105')
  expect(wallet.chainId).toBe(8453)

  await chains.get('base').request({ method: 'anvil_setBalance', params: [STRANGER, '0x5'] })
  expect(await ask('eth_getBalance', [STRANGER, 'latest'])).toBe('0x5')
  expect(typeof (await ask('eth_sendTransaction', [{ to: STRANGER, value: '0x1', chainId: '0x1' }]))).toBe('number')
  expect(wallet.transactions).toEqual([])
  await ask('eth_sendTransaction', [{ to: STRANGER, value: '0x1' }])
  await chains.tick()
  await expect(chains.get('base')).toHavePreconfirmed(wallet.lastTransaction)
  await expect(chains.get('l1')).not.toHavePreconfirmed(wallet.lastTransaction)
})

test('each address is its chain, over HTTP and WebSocket, and the longer path wins', async ({ page }) => {
  await page.goto('/')
  const chainIdAt = (url: string) =>
    page.evaluate(async (address) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
      const headers = { 'Content-Type': 'application/json' }
      return ((await (await fetch(address, { method: 'POST', headers, body })).json()) as Answer).result
    }, url)
  expect(await Promise.all([L1, `${L1}/?key=1`, `${L1}/base`, BASE].map(chainIdAt))).toEqual([
    '0x1',
    '0x1',
    '0x2105',
    '0x2105',
  ])
  const overSocket = page.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket('ws://localhost:9545/rpc')
        socket.onmessage = ({ data }) => resolve(JSON.parse(data as string))
        socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
      }),
  )
  expect(await overSocket).toMatchObject({ result: '0x2105' })
})

test('faults are those of one chain', async ({ chains }) => {
  const [l1, base] = [chains.get('l1'), chains.get('base')]
  await base.stallPartialBlocks(1)
  const [from] = await l1.request({ method: 'eth_accounts' })
  const pay = { from, to: STRANGER, value: '0x1' } as const
  const onL1 = await l1.request({ method: 'eth_sendTransaction', params: [pay] })
  const onBase = await base.request({ method: 'eth_sendTransaction', params: [pay] })
  await chains.tick()
  await expect(l1).toHavePreconfirmed(onL1)
  await expect(base).not.toHavePreconfirmed(onBase)
  await chains.tick()
  await expect(base).toHavePreconfirmed(onBase)
})

test('both chains of the test before begin anew', async ({ chains }) => {
  for (const name of chains.names) {
    const { head, faults } = await chains.get(name).request({ method: 'devnet_status' })
    expect([head.number, faults.stalledTicks]).toEqual(['0x0', 0])
  }
})

test.describe('with blocks of different length', () => {
  test.use({
    chains: {
      slow: { chainId: 1, partialMs: 600, partialsPerBlock: 2 },
      fast: { chainId: 2, partialMs: 200, partialsPerBlock: 2 },
    },
    rpcUrls: [],
  })

  test('one clock moves them, and a seal goes on until all have sealed', async ({ chains }) => {
    const at = (live: Readonly<Record<string, { number: string; index: number }>>) =>
      Object.entries(live).map(([name, { number, index }]) => `${name} ${Number(number)}.${index}`)
    expect(at(await chains.tick())).toEqual(['slow 1.0', 'fast 1.1'])
    expect(at(await chains.tick(2))).toEqual(['slow 1.1', 'fast 2.1'])
    const blocks = await chains.seal()
    expect(Number(blocks['slow']?.number)).toBe(2)
    await expect(chains.tick(0)).rejects.toThrow('tick takes a whole number')
    expect(() => chains.get('base')).toThrow('this test has no chain "base": it has slow, fast')
  })
})

test.describe('with a wallet that does not know one of them', () => {
  test.use({ wallet: { knows: ['l1'] } })

  test('a dapp adds it by an address that is routed to it, and by no other', async ({ page, wallet }) => {
    await page.goto('/')
    const ask = (method: string, chain: object) =>
      page.evaluate(
        ([name, description]) =>
          window.ethereum
            .request({ method: name as string, params: [description] })
            .catch((error: { code: number }) => error.code),
        [method, chain] as const,
      )
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBe(4902)
    expect(await ask('wallet_addEthereumChain', { chainId: '0x2105', chainName: 'Base', rpcUrls: [L1] })).toBe(-32602)
    expect(await ask('wallet_addEthereumChain', { chainId: '0x2105', chainName: 'Base', rpcUrls: [BASE] })).toBeNull()
    expect(wallet.chainId).toBe(8453)
  })
})
