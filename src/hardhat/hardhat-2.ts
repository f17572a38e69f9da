import type { EventEmitter } from 'node:events'
import type { ChainOptions } from '#library/chain.ts'
import { type NetworkCall, NetworkChain } from './network-chain.ts'
import type { SimulatedNetwork } from './network-config.ts'

interface Provider extends EventEmitter {
  request(call: NetworkCall): Promise<unknown>
}

type Extender = (provider: Provider, config: unknown, network: string) => Promise<Provider>

interface Environment {
  readonly config: unknown
  readonly network: { readonly name: string; readonly config: SimulatedNetwork; provider: Provider }
}

/**
 * How Hardhat 2 builds a network: its modules of these names, which it does not document. They have not changed since 2.10, and
 * it gets no more features.
 */
interface Internals {
  readonly HardhatContext: { getHardhatContext(): { readonly providerExtenders: readonly Extender[] } }
  applyProviderWrappers(provider: Provider, network: SimulatedNetwork, extenders: readonly Extender[]): Provider
  readonly BackwardsCompatibilityProviderAdapter: new (provider: Provider) => Provider
  readonly LazyInitializationProviderAdapter: new (create: () => Promise<Provider>) => Provider
}

const INTERNALS = [
  'hardhat/internal/context',
  'hardhat/internal/core/providers/construction',
  'hardhat/internal/core/providers/backwards-compatibility',
  'hardhat/internal/core/providers/lazy-initialization',
]

/**
 * Puts a chain in place of Hardhat's own node wherever a project's tests use the network `hardhat`. What other plugins wrap
 * around that network, they wrap around this chain, and Hardhat's node never starts.
 *
 * @param load - Loads a module as the project does.
 */
export function extendHardhat2(load: (name: string) => unknown, own: ChainOptions): void {
  const { extendEnvironment } = load('hardhat/config') as {
    readonly extendEnvironment: (extend: (environment: Environment) => void) => void
  }
  extendEnvironment(({ config, network }) => {
    if (network.name !== 'hardhat') return
    const modules = INTERNALS.map((name) => load(name) as Partial<Internals>)
    const internals = modules.reduce<Partial<Internals>>((all, each) => ({ ...all, ...each }), {}) as Internals
    const { LazyInitializationProviderAdapter, BackwardsCompatibilityProviderAdapter } = internals
    network.provider = new LazyInitializationProviderAdapter(async () => {
      const extenders = internals.HardhatContext.getHardhatContext().providerExtenders
      let provider: Provider = new NetworkChain(network.config, own)
      for (const extend of extenders) provider = await extend(provider, config, network.name)
      const wrapped = internals.applyProviderWrappers(provider, network.config, extenders)
      return new BackwardsCompatibilityProviderAdapter(wrapped)
    })
  })
}
