import { expect, test, vi } from 'vitest'
import { createProvider, extendProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import { createSwitchingWallet, type FoundChain } from './switching-wallet.ts'
import { createWalletRequests, type WalletAnswer } from './wallet-requests.ts'

const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const
const YES = { approved: true, accounts: [], remember: false } as const satisfies WalletAnswer

function chainOf(chainId: string, accounts: readonly string[], methods: Record<string, FakeMethod> = {}) {
  const endpoint = new FakeEndpoint({
    eth_chainId: () => chainId,
    eth_accounts: () => accounts,
    eth_sendTransaction: () => `0x5e17${chainId.slice(2)}`,
    eth_subscribe: () => `0x50b${chainId.slice(2)}`,
    eth_unsubscribe: () => true,
    wallet_addEthereumChain: () => ({ error: { code: -32602, message: 'cannot be added' } }),
    wallet_switchEthereumChain: ([asked]) =>
      (asked as { chainId: string } | undefined)?.chainId === chainId
        ? null
        : { error: { code: 4902, message: 'Unrecognized' } },
    ...methods,
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  return {
    endpoint,
    handle,
    provider: handle.provider,
    reached: () => endpoint.received.map((body) => (JSON.parse(body) as JsonRpcRequest).method),
  }
}

function setUp() {
  const home = chainOf('0x1', [ALICE, BOB])
  const base = chainOf('0x2105', [ALICE])
  const released = vi.fn<() => void>()
  const found = (name: string, chain: typeof base, release?: () => void): FoundChain => ({
    name,
    open: async () => ({ name, chainId: '0x2105', provider: chain.provider, ...(release && { release }) }),
  })
  /** The chains of id 0x2105. */
  const chains = [found('base', base)]
  const asked: string[] = []
  const requests = createWalletRequests()
  const wallet = createSwitchingWallet(home.provider, requests, 'a dapp', async (chainId) => {
    asked.push(chainId)
    return chainId === '0x2105' ? chains : []
  })
  const heard: [string, unknown][] = []
  for (const name of ['chainChanged', 'accountsChanged', 'message', 'connect', 'disconnect'] as const) {
    wallet.provider.on(name, (payload: unknown) => heard.push([name, payload]))
  }
  const request = (method: string, ...params: readonly unknown[]) => wallet.provider.request({ method, params })
  async function answer(given: WalletAnswer) {
    const pending = await vi.waitFor(() => requests.pending.get()[0] ?? expect.fail('nobody is asked'))
    requests.answer(pending.id, given)
    return pending
  }
  return {
    ...{ home, base, wallet, heard, request, answer, requests, asked, chains, found, released },
    async switchTo(chainId: string, chosen = 0) {
      const switched = request('wallet_switchEthereumChain', { chainId })
      const { request: question } = await answer({ ...YES, chosen })
      await switched
      return question
    },
  }
}

async function connected() {
  const scene = setUp()
  const accounts = scene.request('eth_requestAccounts')
  await scene.answer({ approved: true, accounts: [ALICE, BOB], remember: true })
  await accounts
  scene.heard.length = 0
  return scene
}

test('after a switch the other chain itself answers: id, accounts, sends', async () => {
  const { request, switchTo, answer, base, home, heard } = await connected()
  expect(await switchTo('0x2105')).toEqual({ kind: 'switch-chain', chainId: '0x2105', names: ['base'] })
  expect(await request('eth_chainId')).toBe('0x2105')
  expect(heard).toEqual([
    ['chainChanged', '0x2105'],
    ['accountsChanged', [ALICE]],
  ])
  const before = home.reached().length
  const sent = request('eth_sendTransaction', { from: ALICE, to: BOB })
  expect(await answer(YES)).toMatchObject({ dapp: 'a dapp, on the chain base (8453)' })
  expect(await sent).toBe('0x5e172105')
  expect(base.reached()).toContain('eth_sendTransaction')
  expect(home.reached()).toHaveLength(before)
})

test('it comes back to the chain of the page, and to the other one without a second connection', async () => {
  const { request, switchTo, heard } = await connected()
  await switchTo('0x2105')
  await switchTo('0x1')
  expect(await request('eth_chainId')).toBe('0x1')
  await switchTo('0x2105')
  expect(heard.filter(([name]) => name === 'chainChanged').map(([, id]) => id)).toEqual(['0x2105', '0x1', '0x2105'])
})

test('a chain that nobody lists is error 4902, and changes nothing', async () => {
  const { request, heard, requests } = await connected()
  await expect(request('wallet_switchEthereumChain', { chainId: '0xa' })).rejects.toMatchObject({ code: 4902 })
  expect(requests.pending.get()).toEqual([])
  expect(await request('eth_chainId')).toBe('0x1')
  expect(heard).toEqual([])
})

test('a refusal is error 4001, and the wallet stays where it is', async () => {
  const { request, answer } = await connected()
  const switched = request('wallet_switchEthereumChain', { chainId: '0x2105' }).catch((error: unknown) => error)
  await answer({ approved: false })
  expect(await switched).toMatchObject({ code: 4001 })
  expect(await request('eth_chainId')).toBe('0x1')
})

test('a switch to the chain that it is on asks nobody', async () => {
  const { request, requests, asked, switchTo } = await connected()
  expect(await request('wallet_switchEthereumChain', { chainId: '0x1' })).toBeNull()
  await switchTo('0x2105')
  expect(await request('wallet_switchEthereumChain', { chainId: '0x2105' })).toBeNull()
  expect(await request('wallet_switchEthereumChain', { chainId: '0x02105' })).toBeNull()
  expect(requests.pending.get()).toEqual([])
  expect(asked).toEqual(['0x2105'])
})

test('two switches at once are two questions, one after the other', async () => {
  const { request, answer, heard } = await connected()
  const both = Promise.all([
    request('wallet_switchEthereumChain', { chainId: '0x2105' }),
    request('wallet_switchEthereumChain', { chainId: '0x1' }),
  ])
  expect((await answer(YES)).request).toMatchObject({ chainId: '0x2105' })
  expect((await answer(YES)).request).toMatchObject({ chainId: '0x1' })
  await both
  expect(heard.filter(([name]) => name === 'chainChanged').map(([, id]) => id)).toEqual(['0x2105', '0x1'])
})

test('the dapp hears the chain that it is on, and no other', async () => {
  const { request, home, base, heard, switchTo } = await connected()
  expect(await request('eth_subscribe', 'newHeads')).toBe('0x50b1')
  await switchTo('0x2105')
  expect(await request('eth_subscribe', 'newHeads')).toBe('0x50b2105')
  heard.length = 0
  home.endpoint.notify('0x50b1', {})
  home.handle.announceDisconnect('gone')
  base.endpoint.notify('0x50b2105', {})
  expect(heard).toMatchObject([['message', { data: { subscription: '0x50b2105' } }]])
})

test('of several chains with the id the person chooses, the page’s own among them', async () => {
  const { request, switchTo, chains, found } = await connected()
  const second = chainOf('0x2105', [BOB])
  chains.push(found('second', second))
  expect(await switchTo('0x2105', 1)).toEqual({ kind: 'switch-chain', chainId: '0x2105', names: ['base', 'second'] })
  expect(await request('eth_accounts')).toEqual([BOB])
  expect(second.reached()).toContain('eth_accounts')
  expect(await switchTo('0x1')).toMatchObject({ names: ['the chain of this page'] })
})

test('a chain is opened only once the person has said yes', async () => {
  const { request, answer, chains, released } = await connected()
  const open = vi.fn<FoundChain['open']>()
  chains.splice(0, 1, { name: 'base', open })
  const switched = request('wallet_switchEthereumChain', { chainId: '0x2105' }).catch((error: unknown) => error)
  await answer({ approved: false })
  expect(await switched).toMatchObject({ code: 4001 })
  expect(open).not.toHaveBeenCalled()
  expect(released).not.toHaveBeenCalled()
})

test('a chain that does not open keeps the wallet where it is', async () => {
  const { request, answer, chains } = await connected()
  const gone = new ProviderRpcError(4901, 'it is gone')
  chains.splice(0, 1, { name: 'base', open: async () => Promise.reject(gone) })
  const switched = request('wallet_switchEthereumChain', { chainId: '0x2105' }).catch((error: unknown) => error)
  await answer(YES)
  expect(await switched).toBe(gone)
  expect(await request('eth_chainId')).toBe('0x1')
})

test.each(['switches away', 'goes'])(
  'a chain that is open for the wallet is released when the dapp %s',
  async (how) => {
    const { request, switchTo, chains, found, base, released, wallet } = await connected()
    chains.splice(0, 1, found('base', base, released))
    await switchTo('0x2105')
    await request('eth_subscribe', 'newHeads')
    expect(released).not.toHaveBeenCalled()
    if (how === 'goes') wallet.close()
    else await switchTo('0x1')
    expect(released).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(base.reached()).toContain('eth_unsubscribe'))
  },
)

test('a dapp that goes while its chain opens leaves none open', async () => {
  const { request, answer, chains, base, released, wallet } = await connected()
  let opened = () => {}
  const opening = new Promise<void>((resolve) => {
    opened = resolve
  })
  chains.splice(0, 1, {
    name: 'base',
    async open() {
      await opening
      return { name: 'base', chainId: '0x2105', provider: base.provider, release: released }
    },
  })
  const switched = request('wallet_switchEthereumChain', { chainId: '0x2105' }).catch((error: unknown) => error)
  await answer(YES)
  wallet.close()
  opened()
  expect(await switched).toMatchObject({ code: 4001 })
  expect(released).toHaveBeenCalledOnce()
})

test('a wallet can leave a chain that is gone', async () => {
  const { request, answer, switchTo, chains } = await connected()
  const released = vi.fn<() => void>()
  const dead = createProvider(async () => Promise.reject(new DisconnectedError('it crashed')))
  const alive = chainOf('0x2105', [ALICE])
  let provider = alive.provider
  const askAny = ((call: never) => provider.request(call)) as typeof provider.request
  chains.splice(0, 1, {
    name: 'base',
    open: async () => ({
      name: 'base',
      chainId: '0x2105',
      provider: extendProvider(alive.provider, { request: askAny }),
      release: released,
    }),
  })
  await switchTo('0x2105')
  provider = dead.provider
  await expect(request('eth_blockNumber')).rejects.toMatchObject({ code: 4900 })
  const back = request('wallet_switchEthereumChain', { chainId: '0x1' })
  await answer(YES)
  await back
  expect(await request('eth_chainId')).toBe('0x1')
  expect(released).toHaveBeenCalledOnce()
})

test('accounts that the dapp gave up on one chain are not shared on another', async () => {
  const { request, switchTo } = await connected()
  await switchTo('0x2105')
  await request('wallet_revokePermissions', { eth_accounts: {} })
  await switchTo('0x1')
  expect(await request('eth_accounts')).toEqual([])
})

test('adding a chain that is there already asks to switch to it; any other cannot be added', async () => {
  const { request, answer } = await connected()
  const added = request('wallet_addEthereumChain', { chainId: '0x2105', chainName: 'Base' })
  await answer(YES)
  expect(await added).toBeNull()
  expect(await request('eth_chainId')).toBe('0x2105')
  expect(await request('wallet_addEthereumChain', { chainId: '0x2105', chainName: 'Base' })).toBeNull()
  await expect(request('wallet_addEthereumChain', { chainId: '0xa' })).rejects.toMatchObject({ code: -32602 })
})

test.each([[[]], [[5]], [[{}]], [[{ chainId: 5 }]], [[{ chainId: 'no' }]]])(
  'nonsense is refused by the chain: %j',
  async (params) => {
    const { wallet, home } = await connected()
    const asked = wallet.provider.request({ method: 'wallet_switchEthereumChain', params })
    await expect(asked).rejects.toMatchObject({ code: 4902 })
    expect(JSON.parse(home.endpoint.received.at(-1) ?? '')).toMatchObject({ params })
  },
)

test('a dapp that has gone leaves no question', async () => {
  const { request, wallet, requests } = await connected()
  const switched = request('wallet_switchEthereumChain', { chainId: '0x2105' }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(requests.pending.get()).toHaveLength(1))
  wallet.close()
  expect(await switched).toMatchObject({ code: 4001 })
  expect(requests.pending.get()).toEqual([])
})
