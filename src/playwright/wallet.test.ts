import type { BrowserContext } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import type { Address } from '#primitives/hex.ts'
import { openWallet, type WalletOptions } from './wallet.ts'
import type { WalletChain } from './wallet-networks.ts'
import type { PageAnswer, PageCall } from './wallet-page.ts'

// The wallet as a page calls it, without a browser: what the page's script sends arrives at the binding.

const STRANGER = '0x00000000000000000000000000000000000000aa'
const BROKEN = '0x00000000000000000000000000000000000000bb'
const BASE_RPC = 'https://base.example/rpc'
const L1_RPC = 'https://l1.example/rpc'

let [l1, base]: Chain[] = []
let chains: readonly WalletChain[] = []
beforeAll(async () => {
  ;[l1, base] = await Promise.all(
    [1, 8453].map((chainId) => createChain({ clock: 'manual', chainId, impersonatedSignatures: true })),
  )
  if (!l1 || !base) throw new Error('no chains')
  chains = [
    { name: 'l1', chainId: '0x1', provider: l1, answersAt: (url) => url === L1_RPC },
    { name: 'base', chainId: '0x2105', provider: base, answersAt: (url) => url === BASE_RPC },
  ]
})
afterAll(() => Promise.all([l1?.close(), base?.close()]))

async function walletWith(options: WalletOptions = {}, has: readonly WalletChain[] = chains) {
  let call: ((source: object, call: PageCall) => Promise<PageAnswer>) | undefined
  const context = {
    exposeBinding(_name: string, binding: typeof call) {
      call = binding
    },
    addInitScript() {},
  } as unknown as BrowserContext
  const during = <Result>(work: () => Promise<Result>) => work()
  const opened = await openWallet(context, has, { during, asking: () => () => {} } as never, options)
  const ask = async (method: string, ...params: readonly unknown[]) => {
    const answer = await call?.({}, { kind: 'request', method, params })
    if (answer && 'error' in answer) return answer.error.code
    return answer && 'result' in answer ? answer.result : undefined
  }
  const refusal = async (method: string, ...params: readonly unknown[]) => {
    const answer = await call?.({}, { kind: 'request', method, params })
    return answer && 'error' in answer ? answer.error.message : ''
  }
  const eventsFrom = async (from: number) => {
    const answer = await call?.({}, { kind: 'events', from })
    return answer && 'events' in answer ? answer.events.map(({ name, payload }) => [name, payload]) : []
  }
  await ask('eth_requestAccounts')
  return { ...opened, ask, refusal, eventsFrom }
}

const domainOf = (chainId: number) => ({
  domain: { name: 'Shop', chainId },
  primaryType: 'Order',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [{ name: 'item', type: 'string' }],
  },
  message: { item: 'coffee' },
})

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  '%s to a chain that the test does not have is refused, and nothing changes',
  async (method) => {
    const { ask, wallet, close } = await walletWith({}, chains.slice(0, 1))
    expect(await ask(method, { chainId: '0xa', rpcUrls: [L1_RPC] })).toBe(4902)
    expect(wallet.questions).toEqual([])
    expect(await ask('eth_chainId')).toBe('0x1')
    expect(await ask('net_version')).toBe('1')
    expect(await ask(method, { chainId: '0x1' })).toBeNull()
    close()
  },
)

test('after a switch everything that a dapp asks is answered by the other chain', async () => {
  const { ask, wallet, eventsFrom, close } = await walletWith()
  expect(wallet.chainId).toBe(1)
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBeNull()
  expect(wallet.chainId).toBe(8453)
  expect(await ask('eth_chainId')).toBe('0x2105')
  expect(await ask('net_version')).toBe('8453')
  expect(await eventsFrom(0)).toEqual([
    ['accountsChanged', [wallet.address]],
    ['chainChanged', '0x2105'],
  ])
  expect(await ask('eth_accounts')).toEqual([wallet.address])

  const hash = await ask('eth_sendTransaction', { from: wallet.address, to: STRANGER, value: '0x1' })
  expect(hash).toBe(wallet.lastTransaction)
  const params = [hash as `0x${string}`] as const
  const found = [
    await l1?.request({ method: 'eth_getTransactionByHash', params: [...params] }),
    await base?.request({ method: 'eth_getTransactionByHash', params: [...params] }),
  ]
  expect(found.map((tx) => tx?.chainId)).toEqual([undefined, '0x2105'])
  close()
})

test('signatures of typed data are for the chain that the wallet is on, and for no other', async () => {
  const { ask, wallet, close } = await walletWith()
  const sign = (chainId: number) => ask('eth_signTypedData_v4', wallet.address, JSON.stringify(domainOf(chainId)))
  expect(await sign(1)).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await sign(8453)).toBe(-32000)
  wallet.switchChain('base')
  expect(await sign(8453)).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await sign(1)).toBe(-32000)
  close()
})

test('a transaction or a bundle for another chain than the one that the wallet is on is refused and not sent', async () => {
  const { ask, wallet, close } = await walletWith()
  const transaction = { from: wallet.address, to: STRANGER, value: '0x1' }
  for (const method of ['eth_sendTransaction', 'eth_sendTransactionSync', 'eth_signTransaction']) {
    expect(await ask(method, { ...transaction, chainId: '0x2105' }), method).toBeLessThan(0)
  }
  const bundle = { version: '2.0.0', atomicRequired: false, calls: [{ to: STRANGER }] }
  expect(await ask('wallet_sendCalls', { ...bundle, chainId: '0x2105' })).toBe(5710)
  expect(wallet.transactions).toEqual([])
  for (const chain of [l1, base]) {
    expect((await chain?.request({ method: 'txpool_content' }))?.queued).toEqual({})
  }
  close()
})

test('capabilities are those of all chains; a bundle is found after a switch, and its transactions are the wallet’s', async () => {
  const { ask, wallet, close } = await walletWith()
  expect(Object.keys((await ask('wallet_getCapabilities', wallet.address)) as object).sort()).toEqual(['0x1', '0x2105'])
  expect(await ask('wallet_getCapabilities', wallet.address, ['0x2105'])).toEqual({
    '0x2105': { atomic: { status: 'unsupported' } },
  })
  const calls = [{ to: STRANGER }, { to: STRANGER, value: '0x1' }]
  const bundle = { version: '2.0.0', atomicRequired: false, chainId: '0x1', calls }
  const { id } = (await ask('wallet_sendCalls', bundle)) as { readonly id: string }
  expect(wallet.transactions).toHaveLength(2)
  const last = await l1?.request({ method: 'eth_getTransactionByHash', params: [wallet.lastTransaction] })
  expect(last).toMatchObject({ from: wallet.address, to: STRANGER, value: '0x1' })
  wallet.switchChain(8453)
  expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ chainId: '0x1', status: 100 })
  expect(await ask('wallet_getCallsStatus', 'unknown')).toBe(5730)
  close()
})

const bundle = (atomicRequired: boolean, to: readonly string[] = [STRANGER, STRANGER]) => ({
  version: '2.0.0',
  atomicRequired,
  chainId: '0x1',
  calls: to.map((each) => ({ to: each })),
})
type Sent = { readonly id: string }

test('the option atomic chooses the branch of a dapp, on all chains, and an account can upgrade once', async () => {
  const { ask, wallet, close } = await walletWith({ atomic: 'ready', account: 4 })
  wallet.answer('manual')
  expect(await ask('wallet_getCapabilities', wallet.address)).toEqual({
    '0x1': { atomic: { status: 'ready' } },
    '0x2105': { atomic: { status: 'ready' } },
  })
  const refused = ask('wallet_sendCalls', bundle(true))
  expect(await wallet.refuse()).toMatchObject({ kind: 'upgrade', account: wallet.address })
  expect(await refused).toBe(5750)
  const sending = ask('wallet_sendCalls', bundle(true))
  expect(await wallet.approve()).toMatchObject({ kind: 'upgrade' })
  expect(await wallet.approve()).toMatchObject({ kind: 'transactions', together: true })
  const { id } = (await sending) as Sent
  expect(wallet.transactions).toHaveLength(1)
  await l1?.request({ method: 'devnet_tick' })
  expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200, atomic: true })
  expect(await ask('wallet_getCapabilities', wallet.address)).toEqual({
    '0x1': { atomic: { status: 'supported' } },
    '0x2105': { atomic: { status: 'ready' } },
  })
  for (const chain of [l1, base]) await chain?.request({ method: 'devnet_reset' })
  close()
})

test('unsupported: what must be atomic is 5760; with mayFail a sequence fails half way', async () => {
  const { ask, wallet, close } = await walletWith({ atomic: 'unsupported', mayFail: true, account: 5 })
  expect(await ask('wallet_sendCalls', bundle(true))).toBe(5760)
  await l1?.request({ method: 'anvil_setCode', params: [BROKEN, '0x5f5ffd'] })
  const { id } = (await ask('wallet_sendCalls', bundle(false, [STRANGER, BROKEN]))) as Sent
  expect(wallet.transactions).toHaveLength(2)
  await l1?.request({ method: 'devnet_tick' })
  const status = (await ask('wallet_getCallsStatus', id)) as { readonly receipts: readonly { status: string }[] }
  expect(status).toMatchObject({ status: 600, atomic: false })
  expect(status.receipts.map((receipt) => receipt.status)).toEqual(['0x1', '0x0'])
  close()
})

test('without mayFail the dapp gets the reason of a call that would fail, and nothing is sent', async () => {
  const { ask, wallet, close } = await walletWith({ account: 6 })
  await l1?.request({ method: 'anvil_setCode', params: [BROKEN, '0x5f5ffd'] })
  expect(await ask('wallet_sendCalls', bundle(false, [STRANGER, BROKEN]))).toBe(3)
  expect(wallet.transactions).toEqual([])
  close()
})

test('a chain that the wallet does not know is refused until the dapp adds it with an address of that chain', async () => {
  const { ask, refusal, wallet, close } = await walletWith({ knows: ['l1'] })
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBe(4902)
  const add = (rpcUrls: unknown, chainId = '0x2105') =>
    refusal('wallet_addEthereumChain', { chainId, chainName: 'Base', rpcUrls })
  for (const wrong of [undefined, [], ['nonsense'], [5], Array.from({ length: 21 }, () => BASE_RPC), 'https://x']) {
    expect(await add(wrong)).toContain('rpcUrls is a list')
  }
  expect(await add(['https://elsewhere.example'])).toContain('the test routes none of them there')
  expect(await add([L1_RPC])).toContain(`${L1_RPC} is the chain l1`)
  expect(await add([BASE_RPC, L1_RPC])).toContain(`${L1_RPC} is the chain l1`)
  for (const wrong of ['javascript:alert(1)', `blob:${BASE_RPC}`, 'file:///etc/passwd', 'constructor:x']) {
    expect(await add([BASE_RPC, wrong])).toContain('rpcUrls is a list')
  }
  expect(await add([BASE_RPC], '0x')).toContain('chainId is not a quantity')
  expect(await add([BASE_RPC], `0x${'f'.repeat(65)}`)).toContain('chainId is not a quantity')
  expect(await ask('eth_chainId')).toBe('0x1')

  wallet.answer('manual')
  const refused = add([BASE_RPC])
  expect(await wallet.refuse()).toEqual({
    kind: 'add-chain',
    chainId: '0x2105',
    chainName: 'Base',
    rpcUrls: [BASE_RPC],
  })
  expect(await refused).toContain('refused')
  wallet.answer('auto')
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBe(4902)
  expect(await add([BASE_RPC])).toBe('')
  expect(await ask('eth_chainId')).toBe('0x2105')
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x1' })).toBeNull()
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBeNull()
  close()
})

test('events of a subscription come from the chain that the wallet is on', async () => {
  const { ask, wallet, eventsFrom, close } = await walletWith()
  await ask('eth_subscribe', 'newHeads')
  await l1?.seal()
  wallet.switchChain('base')
  await l1?.seal()
  await base?.seal()
  const names = (await eventsFrom(0)).map(([name]) => name)
  expect(names).toEqual(['accountsChanged', 'message', 'chainChanged'])
  close()
})

test('the person changes to the chains of the test alone', async () => {
  const { ask, wallet, close } = await walletWith({ chain: 'base' })
  expect(await ask('eth_chainId')).toBe('0x2105')
  for (const other of [10, Number.NaN, -1, 'optimism', '__proto__']) {
    expect(() => wallet.switchChain(other)).toThrow('this test has no chain')
  }
  expect(await ask('eth_chainId')).toBe('0x2105')
  wallet.switchChain(1)
  expect(await ask('eth_chainId')).toBe('0x1')
  close()
})

test('any address is an account, on every chain, and sends without its key', async () => {
  const { ask, wallet, close } = await walletWith()
  const whale: Address = `0x${'be'.repeat(20)}`
  await wallet.use(whale)
  expect(wallet.address).toBe(whale)
  expect(await ask('eth_accounts')).toEqual([whale])
  for (const [name, chain] of [
    ['l1', l1],
    ['base', base],
  ] as const) {
    await chain?.request({ method: 'anvil_setBalance', params: [whale, '0xde0b6b3a7640000'] })
    wallet.switchChain(name)
    expect(await ask('eth_sendTransaction', { to: STRANGER, value: '0x1' })).toBe(wallet.lastTransaction)
    expect(await chain?.request({ method: 'eth_accounts' })).toContain(whale)
  }
  const signature = await ask('personal_sign', '0x68690a', whale)
  expect(await ask('personal_ecRecover', '0x68690a', signature)).toBe(whale)
  expect(await ask('personal_sign', '0x68690a', STRANGER)).toBe(4100)
  wallet.disconnect()
  expect(await ask('eth_requestAccounts')).toEqual([whale])
  for (const wrong of ['0x', STRANGER.slice(1), 5, `${STRANGER}00`]) {
    await expect(wallet.use(wrong as Address)).rejects.toThrow(
      `wallet.use takes an address, 0x and 40 hex digits, not ${JSON.stringify(wrong)}`,
    )
  }
  close()
})

test.each<[options: object, message: string]>([
  [{ otherChains: [10] }, 'the wallet has no option otherChains: the chains that it may switch to are those of'],
  [{ approve: 'maual' }, 'approve of the wallet is auto, manual, refuse, not "maual"'],
  [{ chain: 'base2' }, 'this test has no chain "base2": it has l1 (1), base (8453)'],
  [{ knows: ['l2'] }, 'this test has no chain "l2"'],
  [{ knows: [] }, 'a wallet knows at least one chain'],
])('a wallet with %o is refused', async (options, message) => {
  await expect(walletWith(options)).rejects.toThrow(message)
})

test('a contract’s account signs by its owners, and the dapp sees the contract alone', async () => {
  const { ask, wallet, close } = await walletWith()
  const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`] as const
  await wallet.use(STRANGER, { safeOwners: [bob, alice] })
  expect(wallet.address).toBe(STRANGER)
  expect(await ask('eth_accounts')).toEqual([STRANGER])
  // Two signatures of 65 bytes each.
  expect(await ask('personal_sign', '0x68656c6c6f', STRANGER)).toMatch(/^0x[0-9a-f]{260}$/)
  expect(await ask('personal_sign', '0x68656c6c6f', alice)).toBe(4100)
  await wallet.use(STRANGER)
  expect(await ask('personal_sign', '0x68656c6c6f', STRANGER)).toMatch(/^0x[0-9a-f]{130}$/)
  await expect(wallet.use(STRANGER, { signAs: '0x12' })).rejects.toThrow('wallet.use takes signAs')
  close()
})
