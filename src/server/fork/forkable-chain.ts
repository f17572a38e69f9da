import type { ForkHost, ForkTarget } from '#node/fork/fork-host.ts'
import type { Node } from '#node/node.ts'
import { RpcRefusedError } from '#node/rpc/errors.ts'
import type { Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import { ask } from '#rpc-types/ask.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import { FORK_DEFAULTS, type ForkCommand } from '#server/cli/fork-flags.ts'
import type { StartedFork } from './begin-fork.ts'
import { ReplaceableNode } from './replaceable-node.ts'

/** A chain that was started, as a fork or not. */
export interface StartedChain extends Pick<StartedFork, 'node' | 'close'> {
  /** Says which chain a fork continues; only of a fork. */
  readonly note?: string | undefined
  /** Only of a fork. */
  readonly setEndpoint?: StartedFork['setEndpoint']
  /** Only of a fork. */
  readonly fork?: StartedFork['fork']
  /** Takes the place in which the chain before is stored. @throws {JournalError} If it cannot; that chain stays. */
  readonly take?: () => Promise<void>
}

export interface ForkableChainOptions {
  readonly clock: Clock
  /** The fork that the command line asks for, if any. */
  readonly fork: ForkCommand | undefined
  /** As in {@link ForkHost}. */
  readonly isKept: boolean
  /**
   * Starts a chain.
   *
   * @param fork - What it is a fork of, if it is one.
   * @param host - For the chain's node.
   * @param earlier - A fork of the same endpoint, which may have fetched what this one needs.
   * @throws {ForkError} If that cannot be forked.
   * @throws {RpcRefusedError} If no such chain can stand there.
   */
  readonly begin: (
    fork: ForkCommand | undefined,
    host: ForkHost,
    earlier: StartedFork['fork'] | undefined,
  ) => Promise<StartedChain>
}

/** A chain in whose place callers may put another: a fork, or one that is none. */
export class ForkableChain implements ForkHost {
  readonly node: ReplaceableNode
  readonly isKept: boolean
  readonly #options: ForkableChainOptions
  #fork: ForkCommand | undefined
  #chain: StartedChain
  /** Whether another chain is being opened. */
  #isBusy = false
  #isClosed = false

  private constructor(options: ForkableChainOptions, chain: StartedChain, node: ReplaceableNode) {
    this.#options = options
    this.isKept = options.isKept
    this.#fork = options.fork
    this.#chain = chain
    this.node = node
  }

  /** Starts the chain of the command line. */
  static async open<Chain extends StartedChain>(
    options: ForkableChainOptions,
    begin: (host: ForkHost) => Promise<Chain>,
  ): Promise<readonly [ForkableChain, Chain]> {
    const opened: { chain?: ForkableChain } = {}
    const whole = () => {
      invariant(opened.chain, 'a node asks its host only once callers can reach it')
      return opened.chain
    }
    const host: ForkHost = {
      isKept: options.isKept,
      reset: (target) => whole().reset(target),
      setUrl: (url) => whole().setUrl(url),
    }
    const started = await begin(host)
    const chain = new ForkableChain(options, started, new ReplaceableNode(started.node, options.clock))
    opened.chain = chain
    return [chain, started]
  }

  async reset(target: ForkTarget | undefined): Promise<void> {
    const fork = target && this.#commandOf(target)
    await this.#alone(async () => {
      const next = await this.#options.begin(fork, this, fork?.url === this.#fork?.url ? this.#chain.fork : undefined)
      try {
        next.node.start()
        await keepModes(this.node, next.node)
        this.#requireOpen()
        await next.take?.()
        this.#requireOpen()
      } catch (error) {
        await next.close()
        throw error
      }
      const before = this.#chain
      this.#chain = next
      this.#fork = fork
      this.node.replaceWith(next.node, () => before.close())
    })
  }

  async setUrl(url: string): Promise<void> {
    const { setEndpoint } = this.#chain
    if (!setEndpoint) {
      throw new RpcRefusedError('server', 'this chain is no fork, and asks no endpoint: anvil_reset makes it one')
    }
    const { blockNumber: _, ...command } = this.#commandOf({ jsonRpcUrl: url })
    await this.#alone(async () => {
      await setEndpoint(command)
      this.#fork = command
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.node.close()
    await this.#chain.close()
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new RpcRefusedError('server', 'the node is stopping')
  }

  /** @throws {RpcRefusedError} If another change is under way. */
  async #alone(change: () => Promise<void>): Promise<void> {
    if (this.#isBusy) throw new RpcRefusedError('server', 'another reset is under way: wait for its end')
    this.#isBusy = true
    try {
      await change()
    } finally {
      this.#isBusy = false
    }
  }

  /** @throws {RpcRefusedError} If it names no endpoint and there is none. */
  #commandOf({ jsonRpcUrl, blockNumber }: ForkTarget): ForkCommand {
    const { fork: given } = this.#options
    const url = jsonRpcUrl ?? this.#fork?.url
    if (url === undefined) {
      const why = this.#chain.fork ? 'this fork was opened without its endpoint' : 'this chain is no fork yet'
      throw new RpcRefusedError('invalid-params', `forking needs a jsonRpcUrl: ${why}`)
    }
    if (!URL.canParse(url)) throw new RpcRefusedError('invalid-params', 'jsonRpcUrl is no address')
    const { headers, chainId, retries, backoffMs, timeoutMs } = given ?? FORK_DEFAULTS
    // What the command line names is for its own endpoint; a header may hold a key.
    const isGiven = given !== undefined && new URL(url).origin === new URL(given.url).origin
    return {
      url,
      retries,
      backoffMs,
      timeoutMs,
      headers: isGiven ? headers : [],
      ...(isGiven && chainId !== undefined && { chainId }),
      ...(blockNumber !== undefined && { blockNumber }),
    }
  }
}

/** How blocks come, as callers have set it, goes on in the next chain. */
async function keepModes(before: Pick<Node, 'connect'>, next: Node): Promise<void> {
  const { automine, paused, minesOnRequest } = (await ask(before, 'devnet_status')) as DevnetStatus
  if (automine || minesOnRequest) await ask(next, 'evm_setAutomine', automine === true)
  else if (paused) await ask(next, 'devnet_pause')
}
