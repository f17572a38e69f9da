import { EndpointError } from '#endpoint/endpoint-error.ts'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import type { Remote } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { createForkedNode } from '#node/forked-node.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'

/** A chain that continues another one. */
export interface StartedFork {
  readonly node: Node
  /** Those of the node, with what the other chain decides. */
  readonly options: NodeOptions
  /** For the banner. */
  readonly note: string
  readonly close: () => Promise<void>
}

/**
 * Opens the endpoint's block, and a node that continues it.
 *
 * @param given - As for `createForkedNode`, which also says what is thrown.
 */
export async function beginFork(
  { url, headers, retries, backoffMs, timeoutMs, blockNumber, chainId }: ForkCommand,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'journal' | 'fork'>,
): Promise<StartedFork> {
  const endpoint = new RemoteEndpoint({ url, headers, retries, backoffMs, timeoutMs, defer: setImmediate })
  const remote = remoteAt(endpoint)
  try {
    const { node, options, fork } = await createForkedNode({ remote, blockNumber, chainId }, given, deps)
    const { number, stateRoot } = fork.header.header
    return {
      node,
      options,
      note: `A fork of chain ${fork.chainId} at ${remote.name} after block ${number}; its state is proven against the root ${stateRoot}.`,
      async close() {
        endpoint.close()
        await node.close()
      },
    }
  } catch (error) {
    endpoint.close()
    throw error
  }
}

/** An endpoint as a fork asks it. */
function remoteAt({ name, ask }: RemoteEndpoint): Remote {
  return {
    name,
    async ask(method, params) {
      try {
        return await ask(method, params)
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error
        const { message, answered } = error
        throw new ForkError(message, { cause: error, ...(answered && { answered }) })
      }
    },
  }
}
