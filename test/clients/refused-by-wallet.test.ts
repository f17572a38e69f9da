import { createConfig, injected, connect as wagmiConnect, sendTransaction as wagmiSend } from '@wagmi/core'
import { BrowserProvider, type Eip1193Provider, isError } from 'ethers'
import { BaseError, createWalletClient, custom, type EIP1193Provider, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Web3 } from 'web3'
import { createDappWallet } from '#client/wallet/wallet-provider.ts'
import { createWalletRequests } from '#client/wallet/wallet-requests.ts'
import { type Chain, createChain } from '#library/index.ts'
import type { ErrorName } from '#rpc-types/error-codes.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { useWindow } from './support/wagmi-config.ts'

// What a library does next after each of our errors: it tries another method, calls again, or tells the dapp. Whatever it
// does, the dapp has to see the first reason, and nothing may be sent twice. The wallet is the one that pages announce, in
// front of a real chain.

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

type Fields = Readonly<Record<string, `0x${string}`>>

/** Transactions that the chain refuses, each with its reason. */
const REFUSED: readonly (readonly [Fields, RegExp])[] = [
  [{ value: '0x3635c9adc5dea000000', gas: '0x5208' }, /insufficient funds/],
  [{ nonce: '0x0', gas: '0x5208' }, /nonce too low/],
  [{ gas: '0x1' }, /intrinsic gas too low/],
  [{ gas: '0xffffffff' }, /exceeds block gas limit|gas limit too high/],
  [{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2', gas: '0x5208' }, /maxFeePerGas|max priority fee/],
  [{ value: '0xzz' }, /value is not a quantity/],
  [{ data: '0x1', gas: '0x5208' }, /hex string/],
]

let chain: Chain
beforeAll(async () => {
  chain = await createChain({ clock: 'manual' })
  const [from] = await chain.request({ method: 'eth_accounts' })
  if (!from) throw new Error('the chain has no accounts')
  await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: SOMEBODY, value: '0x1' }] })
  await chain.request({ method: 'evm_mine' })
})
afterAll(() => chain.close())

/** The wallet of a page, whose person approves everything, and the methods that it was asked. */
async function connectedWallet() {
  const requests = createWalletRequests()
  const seen = new Set<number>()
  requests.pending.subscribe(() => {
    for (const { id, request } of requests.pending.get()) {
      if (seen.has(id)) continue
      seen.add(id)
      const accounts = request.kind === 'connect' ? request.accounts.slice(0, 1) : []
      queueMicrotask(() => requests.answer(id, { approved: true, accounts, remember: false }))
    }
  })
  const { provider } = createDappWallet(chain, requests, 'a dapp')
  const asked: string[] = []
  const watched = {
    request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown> {
      asked.push(call.method)
      return provider.request(call)
    },
    on: () => watched,
    removeListener: () => watched,
  }
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as readonly `0x${string}`[]
  if (!account) throw new Error('the wallet shares no account')
  const sends = () => asked.filter((method) => /send/i.test(method))
  return { provider: watched as unknown as EIP1193Provider, account, sends }
}

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  return expect.fail('it was not refused')
}

/** All that an error says, its causes included. */
function saidBy(error: unknown): string {
  const said: string[] = []
  for (let each = error; each !== undefined && each !== null && said.length < 20; ) {
    const { message, details, cause } = each as { message?: string; details?: string; cause?: unknown }
    said.push(message ?? JSON.stringify(each), details ?? '')
    each = cause
  }
  return said.join('\n')
}

describe.each(REFUSED)('a send of %j that is refused', (fields, reason) => {
  test('viem tells the reason, and tries no more than one other method', async () => {
    const { provider, account, sends } = await connectedWallet()
    // viem formats nothing, as if the dapp had written it so.
    const transactionRequest = {
      type: 'transactionRequest',
      format: () => ({ from: account, to: SOMEBODY, ...fields }),
    }
    const chainAsIs = { ...foundry, formatters: { transactionRequest } } as unknown as typeof foundry
    const client = createWalletClient({ chain: chainAsIs, transport: custom(provider), account })
    const error = await rejectionOf(client.sendTransaction({ to: SOMEBODY }))
    expect(error).toBeInstanceOf(BaseError)
    expect(saidBy(error)).toMatch(reason)
    expect(['eth_sendTransaction', 'eth_sendTransaction wallet_sendTransaction']).toContain(sends().join(' '))
  })

  test('ethers tells the reason, and sends once', async () => {
    const { provider, account, sends } = await connectedWallet()
    const ethers = new BrowserProvider(provider as unknown as Eip1193Provider, 31337, { cacheTimeout: -1 })
    const error = await rejectionOf(ethers.send('eth_sendTransaction', [{ from: account, to: SOMEBODY, ...fields }]))
    expect(error).toBeInstanceOf(Error)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + saidBy(error)).toMatch(reason)
    expect(isError(error, 'TIMEOUT')).toBe(false)
    expect(sends()).toEqual(['eth_sendTransaction'])
    ethers.destroy()
  })

  test('web3.js tells the reason, and sends once', async () => {
    const { provider, account, sends } = await connectedWallet()
    const web3 = new Web3(provider)
    const request = { method: 'eth_sendTransaction', params: [{ from: account, to: SOMEBODY, ...fields }] }
    const error = await rejectionOf(web3.requestManager.send(request))
    expect(saidBy(error)).toMatch(reason)
    expect(sends()).toEqual(['eth_sendTransaction'])
  })
})

describe('wagmi', () => {
  useWindow()

  test('tells why the wallet’s chain refused a send', async () => {
    const { provider, sends } = await connectedWallet()
    const config = createConfig({
      chains: [foundry],
      connectors: [injected({ target: { id: 'wallet', name: 'Wallet', provider } })],
      storage: null,
      multiInjectedProviderDiscovery: false,
      transports: { [foundry.id]: http('http://127.0.0.1:1', { retryCount: 0 }) },
    })
    const [connector] = config.connectors
    if (!connector) throw new TypeError('wagmi made no connector')
    await wagmiConnect(config, { connector })
    const error = await rejectionOf(wagmiSend(config, { to: SOMEBODY, value: 10n ** 24n, gas: 21_000n }))
    expect(saidBy(error)).toMatch(/insufficient funds|exceeds the balance/)
    expect(sends()).toEqual(['eth_sendTransaction', 'wallet_sendTransaction'])
  })
})

/** What viem does after each of our codes: it tries `wallet_sendTransaction`, or tells the dapp. */
const AFTER = {
  'method-not-found': 'tries another',
  'invalid-params': 'tries another',
  server: 'tries another',
  internal: 'tells',
  'limit-exceeded': 'tells',
  'invalid-request': 'tells',
  'response-too-large': 'tells',
  reverted: 'tells',
  timeout: 'tells',
  'user-rejected': 'tells',
  unauthorized: 'tells',
  'unsupported-method': 'tells',
  disconnected: 'tells',
  'unrecognized-chain': 'tells',
} as const satisfies Partial<Record<ErrorName, 'tries another' | 'tells'>>

test.each(Object.entries(AFTER))(
  'after the code of %s viem %s, and the dapp sees the first reason',
  async (name, next) => {
    const code = ERROR_CODES[name as keyof typeof AFTER]
    const { provider, account } = await connectedWallet()
    const asked: string[] = []
    const failing = {
      request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown> {
        asked.push(call.method)
        if (call.method !== 'eth_sendTransaction')
          return (provider.request as (given: unknown) => Promise<unknown>)(call)
        return Promise.reject(Object.assign(new Error('the first reason'), { code }))
      },
    }
    const client = createWalletClient({
      chain: foundry,
      transport: custom(failing as unknown as EIP1193Provider),
      account,
    })
    const error = await rejectionOf(client.sendTransaction({ to: SOMEBODY, gas: 21_000n }))
    expect(saidBy(error)).toContain('the first reason')
    const sends = asked.filter((method) => /send/i.test(method))
    expect(sends).toEqual(['eth_sendTransaction', ...(next === 'tells' ? [] : ['wallet_sendTransaction'])])
  },
)
