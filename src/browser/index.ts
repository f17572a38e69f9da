import { spawnNode } from '#client/node/spawn-node.ts'
import { type ChainTools, createChainTools } from '#client/session/chain-tools.ts'
import { type BlinknetProvider, extendProvider } from '#client/session/provider.ts'
import { beginsAutomine } from '#rpc-types/dialects.ts'
import type { ClockMode, NodeOptions } from '#rpc-types/node-options.ts'

export { type BlinknetProvider, type ProviderEvents, ProviderRpcError } from '#client/session/provider.ts'
export { DEV_KEYS, DEV_MNEMONIC, type DevKey } from '#rpc-types/dev-keys.ts'
export type { AccountOption, ClockMode, EngineName, GenesisAccountOption } from '#rpc-types/node-options.ts'
export type { RpcReceipt } from '#rpc-types/objects.ts'
export type { TransactionStage } from '#rpc-types/transaction-stage.ts'
export { VERSION as version } from '#rpc-types/version.ts'

/**
 * `new URL('./worker.js', import.meta.url)`, which scripts/build/vite.browser.config.ts puts here in the end: so that the
 * bundlers of others see it, and our own, for which the worker is another entry, does not.
 */
declare const BLINKNET_WORKER_URL: URL

/** Options of a chain. */
export interface ChainOptions extends Omit<NodeOptions, 'mode'> {
  /** `manual`: only `tick`, `seal` and `devnet_tick` advance the chain. Default `auto`. */
  readonly clock?: ClockMode
  /** Address of the package's `browser/worker.js`, for bundlers that do not find it by themselves. It has to be of the page's origin. */
  readonly workerUrl?: string | URL
}

/**
 * A running chain, in a worker of this page and in memory. It is an EIP-1193 provider: viem's `custom(chain)`, ethers'
 * `new BrowserProvider(chain)`.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-1193 | EIP-1193}
 */
export interface Chain extends BlinknetProvider, Omit<ChainTools, 'request'> {
  /** Ends the worker; calls from then on end with code 4900. */
  close(): void
}

/**
 * Starts a chain in a worker of this page.
 *
 * @throws {Error} If the worker cannot be loaded, or an option makes no sense.
 */
export async function createChain({ clock: mode, workerUrl, ...options }: ChainOptions = {}): Promise<Chain> {
  const start = () =>
    workerUrl === undefined
      ? new Worker(BLINKNET_WORKER_URL, { type: 'module' })
      : new Worker(workerUrl, { type: 'module' })
  const session = spawnNode({ ...options, ...(mode && { mode }) }, undefined, start)
  const { provider, state } = session
  await new Promise<void>((resolve, reject) => {
    const settle = () => {
      const now = state.get()
      if (now.status === 'ready') resolve()
      else if (now.status === 'crashed') reject(new Error(now.message))
    }
    state.subscribe(settle)
    settle()
  })
  if (beginsAutomine({ ...options, ...(mode && { mode }) })) {
    await provider.request({ method: 'evm_setAutomine', params: [true] })
  }
  return extendProvider<Chain>(provider, { ...createChainTools(provider), close: () => session.close() })
}
