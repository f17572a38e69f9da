import type { BrowserContext } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import { openWallet, type WalletOptions } from './wallet.ts'
import type { PageAnswer, PageCall } from './wallet-page.ts'

// The wallet as a page calls it, without a browser: what the page's script sends arrives at the binding.

const STRANGER = '0x00000000000000000000000000000000000000aa'

let chain: Chain
beforeAll(async () => {
  chain = await createChain({ clock: 'manual' })
})
afterAll(() => chain.close())

async function walletWith(options: WalletOptions = {}) {
  let call: ((source: object, call: PageCall) => Promise<PageAnswer>) | undefined
  const context = {
    exposeBinding(_name: string, binding: typeof call) {
      call = binding
    },
    addInitScript() {},
  } as unknown as BrowserContext
  const during = <Result>(work: () => Promise<Result>) => work()
  const opened = await openWallet(context, chain, { during, asking: () => () => {} } as never, options)
  const ask = async (method: string, ...params: readonly unknown[]) => {
    const answer = await call?.({}, { kind: 'request', method, params })
    if (answer && 'error' in answer) return answer.error.code
    return answer && 'result' in answer ? answer.result : undefined
  }
  await ask('eth_requestAccounts')
  return { ...opened, ask }
}

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  '%s to a chain that the test does not have is refused, and nothing changes',
  async (method) => {
    const { ask, wallet, close } = await walletWith()
    const own = await chain.request({ method: 'eth_chainId' })
    expect(await ask(method, { chainId: '0xa' })).toBe(4902)
    expect(wallet.questions).toEqual([])
    expect(await ask('eth_chainId')).toBe(own)
    expect(await ask(method, { chainId: own })).toBeNull()
    close()
  },
)

test('a dapp switches to a chain that the test allows, where no transaction is sent or signed', async () => {
  const { ask, wallet, close } = await walletWith({ otherChains: [10] })
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x1' })).toBe(4902)
  expect(await ask('wallet_switchEthereumChain', { chainId: '0x0A' })).toBeNull()
  expect(await ask('eth_chainId')).toBe('0xa')
  const transaction = { from: wallet.address, to: STRANGER, value: '0x1' }
  for (const method of ['eth_sendTransaction', 'eth_sendTransactionSync', 'eth_signTransaction']) {
    expect(await ask(method, transaction), method).toBe(4901)
  }
  expect(await ask('wallet_sendCalls', { version: '2.0.0', calls: [transaction], chainId: '0xa' })).toBe(4901)
  expect(await ask('eth_sendRawTransaction', '0x02')).toBe(4901)
  expect(wallet.transactions).toEqual([])
  expect(await ask('personal_sign', '0x68656c6c6f', wallet.address)).toMatch(/^0x[0-9a-f]{130}$/)
  const own = await chain.request({ method: 'eth_chainId' })
  expect(await ask('wallet_switchEthereumChain', { chainId: own })).toBeNull()
  expect(await ask('eth_sendTransaction', transaction)).toBe(wallet.lastTransaction)
  close()
})

test('the person may change to any chain, and comes back', async () => {
  const { ask, wallet, close } = await walletWith()
  wallet.switchChain(10)
  expect(await ask('eth_chainId')).toBe('0xa')
  expect(await ask('eth_sendTransaction', { from: wallet.address, to: STRANGER })).toBe(4901)
  const own = await chain.request({ method: 'eth_chainId' })
  expect(await ask('wallet_switchEthereumChain', { chainId: own })).toBeNull()
  close()
})
