import type { Address } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { createEngine } from './evm/engines/create-engine.ts'
import { delegatedAccounts } from './fork/delegated-accounts.ts'
import type { Fork } from './fork/fork.ts'
import { ForkError } from './fork/fork-error.ts'
import { continueFork, type OpenedFork, openFork, reopenFork } from './fork/open-fork.ts'
import type { Remote } from './fork/state-source.ts'
import { createNode, type Node, type NodeDeps } from './node.ts'
import { readChainRecord } from './persistence/chain-record.ts'
import type { ChainRecord } from './persistence/records.ts'
import { startMsAfter, timestampOf } from './sequencer/schedule.ts'
import { createSpec } from './spec/create-spec.ts'
import { holdJournal } from './storage/journal.ts'

/** The chain to continue. */
export interface ForkSource {
  readonly remote: Remote
  /** The block after which the fork begins; below 0 so many before the newest; the newest by default. */
  readonly blockNumber?: number | undefined
  /** What the endpoint must have. */
  readonly chainId?: number | undefined
  /** A fork of the same endpoint. If it is of that very block, what it has fetched is not fetched again. */
  readonly earlier?: Fork | undefined
  /** The fork itself, if it is open already. */
  readonly ready?: OpenedFork | undefined
  /** Whether it takes the place of another chain, whose options it has. */
  readonly isNext?: boolean
}

/** A node that continues another chain. */
export interface ForkedNode {
  readonly node: Node
  /** The options that were given, with what the other chain decides. */
  readonly options: NodeOptions
  readonly fork: Fork
  /** The development accounts that were delegated, and are no more; none of a fork that goes on. */
  readonly undelegated: readonly Address[]
  /** The record of the chain that the journal had; `undefined` for a new one. */
  readonly record: ChainRecord | undefined
}

/**
 * Opens the endpoint's block, and a node that continues it, standing still. The development accounts get their balance in
 * the first block of the fork, unless that is 0, and lose a delegation (EIP-7702). Other accounts get what `fundAccounts` says.
 *
 * A fork that the journal of `deps` has goes on, and asks the endpoint only for what was not fetched before.
 *
 * @param given - What they name goes before what the other chain has.
 * @throws {ForkError} If the endpoint cannot be used; the message says why.
 * @throws {InvalidOptionError} If its chain id, gas limit or fee rule is none that this node can have, or options differ
 * from those of the chain in the journal.
 * @throws {JournalError} If the journal cannot be read.
 */
export async function createForkedNode(
  { remote, blockNumber, chainId, earlier, ready, isNext = false }: ForkSource,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
): Promise<ForkedNode> {
  const { clock, journal, openLimitMs } = deps
  const record = journal && (await readChainRecord(journal))
  if (journal && record) {
    if (!record.fork) throw new ForkError('the stored chain is no fork, and cannot become one: start another one')
    const opened = await reopenFork(journal, record.fork, { clock, remote, limitMs: openLimitMs })
    requireSame(opened.fork, { blockNumber, chainId })
    return {
      node: await createNode(given, { ...deps, fork: opened }),
      options: record.options,
      fork: opened.fork,
      undelegated: [],
      record,
    }
  }
  const spec = createSpec(given)
  const { accounts, coinbase, funded } = spec
  // The engine is compiled while the endpoint answers. The node makes its own, which then takes no time; a failure meets that one.
  createEngine(spec.chainId, given.engine).catch(() => {})
  const first: Address[] = [coinbase, ...accounts.map(({ address }) => address), ...(Object.keys(funded) as Address[])]
  const firstTimestamp = (forkedAt: number) =>
    timestampOf(startMsAfter(forkedAt, spec, { now: () => clock.wallNow() }, true), spec)
  const isSame = blockNumber !== undefined && blockNumber === earlier?.header.header.number
  const opened =
    ready ??
    (isSame ? await continueFork(earlier, remote, clock) : undefined) ??
    (await openFork({ remote, clock, blockNumber, firstTimestamp }, first))
  const { fork } = opened
  // What is missing is then told by name, and not by the first block.
  if (ready) await fork.complete(() => first.map((address) => fork.block.state.account(address)))
  if (chainId !== undefined && chainId !== fork.chainId) {
    throw new ForkError(`${remote.name} has the chain id ${fork.chainId}, not ${chainId} (--fork-chain-id)`)
  }
  const { timestamp } = fork.header.header
  if (!isNext && typeof spec.forkTime === 'number' && spec.forkTime <= timestamp) {
    throw new ForkError(`its time cannot begin at ${spec.forkTime}: the fork's block is of ${timestamp} (--timestamp)`)
  }
  const options = optionsOf(fork, given)
  // A stored fork that was opened before its development accounts were funded would go on without.
  const held = journal && holdJournal(journal)
  const node = await createNode(options, { ...deps, fork: opened, ...(held && { journal: held.journal }) })
  // A reset also funds the development accounts.
  await ask(node, 'devnet_reset')
  await held?.release()
  return { node, options, fork, undelegated: delegatedAccounts(accounts, fork.block.state), record: undefined }
}

/** @throws {ForkError} If a stored fork is not the one that is asked for. */
function requireSame({ header, chainId }: Fork, wanted: Pick<ForkSource, 'blockNumber' | 'chainId'>): void {
  const { number } = header.header
  if (wanted.chainId !== undefined && wanted.chainId !== chainId) {
    throw new ForkError(`the stored chain is a fork of chain ${chainId}, not ${wanted.chainId} (--fork-chain-id)`)
  }
  if (wanted.blockNumber !== undefined && wanted.blockNumber !== number) {
    throw new ForkError(
      `the stored chain is a fork after block ${number}, not ${wanted.blockNumber}: start another one`,
    )
  }
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
