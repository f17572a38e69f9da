import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  publicActions,
  walletActions,
  webSocket,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { StartedNode } from './running-node.ts'

/** The libraries' polling interval in milliseconds: half a block of the nodes under test. */
export const POLLING_MS = 100

export const CHAIN = defineChain({
  id: 31337,
  name: 'Under test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/** Development account `index`, which signs locally. */
export function devAccount(index: number): PrivateKeyAccount {
  const key = DEV_KEYS[index]
  if (!key) throw new RangeError(`no development account ${index}`)
  return privateKeyToAccount(key.privateKey)
}

// A pre-confirmed receipt arrives before its block is sealed, so reads that follow it must be at `pending`.
function common() {
  return { chain: CHAIN, pollingInterval: POLLING_MS, cacheTime: 0, experimental_blockTag: 'pending' as const }
}

/** Public actions; reads are at `pending` by default. */
export function publicClient(node: StartedNode) {
  return createPublicClient({ ...common(), transport: http(node.http, { retryCount: 0 }) })
}

/** A client over a WebSocket, which is closed when the test that opened it ends. */
export function webSocketClient(node: StartedNode) {
  const transport = webSocket(node.webSocket, { retryCount: 0, keepAlive: false, reconnect: false })
  const client = createPublicClient({ ...common(), transport })
  onTestFinished(async () => {
    // By now earlier requests, such as the end of a subscription, have been answered.
    await client.getChainId()
    const socket = await client.transport.getRpcClient()
    socket.close()
  })
  return client
}

/** Wallet and public actions of a development account that signs locally. */
export function walletClient(node: StartedNode, index: number) {
  return createWalletClient({
    ...common(),
    account: devAccount(index),
    transport: http(node.http, { retryCount: 0 }),
  }).extend(publicActions)
}

/** Wallet and public actions of an account for which the node signs. */
export function remoteWalletClient(node: StartedNode, index: number) {
  return createWalletClient({
    ...common(),
    account: devAccount(index).address,
    transport: http(node.http, { retryCount: 0 }),
  }).extend(publicActions)
}

/** Test, wallet and public actions, with the method names of anvil or of Hardhat. */
export function testClient(node: StartedNode, mode: 'anvil' | 'hardhat') {
  return createTestClient({ ...common(), mode, transport: http(node.http, { retryCount: 0 }) })
    .extend(publicActions)
    .extend(walletActions)
}
