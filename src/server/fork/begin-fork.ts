import { ForkError } from '#node/fork/fork-error.ts'
import { type OpenedFork, openFork } from '#node/fork/open-fork.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { createSpec } from '#node/spec/create-spec.ts'
import type { Address } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { ask } from '#server/cli/ask.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { RemoteEndpoint } from './remote-endpoint.ts'

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
 * Opens the endpoint's block, and a node that continues it. The development accounts get their balance in the first block
 * of the fork, unless that is 0.
 *
 * @param given - What they name goes before what the other chain has.
 * @throws {ForkError} If the endpoint cannot be used; the message says why.
 * @throws {InvalidOptionError} If its chain id, gas limit or fee rule is none that this node can have.
 */
export async function beginFork(
  { url, headers, retries, backoffMs, timeoutMs, blockNumber, chainId }: ForkCommand,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'journal' | 'fork'>,
): Promise<StartedFork> {
  const remote = new RemoteEndpoint({ url, headers, retries, backoffMs, timeoutMs })
  try {
    const { accounts, coinbase } = createSpec(given)
    const first: Address[] = [coinbase, ...accounts.map(({ address }) => address)]
    const opened = await openFork({ remote, clock: deps.clock, blockNumber }, first)
    if (chainId !== undefined && chainId !== opened.fork.chainId) {
      throw new ForkError(`${remote.name} has the chain id ${opened.fork.chainId}, not ${chainId} (--fork-chain-id)`)
    }
    const options = optionsOf(opened, given)
    const node = await createNode(options, { ...deps, fork: opened })
    for (const { address, balance } of accounts) {
      if (balance > 0n) await ask(node, 'anvil_setBalance', address, `0x${balance.toString(16)}`)
    }
    const { number, stateRoot } = opened.fork.header.header
    return {
      node,
      options,
      note: `A fork of chain ${opened.fork.chainId} at ${remote.name} after block ${number}; its state is proven against the root ${stateRoot}.`,
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

/** The rules of the other chain's block, as far as this node can have them. */
function optionsOf({ fork }: OpenedFork, given: NodeOptions): NodeOptions {
  const { header, baseFee } = fork.header
  const { min, max } = OPTION_RANGES.gasLimit
  const gasLimit = Number(header.gasLimit)
  return {
    chainId: fork.chainId,
    gasLimit: Math.min(max, Math.max(min, gasLimit)),
    baseFeeDenominator: Number(baseFee.denominator),
    baseFeeElasticity: Number(baseFee.elasticity),
    minBaseFee: Number(baseFee.minBaseFee),
    ...given,
  }
}
