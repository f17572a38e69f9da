import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { extendHardhat2 } from './hardhat-2.ts'
import { networkHooks } from './hardhat-3.ts'
import { NetworkChain } from './network-chain.ts'
import { miningCalls, optionsOf, type SimulatedNetwork } from './network-config.ts'

const open: NetworkChain[] = []
afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close()
})

function chainOf(network: SimulatedNetwork, print?: (line: string) => void): NetworkChain {
  const chain = new NetworkChain(network, {}, print)
  open.push(chain)
  return chain
}

const MNEMONIC = 'test test test test test test test test test test test junk'
const [FIRST, SECOND] = DEV_KEYS.map(({ address }) => address)

test('a network of Hardhat 2 becomes options of a chain', async () => {
  const network = {
    chainId: 5,
    accounts: { mnemonic: MNEMONIC, initialIndex: 1, count: 2, accountsBalance: '7' },
    blockGasLimit: 30_000_000,
    initialBaseFeePerGas: 0,
    allowUnlimitedContractSize: true,
    initialDate: '2026-01-01T00:00:00Z',
    throwOnTransactionFailures: false,
    coinbase: '0xC014BA5EC014BA5EC014BA5EC014BA5EC014BA5E',
    forking: { enabled: true, url: 'http://127.0.0.1:1', blockNumber: 3, httpHeaders: { a: 'b' } },
  }
  expect(await optionsOf(network, { seed: 9 })).toEqual({
    as: 'hardhat',
    seed: 9,
    chainId: 5,
    accounts: DEV_KEYS.slice(1, 3).map((key) => ({ ...key, balance: '7' })),
    gasLimit: 30_000_000,
    baseFee: 0,
    codeSizeLimit: 2 ** 24,
    throwOnTransactionFailures: false,
    genesisTimestamp: 1_767_225_600,
    coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
    fork: { url: 'http://127.0.0.1:1', blockNumber: 3, headers: { a: 'b' } },
  })
})

test('a network of Hardhat 3 has bigints, bytes, dates and variables', async () => {
  const variable = (text: string) => ({ get: () => Promise.resolve(text) })
  const network = {
    chainType: 'op',
    accounts: [{ privateKey: variable(` ${DEV_KEYS[0]?.privateKey.slice(2).toUpperCase()}`), balance: 3n }],
    blockGasLimit: 20_000_000n,
    initialBaseFeePerGas: 4n,
    coinbase: new Uint8Array(20).fill(1),
    initialDate: new Date('2026-01-01T00:00:00Z'),
    forking: { enabled: true, url: variable('https://example.org/'), blockNumber: 8n },
  }
  expect(await optionsOf(network, {})).toEqual({
    as: 'hardhat',
    op: true,
    accounts: [{ ...DEV_KEYS[0], balance: '3' }],
    gasLimit: 20_000_000,
    baseFee: 4,
    coinbase: '0x0101010101010101010101010101010101010101',
    genesisTimestamp: 1_767_225_600,
    fork: { url: 'https://example.org/', blockNumber: 8 },
  })
})

test('a fork that is switched off is none, and no limit of gas is a large one', async () => {
  const network = { forking: { enabled: false, url: 'http://127.0.0.1:1' }, blockGasLimit: false } as const
  expect(await optionsOf(network, {})).toEqual({ as: 'hardhat', gasLimit: 2 ** 40 })
})

test('accounts behind a passphrase are refused with what to do instead', async () => {
  const accounts = { mnemonic: MNEMONIC, passphrase: 'secret' }
  await expect(optionsOf({ accounts }, {})).rejects.toThrow('list their private keys')
})

test('a network mines each send at once unless it says otherwise', () => {
  expect(miningCalls({})).toEqual([{ method: 'evm_setAutomine', params: [true] }])
  expect(miningCalls({ mining: { auto: false, interval: 500 } })).toEqual([
    { method: 'evm_setAutomine', params: [false] },
    { method: 'evm_setIntervalMining', params: [500] },
  ])
})

test('the chain begins with the first call, tells of events, and is closed once', async () => {
  const chain = chainOf({ chainId: 7 })
  expect(await chain.request({ method: 'eth_chainId' })).toBe('0x7')
  const heads = new Promise((resolve) => chain.once('message', resolve))
  const subscription = await chain.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const sent = { from: FIRST, to: SECOND, value: '0x1' }
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [sent] })
  expect(await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toMatchObject({ status: '0x1' })
  expect(await heads).toMatchObject({ data: { subscription, result: { number: '0x1' } } })
  await chain.close()
  await expect(chain.request({ method: 'eth_chainId' })).rejects.toThrow('closed')
})

test('accounts that are impersonated are not named', async () => {
  const chain = chainOf({})
  const before = await chain.request({ method: 'eth_accounts' })
  await chain.request({ method: 'hardhat_impersonateAccount', params: ['0x00000000000000000000000000000000000c0de0'] })
  expect(before).toHaveLength(20)
  expect(await chain.request({ method: 'eth_accounts' })).toEqual(before)
})

test('what no chain can be is told by each call', async () => {
  const chain = chainOf({ chainId: -1 })
  for (let i = 0; i < 2; i++) {
    await expect(chain.request({ method: 'eth_chainId' })).rejects.toThrow('chainId')
  }
})

test('lines that contracts log are printed, but not those of estimates', async () => {
  const lines: string[] = []
  const chain = chainOf({}, (line) => lines.push(line))
  // console.log("hi"): log(string)
  const data = `0x41304fac${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6869'.padEnd(64, '0')}`
  const sent = { from: FIRST, to: '0x00000000000000000000000000000000000c0de0', data }
  // Forwards what it is called with to the console, then reverts if it is sent any ether.
  const code = '0x366000600037600060003660006a636f6e736f6c652e6c6f675afa503415602557600080fd5b00'
  await chain.request({ method: 'hardhat_setCode', params: [sent.to, code] })
  await expect(chain.request({ method: 'eth_estimateGas', params: [{ ...sent, value: '0x1' }] })).rejects.toThrow(
    'reverted',
  )
  await chain.request({ method: 'eth_sendTransaction', params: [sent] })
  await vi.waitFor(() => expect(lines).toEqual(['hi']))
})

/** A Hardhat 2 of which just those parts are there that the extension asks for. */
function hardhat2(extenders: readonly ((provider: EventEmitter) => Promise<EventEmitter>)[]) {
  let extend: (environment: unknown) => void = () => {}
  class Lazy {
    readonly create: () => Promise<unknown>
    constructor(create: () => Promise<unknown>) {
      this.create = create
    }
  }
  const modules: Record<string, unknown> = {
    'hardhat/config': { extendEnvironment: (each: typeof extend) => (extend = each) },
    'hardhat/internal/context': {
      HardhatContext: { getHardhatContext: () => ({ providerExtenders: extenders }) },
    },
    'hardhat/internal/core/providers/construction': { applyProviderWrappers: (provider: EventEmitter) => provider },
    'hardhat/internal/core/providers/backwards-compatibility': {
      BackwardsCompatibilityProviderAdapter: class {
        readonly inner: EventEmitter
        constructor(inner: EventEmitter) {
          this.inner = inner
        }
      },
    },
    'hardhat/internal/core/providers/lazy-initialization': { LazyInitializationProviderAdapter: Lazy },
  }
  const begin = (network: { name: string; config: SimulatedNetwork; provider: unknown }) => {
    extend({ config: {}, network })
    return network.provider as { create(): Promise<{ inner: NetworkChain }> }
  }
  return { load: (name: string) => modules[name], begin }
}

test('in Hardhat 2 other plugins wrap the chain that stands for the network', async () => {
  const wrapped: EventEmitter[] = []
  const { load, begin } = hardhat2([
    async (provider) => {
      wrapped.push(provider)
      return provider
    },
  ])
  extendHardhat2(load, {})
  const { inner } = await begin({ name: 'hardhat', config: { chainId: 11 }, provider: undefined }).create()
  open.push(inner)
  expect(wrapped).toEqual([inner])
  expect(await inner.request({ method: 'eth_chainId' })).toBe('0xb')
})

test('in Hardhat 2 other networks stay as they are', () => {
  const { load, begin } = hardhat2([])
  extendHardhat2(load, {})
  expect(begin({ name: 'sepolia', config: {}, provider: 'theirs' })).toBe('theirs')
})

test('in Hardhat 3 each connection to a simulated network has its own chain', async () => {
  const hooks = networkHooks({})
  const next = vi.fn<Parameters<typeof hooks.onRequest>[3]>()
  const ask = (connection: Parameters<typeof hooks.onRequest>[1], method: string, params: readonly unknown[] = []) =>
    hooks.onRequest({}, connection, { id: 1, method, params }, next)
  const connect = (type: string) => ({ networkConfig: { type }, provider: new EventEmitter() })
  const [one, other] = [connect('edr-simulated'), connect('edr-simulated')]
  await ask(one, 'evm_mine')
  expect(await ask(one, 'eth_blockNumber')).toEqual({ jsonrpc: '2.0', id: 1, result: '0x1' })
  expect(await ask(other, 'eth_blockNumber')).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' })
  expect(await ask(other, 'eth_nothing')).toMatchObject({ error: { code: -32004 } })
  expect(next).not.toHaveBeenCalled()
  await ask(connect('http'), 'eth_blockNumber')
  expect(next).toHaveBeenCalledOnce()
  for (const each of [one, other]) await hooks.closeConnection({}, each, () => Promise.resolve())
})
