import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { Fork } from './fork/fork.ts'
import { ForkError } from './fork/fork-error.ts'
import { openFork } from './fork/open-fork.ts'
import type { Remote } from './fork/state-source.ts'
import { createNode, type Node, type NodeDeps } from './node.ts'
import { createSpec } from './spec/create-spec.ts'

/** The chain to continue. */
export interface ForkSource {
  readonly remote: Remote
  /** The block after which the fork begins; below 0 so many before the newest; the newest by default. */
  readonly blockNumber?: number | undefined
  /** What the endpoint must have. */
  readonly chainId?: number | undefined
}

/** A node that continues another chain. */
export interface ForkedNode {
  readonly node: Node
  /** Those that were given, with what the other chain decides. */
  readonly options: NodeOptions
  readonly fork: Fork
}

/**
 * Opens the endpoint's block, and a node that continues it, standing still. The development accounts get their balance in
 * the first block of the fork, unless that is 0.
 *
 * @param given - What they name goes before what the other chain has.
 * @throws {ForkError} If the endpoint cannot be used; the message says why.
 * @throws {InvalidOptionError} If its chain id, gas limit or fee rule is none that this node can have.
 */
export async function createForkedNode(
  { remote, blockNumber, chainId }: ForkSource,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'journal' | 'fork'>,
): Promise<ForkedNode> {
  const { accounts, coinbase } = createSpec(given)
  const first: Address[] = [coinbase, ...accounts.map(({ address }) => address)]
  const opened = await openFork({ remote, clock: deps.clock, blockNumber }, first)
  const { fork } = opened
  if (chainId !== undefined && chainId !== fork.chainId) {
    throw new ForkError(`${remote.name} has the chain id ${fork.chainId}, not ${chainId} (--fork-chain-id)`)
  }
  const options = optionsOf(fork, given)
  const node = await createNode(options, { ...deps, fork: opened })
  // By the faucet: anvil_setBalance would seal a block for each.
  let isEdited = false
  for (const { address, balance } of accounts) {
    const present = BigInt((await ask(node, 'eth_getBalance', address, 'pending')) as Hex)
    if (balance <= present) continue
    await ask(node, 'devnet_faucet', address, toQuantity(balance - present))
    isEdited = true
  }
  if (isEdited) await ask(node, 'devnet_seal')
  return { node, options, fork }
}

/** The rules of the other chain's block, as far as this node can have them. */
function optionsOf({ chainId, header: { header, baseFee } }: Fork, given: NodeOptions): NodeOptions {
  const { min, max } = OPTION_RANGES.gasLimit
  const gasLimit = Number(header.gasLimit)
  return {
    chainId,
    gasLimit: Math.min(max, Math.max(min, gasLimit)),
    baseFeeDenominator: Number(baseFee.denominator),
    baseFeeElasticity: Number(baseFee.elasticity),
    minBaseFee: Number(baseFee.minBaseFee),
    ...given,
  }
}
