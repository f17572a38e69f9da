import { type Address, createWalletClient, custom, defineChain, publicActions } from 'viem'
import type { MethodName } from '#rpc-types/methods.ts'
import { RpcError, type TestNode } from '#testing/node/test-node.ts'

const CHAIN = defineChain({
  id: 31337,
  name: 'Blinknet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/** A provider for viem, like a wallet in a page; errors have the node's code, message and data. */
function walletTransport({ request }: Pick<TestNode, 'request'>) {
  return custom(
    {
      async request({ method, params }: { method: string; params?: unknown }) {
        try {
          return await request(method as MethodName, (params ?? []) as readonly unknown[])
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          throw Object.assign(new Error(error.error.message), error.error)
        }
      },
    },
    { retryCount: 0 },
  )
}

/** A viem client for an account that the node signs for. */
export function viemWallet(node: Pick<TestNode, 'request'>, account: Address) {
  return createWalletClient({
    account,
    chain: CHAIN,
    transport: walletTransport(node),
    pollingInterval: 1,
  }).extend(publicActions)
}
