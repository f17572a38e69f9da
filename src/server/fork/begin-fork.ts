import { EndpointError } from '#endpoint/endpoint-error.ts'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import type { Fork, ForkRecord } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { absentEndpoint } from '#node/fork/kept-endpoint.ts'
import type { OpenedFork } from '#node/fork/open-fork.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { createForkedNode, type ForkSource } from '#node/forked-node.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { Address } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'

/** A chain that continues another one. */
export interface StartedFork {
  readonly node: Node
  /** Options of the node, with what the other chain decides. */
  readonly options: NodeOptions
  /** The record of the chain that the journal had; `undefined` for a new one. */
  readonly record: ChainRecord | undefined
  /** What it has of the other chain. */
  readonly fork: Fork
  /** For the banner; `undefined` for one without an endpoint. */
  readonly note: string | undefined
  /**
   * Fetches from another endpoint from here on, or from the first one.
   *
   * @throws {ForkError} If it has another chain, or not what the fork needs; nothing changes.
   */
  readonly setEndpoint: (command: ForkCommand) => Promise<void>
  readonly close: () => Promise<void>
}

/** An endpoint that ends what it was asked when it is closed. */
export type Closable = Remote & { close(): void }

/** An endpoint in use, which another can take the place of. */
class CurrentEndpoint implements Remote {
  #endpoint: Closable

  constructor(endpoint: Closable) {
    this.#endpoint = endpoint
  }

  get name(): string {
    return this.#endpoint.name
  }

  get isAbsent(): boolean {
    return this.#endpoint.isAbsent ?? false
  }

  get looksAhead(): boolean {
    return this.#endpoint.looksAhead ?? true
  }

  readonly ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await this.#endpoint.ask(method, params)
    } catch (error) {
      throw error instanceof EndpointError ? ForkError.of(error) : error
    }
  }

  /** What the one before was asked, it still answers. */
  moveTo(endpoint: Closable): void {
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
 * @param before - The chain whose place it takes: a fork of the same endpoint, if it is one.
 */
export function beginFork(
  command: ForkCommand,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
  before?: { readonly fork?: Fork | undefined },
): Promise<StartedFork> {
  const { blockNumber, chainId } = command
  const source = { blockNumber, chainId, earlier: before?.fork, isNext: before !== undefined }
  return begin(endpointOf(command, deps), source, given, deps)
}

/**
 * Opens the fork that the journal has without its endpoint: it has what was fetched before, until it gets another one.
 *
 * @param kept - What the chain's record says of it.
 */
export function reopenWithoutEndpoint(
  kept: Pick<ForkRecord, 'endpoint'>,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
): Promise<StartedFork> {
  return begin({ ...absentEndpoint(kept.endpoint), close() {} }, {}, given, deps)
}

/**
 * Opens a block, and a node that continues it; or the fork that the journal has.
 *
 * @param open - Opens the fork itself, which asks the remote that it is given; by default the endpoint is asked.
 */
export async function begin(
  endpoint: Closable,
  source: Omit<ForkSource, 'remote' | 'ready'>,
  given: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
  open?: (remote: Remote) => Promise<OpenedFork>,
): Promise<StartedFork> {
  const remote = new CurrentEndpoint(endpoint)
  try {
    const ready = await open?.(remote)
    const { node, options, fork, undelegated, record } = await createForkedNode(
      { ...source, remote, ready },
      given,
      deps,
    )
    return {
      node,
      options,
      record,
      fork,
      note: fork.isOffline && !ready ? undefined : describe(fork, record ? [] : newFork(fork, options, undelegated)),
      async setEndpoint(command) {
        const other = endpointOf(command, deps)
        try {
          await fork.checkOther(new CurrentEndpoint(other))
        } catch (error) {
          other.close()
          throw error
        }
        remote.moveTo(other)
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

function endpointOf(
  { url, headers, retries, backoffMs, timeoutMs }: ForkCommand,
  { log }: Pick<NodeDeps, 'log'>,
): RemoteEndpoint {
  const onWait = (line: string) => log('warn', line)
  return new RemoteEndpoint({ url, headers, retries, backoffMs, timeoutMs, onWait, defer: setImmediate })
}

function describe({ chainId, remote, header, withoutProofs }: Fork, more: readonly string[]): string {
  const { number, stateRoot } = header.header
  const trust =
    withoutProofs === undefined
      ? `its state is proven against the root ${stateRoot}`
      : `it has no proofs (eth_getProof: ${withoutProofs}) and is taken at its word, so state roots are not those of the real chain`
  return [`A fork of chain ${chainId} at ${remote.name} after block ${number}; ${trust}.`, ...more].join('\n')
}

/** What is said of a fork that begins, in sentences. */
function newFork({ header }: Fork, { forkTime = 'block' }: NodeOptions, undelegated: readonly Address[]): string[] {
  const { timestamp } = header.header
  const time =
    forkTime === 'now'
      ? 'Its time is the present.'
      : forkTime === 'block' || forkTime <= timestamp
        ? `Its time goes on from that of the block, ${dateOf(timestamp)}; --fork-time now takes the present.`
        : `Its time begins at ${dateOf(forkTime)}.`
  if (undelegated.length === 0) return [time]
  return [time, `These accounts are delegated there (EIP-7702), and no more here: ${undelegated.join(', ')}.`]
}

/** A timestamp as a date in UTC, without fractions. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
