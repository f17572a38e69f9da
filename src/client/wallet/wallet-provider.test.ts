import { expect, test, vi } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { createDappWallet } from './wallet-provider.ts'
import { createWalletRequests, type WalletAnswer } from './wallet-requests.ts'

const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const
const REFUSED: WalletAnswer = { approved: false }
const share = (...accounts: (typeof ALICE)[]): WalletAnswer => ({ approved: true, accounts, remember: false })
const yes = (remember = false): WalletAnswer => ({ approved: true, accounts: [], remember })

function setUp(methods: Record<string, FakeMethod> = {}) {
  const endpoint = new FakeEndpoint({
    eth_chainId: () => '0x7a69',
    eth_accounts: () => [ALICE, BOB],
    eth_sendTransaction: () => '0xhash',
    eth_sendTransactionSync: () => ({ transactionHash: '0xhash' }),
    personal_sign: () => '0xsignature',
    eth_unsubscribe: () => true,
    ...methods,
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  const requests = createWalletRequests()
  const wallet = createDappWallet(handle.provider, requests, 'a test')
  const first = () => requests.pending.get()[0]
  return {
    endpoint,
    handle,
    requests,
    wallet,
    first,
    request: (method: string, ...params: readonly unknown[]) => wallet.provider.request({ method, params }),
    /** Answers the next question, and returns it. */
    async answer(answer: WalletAnswer) {
      const pending = await vi.waitFor(() => first() ?? expect.fail('nobody is asked'))
      requests.answer(pending.id, answer)
      return pending.request
    },
    /** Methods that reached the node. */
    reached: () => endpoint.received.map((body) => (JSON.parse(body) as JsonRpcRequest).method),
  }
}

async function connected(methods?: Record<string, FakeMethod>) {
  const scene = setUp(methods)
  const accounts = scene.request('eth_requestAccounts')
  await scene.answer(share(ALICE))
  await accounts
  return scene
}

test('a dapp sees no accounts until the person shares some, and then only those', async () => {
  const { request, answer, wallet } = setUp()
  const changes: unknown[] = []
  wallet.provider.on('accountsChanged', (accounts) => changes.push(accounts))
  expect(await request('eth_accounts')).toEqual([])
  expect(await request('wallet_getPermissions')).toEqual([])
  const accounts = request('eth_requestAccounts')
  expect(await answer(share(BOB))).toEqual({ kind: 'connect', accounts: [ALICE, BOB], shared: [] })
  expect(await accounts).toEqual([BOB])
  expect(await request('eth_accounts')).toEqual([BOB])
  expect(await request('eth_requestAccounts')).toEqual([BOB])
  expect(changes).toEqual([[BOB]])
})

test('a refusal is error 4001, and nothing is shared', async () => {
  const { request, answer } = setUp()
  const accounts = request('eth_requestAccounts').catch((error: unknown) => error)
  await answer(REFUSED)
  expect(await accounts).toMatchObject({ code: 4001 })
  expect(await request('eth_accounts')).toEqual([])
})

test('a dapp that asks twice leads to one question', async () => {
  const { request, answer, requests } = setUp()
  const both = Promise.all([request('eth_requestAccounts'), request('eth_requestAccounts')])
  await answer(share(ALICE))
  expect(await both).toEqual([[ALICE], [ALICE]])
  expect(requests.pending.get()).toEqual([])
})

test('one dapp does not see what was shared with another', async () => {
  const { handle, requests } = await connected()
  const other = createDappWallet(handle.provider, requests, 'another')
  expect(await other.provider.request({ method: 'eth_accounts' })).toEqual([])
})

test('permissions can be requested again and revoked', async () => {
  const { request, answer, wallet } = await connected()
  const permissions = request('wallet_requestPermissions', { eth_accounts: {} })
  expect(await answer(share(ALICE, BOB))).toMatchObject({ kind: 'connect', shared: [ALICE] })
  expect(await permissions).toEqual([
    { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [ALICE, BOB] }] },
  ])
  const changes: unknown[] = []
  wallet.provider.on('accountsChanged', (accounts) => changes.push(accounts))
  expect(await request('wallet_revokePermissions', { eth_accounts: {} })).toBe(null)
  expect(await request('eth_accounts')).toEqual([])
  expect(changes).toEqual([[]])
  await expect(request('wallet_requestPermissions', { camera: {} })).rejects.toMatchObject({ code: -32602 })
})

test('the person approves every signature, until they choose not to be asked again', async () => {
  const { request, answer, first } = await connected()
  const refused = request('personal_sign', '0x6869', ALICE).catch((error: unknown) => error)
  expect(await answer(REFUSED)).toEqual({ kind: 'message', account: ALICE, message: 'hi' })
  expect(await refused).toMatchObject({ code: 4001 })
  const signed = request('personal_sign', '0x6869', ALICE)
  await answer(yes(true))
  expect(await signed).toBe('0xsignature')
  expect(await request('personal_sign', '0x6869', ALICE)).toBe('0xsignature')
  expect(first()).toBeUndefined()

  // Revoking the permission also revokes that choice.
  await request('wallet_revokePermissions', { eth_accounts: {} })
  const again = request('eth_requestAccounts')
  await answer(share(ALICE))
  await again
  const asked = request('personal_sign', '0x6869', ALICE)
  await answer(yes())
  await asked
})

test('an account that is not shared signs nothing, even if the node would sign for it', async () => {
  const { request, first, reached } = await connected()
  await expect(request('personal_sign', '0x6869', BOB)).rejects.toMatchObject({ code: 4100 })
  await expect(request('eth_sendTransaction', { from: BOB, to: ALICE })).rejects.toMatchObject({ code: 4100 })
  expect(first()).toBeUndefined()
  expect(reached()).not.toContain('personal_sign')
})

test('a transaction without a sender is from the shared account', async () => {
  const { request, answer, endpoint } = await connected()
  const sent = request('eth_sendTransaction', { to: BOB, value: '0x2a', data: '0x1234' })
  expect(await answer(yes())).toEqual({
    kind: 'transactions',
    account: ALICE,
    sent: true,
    calls: [{ to: BOB, value: 42n, data: '0x1234' }],
  })
  expect(await sent).toBe('0xhash')
  expect(JSON.parse(endpoint.received.at(-1) ?? '')).toMatchObject({
    params: [{ from: ALICE, to: BOB, value: '0x2a', data: '0x1234' }],
  })
})

test.each(['eth_sendUnsignedTransaction', 'eth_resend', 'personal_sendTransaction', 'wallet_signAnything'])(
  '%s, which would sign unknown content, is refused',
  async (method) => {
    const { request, reached } = await connected()
    await expect(request(method, {})).rejects.toMatchObject({ code: -32601 })
    expect(reached()).not.toContain(method)
  },
)

test('requests that need no account go straight to the node', async () => {
  const methods = ['eth_sendRawTransaction', 'devnet_tick', 'anvil_setBalance', 'eth_call']
  const { request, first } = setUp(Object.fromEntries(methods.map((method) => [method, () => method])))
  for (const method of methods) expect(await request(method, 1)).toBe(method)
  expect(first()).toBeUndefined()
})

test('a dapp receives only events of its own subscriptions, and early ones after their id', async () => {
  const ids = ['0x1', '0x2']
  const { wallet, handle, endpoint, request } = setUp({
    eth_subscribe: () => {
      const id = ids.shift() ?? ''
      endpoint.notify(id, 'early')
      return id
    },
  })
  const heard: unknown[] = []
  wallet.provider.on('message', ({ data }) => heard.push(data))
  await handle.provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const id = await request('eth_subscribe', 'newHeads')
  expect(heard).toEqual([])
  endpoint.notify('0x1', "the page's")
  endpoint.notify('0x2', 'later')
  await vi.waitFor(() => expect(heard).toHaveLength(2))
  expect(heard).toEqual([
    { subscription: id, result: 'early' },
    { subscription: id, result: 'later' },
  ])
  expect(await request('eth_unsubscribe', '0x1')).toBe(false)
  expect(await request('eth_unsubscribe', id)).toBe(true)
  endpoint.notify('0x2', 'too late')
  expect(heard).toHaveLength(2)
})

test('changes of the chain are announced, and removed accounts are no longer shared', async () => {
  let accounts: string[] = [ALICE, BOB]
  const { wallet, handle, request } = await connected({ eth_accounts: () => accounts })
  const events: unknown[] = []
  wallet.provider.on('connect', ({ chainId }) => events.push(['connect', chainId]))
  wallet.provider.on('disconnect', ({ code }) => events.push(['disconnect', code]))
  wallet.provider.on('accountsChanged', (list) => events.push(['accountsChanged', list]))
  await handle.announceConnect()
  handle.announceDisconnect('gone')
  accounts = [BOB]
  await handle.announceConnect()
  expect(events).toEqual([
    ['connect', '0x7a69'],
    ['disconnect', 4900],
    ['connect', '0x7a69'],
    ['accountsChanged', []],
  ])
  expect(await request('eth_accounts')).toEqual([])
})

test('when a dapp goes away, its questions and subscriptions end', async () => {
  const { wallet, request, requests, reached } = await connected({ eth_subscribe: () => '0x7' })
  await request('eth_subscribe', 'newHeads')
  const signed = request('personal_sign', '0x6869', ALICE).catch((error: unknown) => error)
  await vi.waitFor(() => expect(requests.pending.get()).toHaveLength(1))
  wallet.close()
  expect(await signed).toMatchObject({ code: 4001 })
  expect(requests.pending.get()).toEqual([])
  expect(reached()).toContain('eth_unsubscribe')
})

test('a dapp that asks in a loop is stopped, and all that it asked is withdrawn when it goes away', async () => {
  const listening = vi.spyOn(AbortSignal.prototype, 'addEventListener')
  const { wallet, request, requests } = await connected()
  const asked = Array.from({ length: 20 }, () => request('personal_sign', '0x6869', ALICE).catch((e: unknown) => e))
  await vi.waitFor(() => expect(requests.pending.get()).toHaveLength(16))
  expect(await Promise.race(asked)).toMatchObject({ code: -32005 })
  // Node.js warns of a leak from the eleventh listener on.
  expect(listening).toHaveBeenCalledTimes(1)
  listening.mockRestore()
  wallet.close()
  const codes = (await Promise.all(asked)).map((error) => (error as { code: number }).code)
  expect(codes).toEqual([...Array<number>(16).fill(4001), ...Array<number>(4).fill(-32005)])
  expect(requests.pending.get()).toEqual([])
})

test('eth_sendTransactionSync asks as eth_sendTransaction does, and its timeout reaches the node', async () => {
  const { request, answer, endpoint } = await connected()
  const refused = request('eth_sendTransactionSync', { to: BOB, value: '0x1' })
  const calls = [{ to: BOB, value: 1n, data: '0x' }]
  expect(await answer(REFUSED)).toEqual({ kind: 'transactions', account: ALICE, sent: true, calls })
  await expect(refused).rejects.toMatchObject({ code: 4001 })
  const sent = request('eth_sendTransactionSync', { to: BOB, value: '0x1' }, 2_000)
  await answer(yes())
  expect(await sent).toEqual({ transactionHash: '0xhash' })
  const { params } = JSON.parse(endpoint.received.at(-1) ?? '') as JsonRpcRequest
  expect(params).toEqual([{ from: ALICE, to: BOB, value: '0x1' }, 2_000])
})

test('a person may share any account: the chain impersonates it, and the dapp has it first', async () => {
  const stranger = `0x${'cd'.repeat(20)}` as const
  const { request, answer, endpoint } = setUp({ anvil_impersonateAccount: () => null })
  const accounts = request('eth_requestAccounts')
  await answer({ approved: true, accounts: [stranger, BOB], remember: false })
  expect(await accounts).toEqual([stranger, BOB])
  const asked = endpoint.received.map((body) => JSON.parse(body) as JsonRpcRequest)
  expect(asked.filter(({ method }) => method === 'anvil_impersonateAccount')).toMatchObject([{ params: [stranger] }])
})

test('where the chain does not impersonate, the dapp is told so and has no account', async () => {
  const stranger = `0x${'cd'.repeat(20)}` as const
  const { request, answer } = setUp({
    anvil_impersonateAccount: () => ({ error: { code: -32601, message: 'there is no such method' } }),
  })
  const [refusal] = await Promise.all([
    request('eth_requestAccounts').catch((error: unknown) => error),
    answer({ approved: true, accounts: [stranger], remember: false }),
  ])
  expect(refusal).toMatchObject({ code: -32601 })
  expect(await request('eth_accounts')).toEqual([])
})
