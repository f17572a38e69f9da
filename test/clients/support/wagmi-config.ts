import { connect, createConfig, deployContract, injected, waitForTransactionReceipt } from '@wagmi/core'
import { type Address, createClient, type EIP1193Provider, http } from 'viem'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, vi } from 'vitest'
import type { StartedNode } from './running-node.ts'
import { VAULT_ABI as abi, VAULT_BYTECODE as bytecode } from './vault-contract.ts'
import { CHAIN, POLLING_MS } from './viem-clients.ts'

/** Lets wagmi find wallets, which it only looks for if there is a `window`. */
export function useWindow(): void {
  beforeAll(() => void vi.stubGlobal('window', {}))
  afterAll(() => void vi.unstubAllGlobals())
}

/** The node as a wallet of the page: an EIP-1193 provider that emits no events. */
function wallet(node: StartedNode): EIP1193Provider {
  const provider = {
    request: (call: Parameters<StartedNode['request']>[0]) => node.request(call),
    on: () => provider,
    removeListener: () => provider,
  }
  return provider as unknown as EIP1193Provider
}

/**
 * wagmi with the node as chain and as injected wallet; reads are at `pending`. It also knows a chain that the wallet
 * lacks.
 */
export function wagmiConfig(node: StartedNode) {
  return createConfig({
    chains: [CHAIN, mainnet],
    connectors: [injected({ target: { id: 'node', name: node.name, provider: wallet(node) } })],
    storage: null,
    multiInjectedProviderDiscovery: false,
    client: ({ chain }) =>
      createClient({
        chain,
        transport: http(node.http, { retryCount: 0 }),
        pollingInterval: POLLING_MS,
        cacheTime: 0,
        experimental_blockTag: 'pending',
      }),
  })
}

/** A configuration that is connected with the first development account. */
export async function connectedConfig(node: StartedNode) {
  const config = wagmiConfig(node)
  const [connector] = config.connectors
  if (!connector) throw new TypeError('wagmi made no connector')
  await connect(config, { connector })
  return config
}

/** Resolves with the address of the contract that the account deployed. */
export async function deployVault(config: ReturnType<typeof wagmiConfig>, account: Address): Promise<Address> {
  const hash = await deployContract(config, { account, abi, bytecode, args: [5n] })
  const { contractAddress } = await waitForTransactionReceipt(config, { hash })
  if (!contractAddress) throw new TypeError(`${hash} made no contract`)
  return contractAddress
}
