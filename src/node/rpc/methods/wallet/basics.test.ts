import { beforeAll, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const ADDRESSES = DEV_KEYS.map(({ address }) => address)
const TOKEN = `0x${'70'.repeat(20)}` as const
const ASSET = { type: 'ERC20', options: { address: TOKEN, decimals: 18, symbol: 'TOK' } } as const

let node: TestNode
let wallet: ReturnType<typeof viemWallet>
beforeAll(async () => {
  node = await createTestNode({ mode: 'manual' })
  wallet = viemWallet(node, devAccount(0).address)
})

const refusal = (code: number, message: string) => ({ error: { code, message } })

test('eth_requestAccounts returns the development accounts', async () => {
  const addresses = await wallet.requestAddresses()
  expect(addresses.map((address) => address.toLowerCase())).toEqual(ADDRESSES)
  expect(await wallet.getAddresses()).toEqual(addresses)
})

test('eth_accounts is permitted, and there is no other permission', async () => {
  const granted = [
    { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: ADDRESSES }] },
  ]
  expect(await wallet.getPermissions()).toEqual(granted)
  expect(await wallet.requestPermissions({ eth_accounts: {} })).toEqual(granted)
  await expect(node.request('wallet_requestPermissions', [{ eth_accounts: {}, snap: {} }])).rejects.toMatchObject(
    refusal(-32602, 'invalid argument 0: unknown permission "snap"'),
  )
})

test('switching to this chain and adding it succeed', async () => {
  await wallet.switchChain({ id: 31337 })
  await wallet.addChain({ chain: { ...wallet.chain, rpcUrls: { default: { http: ['http://localhost:8545'] } } } })
  expect(await node.request('wallet_switchEthereumChain', [{ chainId: '0x7a69' }])).toBeNull()
  expect(await node.request('wallet_addEthereumChain', [{ chainId: '0x7a69' }])).toBeNull()
})

test('another chain can neither be switched to nor added', async () => {
  await expect(node.request('wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject(
    refusal(4902, 'Unrecognized chain ID "0x1": this node has chain 0x7a69 only'),
  )
  await expect(wallet.switchChain({ id: 1 })).rejects.toThrow(expect.objectContaining({ name: 'SwitchChainError' }))
  await expect(node.request('wallet_addEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject(
    refusal(-32602, 'chain 0x1 cannot be added: this node has chain 0x7a69 only'),
  )
})

test.each([
  [{}, 'invalid argument 0: json: cannot unmarshal non-string into Go struct field chainId of type *hexutil.Big'],
  [
    { chainId: 1 },
    'invalid argument 0: json: cannot unmarshal non-string into Go struct field chainId of type *hexutil.Big',
  ],
  ['0x1', 'invalid argument 0: json: cannot unmarshal string into Go value of type object'],
])('%j is not a chain', async (chain, message) => {
  await expect(node.request('wallet_switchEthereumChain', [chain])).rejects.toMatchObject(refusal(-32602, message))
})

test('an asset may be watched, with params as an object, as in EIP-747, or as a list', async () => {
  expect(await wallet.watchAsset(ASSET)).toBe(true)
  expect(await node.request('wallet_watchAsset', [ASSET])).toBe(true)
})

test.each([
  [[{ options: ASSET.options }], 'invalid argument 0: the type of the asset is missing'],
  [
    [{ ...ASSET, options: { address: '0x12' } }],
    'invalid argument 0: hex string has length 2, want 40 for common.Address',
  ],
  [[{ type: 'ERC20' }], 'invalid argument 0: json: cannot unmarshal undefined into Go value of type object'],
  [[], 'missing value for required argument 0'],
])('an invalid asset cannot be watched: %j', async (params, message) => {
  await expect(node.request('wallet_watchAsset', params)).rejects.toMatchObject(refusal(-32602, message))
})

test('other methods still require a list of parameters', async () => {
  const params = { chainId: '0x7a69' } as unknown as readonly unknown[]
  await expect(node.request('wallet_switchEthereumChain', params)).rejects.toMatchObject(
    refusal(-32602, 'non-array args'),
  )
})
