import { expect, test, vi } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { lazyWallets, type WidenWallet } from './lazy-wallet.ts'
import { createSwitchingWallet } from './switching-wallet.ts'
import { createWalletRequests } from './wallet-requests.ts'

const ALICE = `0x${'a1'.repeat(20)}` as const

function chainOf(chainId: string) {
  const endpoint = new FakeEndpoint({
    eth_chainId: () => chainId,
    eth_accounts: () => [ALICE],
    eth_subscribe: () => '0x5',
    eth_unsubscribe: () => true,
    wallet_switchEthereumChain: () => ({ error: { code: 4902, message: 'Unrecognized' } }),
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  return { endpoint, handle, provider: handle.provider }
}

async function setUp() {
  const home = chainOf('0x1')
  const other = chainOf('0xa')
  const requests = createWalletRequests()
  const widen: WidenWallet = (own, node, asked, dapp) =>
    createSwitchingWallet(
      node,
      asked,
      dapp,
      async (chainId) =>
        chainId === '0xa'
          ? [{ name: 'ten', open: async () => ({ name: 'ten', chainId, provider: other.provider }) }]
          : [],
      own,
    )
  const load = vi.fn<() => Promise<WidenWallet>>(async () => widen)
  const wallet = lazyWallets(load)(home.provider, requests, 'a dapp')
  const heard: [string, unknown][] = []
  for (const name of ['chainChanged', 'accountsChanged', 'message'] as const) {
    wallet.provider.on(name, (payload: unknown) => heard.push([name, payload]))
  }
  const request = (method: string, ...params: readonly unknown[]) => wallet.provider.request({ method, params })
  async function answer() {
    const { id } = await vi.waitFor(() => requests.pending.get()[0] ?? expect.fail('nobody is asked'))
    requests.answer(id, { approved: true, accounts: [ALICE], remember: false })
  }
  const accounts = request('eth_requestAccounts')
  await answer()
  await accounts
  return { home, wallet, heard, load, request, answer, requests }
}

test('a dapp that stays on the chain of the page loads nothing, whatever it calls', async () => {
  const { request, load, heard } = await setUp()
  await expect(request(5 as never)).rejects.toMatchObject({ code: -32600 })
  expect(await request('eth_chainId')).toBe('0x1')
  expect(heard).toEqual([['accountsChanged', [ALICE]]])
  expect(load).not.toHaveBeenCalled()
})

test('a dapp that changes the chain takes its accounts and its listeners along, and hears each event once', async () => {
  const { request, answer, heard, home } = await setUp()
  await request('eth_subscribe', 'newHeads')
  heard.length = 0
  const switched = request('wallet_switchEthereumChain', { chainId: '0xa' })
  await vi.waitFor(() => expect(home.endpoint.received.length).toBeGreaterThan(0))
  await answer()
  await switched
  expect(await request('eth_accounts')).toEqual([ALICE])
  expect(heard).toEqual([['chainChanged', '0xa']])

  const back = request('wallet_switchEthereumChain', { chainId: '0x1' })
  await answer()
  await back
  heard.length = 0
  home.endpoint.notify('0x5', { number: '0x1' })
  expect(heard).toMatchObject([['message', { data: { subscription: '0x5' } }]])
})

test('if loading fails, the wallet stays as it is, and the next call tries again', async () => {
  const { request, load } = await setUp()
  const failure = new TypeError('fetch failed')
  load.mockRejectedValueOnce(failure)
  await expect(request('wallet_switchEthereumChain', { chainId: '0xb' })).rejects.toBe(failure)
  expect(await request('eth_accounts')).toEqual([ALICE])
  await expect(request('wallet_switchEthereumChain', { chainId: '0xb' })).rejects.toMatchObject({ code: 4902 })
})

test('a dapp that has gone while it loads leaves no question', async () => {
  const { request, wallet, requests } = await setUp()
  const switched = request('wallet_switchEthereumChain', { chainId: '0xa' }).catch((error: unknown) => error)
  wallet.close()
  expect(await switched).toMatchObject({ code: 4902 })
  expect(requests.pending.get()).toEqual([])
})
