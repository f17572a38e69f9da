import { EndpointError } from '#endpoint/endpoint-error.ts'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import type { Fork } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { createForkedNode } from '#node/forked-node.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'

/** A chain that continues another one. */
export interface StartedFork {
  readonly node: Node
  /** Those of the node, with what the other chain decides. */
  readonly options: NodeOptions
  /** The record of the chain that the journal had; `undefined` for a new one. */
  readonly record: ChainRecord | undefined
  /** What it has of the other chain. */
  readonly fork: Fork
  /** For the banner. */
  readonly note: string
  /**
   * Fetches from another endpoint from here on.
   *
   * @throws {ForkError} If it has another chain, or not what the fork needs; the present one stays.
   */
  readonly setEndpoint: (command: ForkCommand) => Promise<void>
  readonly close: () => Promise<void>
}

/** An endpoint in use, which another can take the place of. */
class CurrentEndpoint implements Remote {
  #endpoint: RemoteEndpoint

  constructor(endpoint: RemoteEndpoint) {
    this.#endpoint = endpoint
  }

  get name(): string {
    return this.#endpoint.name
  }

  readonly ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await this.#endpoint.ask(method, params)
    } catch (error) {
      throw error instanceof EndpointError ? ForkError.of(error) : error
    }
  }

  /** What the one before was asked, it still answers. */
  moveTo(endpoint: RemoteEndpoint): void {
    this.#endpoint = endpoint
  }

  close(): void {
    this.#endpoint.close()
  }
}

/**
 * Opens the endpoint's block, and a node that continues it; or the fork that the journal has.
 *
 * @param given - As for `createForkedNode`, which also says what is thrown.
 * @param earlier - A fork of the same endpoint.
 */
export async function beginFork(
  command: ForkCommand,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
  earlier?: Fork,
): Promise<StartedFork> {
  const { blockNumber, chainId } = command
  const remote = new CurrentEndpoint(endpointOf(command))
  try {
    const source = { remote, blockNumber, chainId, earlier }
    const { node, options, fork, record } = await createForkedNode(source, given, deps)
    return {
      node,
      options,
      record,
      fork,
      note: describe(fork),
      async setEndpoint(other) {
        const endpoint = endpointOf(other)
        try {
          await fork.checkOther(new CurrentEndpoint(endpoint))
        } catch (error) {
          endpoint.close()
          throw error
        }
        remote.moveTo(endpoint)
      },
      async close() {
        remote.close()
        await node.close()
      },
    }
  } catch (error) {
    remote.close()
    throw error
  }
}

function endpointOf({ url, headers, retries, backoffMs, timeoutMs }: ForkCommand): RemoteEndpoint {
  return new RemoteEndpoint({ url, headers, retries, backoffMs, timeoutMs, defer: setImmediate })
}

function describe({ chainId, remote, header, withoutProofs }: Fork): string {
  const { number, stateRoot } = header.header
  const trust =
    withoutProofs === undefined
      ? `its state is proven against the root ${stateRoot}`
      : `it has no proofs (eth_getProof: ${withoutProofs}) and is taken at its word, so state roots are not those of the real chain`
  return `A fork of chain ${chainId} at ${remote.name} after block ${number}; ${trust}.`
}
