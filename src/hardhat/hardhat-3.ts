import { isRefusal, type ProviderRpcError } from '#client/session/provider.ts'
import type { ChainOptions } from '#library/chain.ts'
import { type NetworkCall, NetworkChain } from './network-chain.ts'
import type { SimulatedNetwork } from './network-config.ts'

interface Connection {
  /** A {@link SimulatedNetwork}, if that is its type; others have other members of the same names. */
  readonly networkConfig: { readonly type: string }
  readonly provider: { emit(event: string, payload: unknown): boolean }
}

type Request = NetworkCall & { readonly id: unknown }
type Response = { readonly jsonrpc: '2.0'; readonly id: unknown } & (
  | { readonly result: unknown }
  | { readonly error: Pick<ProviderRpcError, 'code' | 'message' | 'data'> }
)

/** What a plugin of Hardhat 3 does at a network. */
interface NetworkHooks {
  onRequest(
    context: unknown,
    connection: Connection,
    request: Request,
    next: (context: unknown, connection: Connection, request: Request) => Promise<Response>,
  ): Promise<Response>
  closeConnection(
    context: unknown,
    connection: Connection,
    next: (context: unknown, connection: Connection) => Promise<void>,
  ): Promise<void>
}

/** A plugin of Hardhat 3, whose own types say what the hooks of a network are. */
export interface HardhatPlugin {
  readonly id: string
  readonly npmPackage: string
  readonly hookHandlers: { readonly network: () => Promise<{ readonly default: () => Promise<object> }> }
}

/** The plugin that has {@link networkHooks}. */
export function hardhat3Plugin(own: ChainOptions): HardhatPlugin {
  const hooks = networkHooks(own)
  return {
    id: 'blinknet',
    npmPackage: 'blinknet',
    hookHandlers: { network: async () => ({ default: async () => hooks }) },
  }
}

/** A chain for each connection to a simulated network. Hardhat starts its own node all the same, which then idles. */
export function networkHooks(own: ChainOptions): NetworkHooks {
  const chains = new WeakMap<Connection, NetworkChain>()

  function chainOf(connection: Connection): NetworkChain {
    const known = chains.get(connection)
    if (known) return known
    const chain = new NetworkChain(connection.networkConfig as SimulatedNetwork, own)
    chain.on('message', (message) => connection.provider.emit('message', message))
    chains.set(connection, chain)
    return chain
  }

  return {
    async onRequest(context, connection, request, next) {
      if (connection.networkConfig.type !== 'edr-simulated') return next(context, connection, request)
      const { id, method, params } = request
      try {
        return { jsonrpc: '2.0', id, result: await chainOf(connection).request({ method, params }) }
      } catch (error) {
        if (!isRefusal(error)) throw error
        const { code, message, data } = error as ProviderRpcError
        return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
      }
    },
    async closeConnection(context, connection, next) {
      const chain = chains.get(connection)
      chains.delete(connection)
      await chain?.close()
      return next(context, connection)
    },
  }
}
