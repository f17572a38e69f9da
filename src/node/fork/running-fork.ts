import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'
import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { AnvilForkedNetwork } from '#rpc-types/methods/anvil.ts'
import type { DevnetFork } from '#rpc-types/methods/devnet.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import type { CallContext } from '../evm/calls/call.ts'
import { separateCodes } from '../evm/calls/state-override.ts'
import type { Engine } from '../evm/engine.ts'
import { mostDues } from '../evm/rollup.ts'
import { executeMessage } from '../evm/transactions/execute-message.ts'
import type { Block } from '../payload/block.ts'
import type { ForkedState } from '../payload/forked-state.ts'
import type { MissingState, NoteMissing } from '../state/missing-state.ts'
import { EMPTY_CODE_HASH } from '../state/state-reader.ts'
import { WorldState } from '../state/world-state.ts'
import type { ChainReader } from '../storage/chain-reader.ts'
import { createPacer, ExecutionTimeoutError } from '../turns/pacer.ts'
import { effectiveTip, maxCost, type Transaction } from '../tx/transaction.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'
import { answerWithHistory, type HistoryDeps, joinLogs } from './history.ts'

export interface RunningForkDeps extends HistoryDeps {
  readonly engine: Engine
  readonly chainId: number
  readonly clock: Clock
  readonly environment: (block: Block) => BlockEnv
  /** What a transaction lacks cannot be had. Resolves once it has left the pool. */
  readonly onFailure: (tx: Transaction, reason: string) => Promise<void>
}

/** What a log filter selects; an empty list selects everything. */
interface FilterQuery {
  readonly addresses: readonly Address[]
  readonly topics: readonly (readonly Hash[])[]
  readonly blockHash: Hash | undefined
  readonly fromBlock: number | string | undefined
  readonly toBlock: number | string | undefined
}

/** A transaction that no block takes yet. */
interface Waiting {
  readonly tx: Transaction
  /** Settles once what it lacks is there, or cannot be had. */
  readonly fetched: Promise<void>
  /** Whether `fetched` has not settled. One for which it failed still waits, to leave the pool. */
  isFetching: boolean
}

/** Milliseconds that an execution may take which only looks for what is missing. */
const LIMIT_MS = 5_000
/** How long a seal on request, or automine, waits for the state of transactions, in milliseconds. */
const PATIENCE_MS = 60_000
/** How often a transaction may lack something in a block after it had all that its trial run met. */
const MAX_WAITS = 64

/**
 * What the running chain has of the other one that it continues: reads fetch what they lack, and transactions whose state
 * is being fetched are left out of blocks until it is there.
 */
export class RunningFork implements ForkedState {
  readonly fork: Fork
  readonly #deps: RunningForkDeps
  readonly #waiting = new Map<Hash, Waiting>()
  /** How often each transaction lacked something in a block. */
  readonly #lacked = new WeakMap<Transaction, number>()

  constructor(fork: Fork, deps: RunningForkDeps) {
    this.fork = fork
    this.#deps = deps
  }

  /**
   * Answers a call, which fetches what it lacks, or has the endpoint answer what is about the time before the fork.
   *
   * @param guesses - Whether a run may go on with a guess: one that changes the chain must not.
   * @param run - Runs the method with its parameters; may be called many times. By `see` it reads another block's state as
   * it reads that of the chain.
   * @throws {ForkError}
   */
  answer(
    name: MethodName,
    args: readonly unknown[],
    guesses: boolean,
    run: (chain: ChainReader, args: readonly unknown[], see: (block: Block) => Block) => unknown,
  ): Promise<unknown> {
    const { chain } = this.#deps
    return answerWithHistory(this.fork, this.#deps, name, args, (own) =>
      this.fork.complete((note) =>
        guesses
          ? run(guessingChain(chain, note), own, (block) => guessing(block, note))
          : run(chain, own, (block) => block),
      ),
    )
  }

  /**
   * The logs of a filter, from before and after the fork.
   *
   * @param own - Finds those of this chain, from another block on if one is given.
   * @throws {ForkError}
   */
  logs(filter: FilterQuery, own: (fromBlock?: number) => Promise<readonly RpcLog[]>): Promise<readonly RpcLog[]> {
    const { addresses, topics, blockHash } = filter
    const asText = (block: number | string | undefined) => (typeof block === 'number' ? toQuantity(block) : block)
    const asked = {
      ...(addresses.length > 0 && { address: addresses }),
      topics: topics.map((alternatives) => (alternatives.length === 0 ? null : alternatives)),
      ...(blockHash === undefined
        ? { fromBlock: asText(filter.fromBlock), toBlock: asText(filter.toBlock) }
        : { blockHash }),
    }
    return joinLogs(this.fork, this.#deps, asked, own) as Promise<readonly RpcLog[]>
  }

  /**
   * Does the next thing with a submitted transaction once all that it touches is known.
   *
   * @throws {ForkError} If that cannot be fetched; it then leaves the pool.
   */
  whenReady(tx: Transaction, proceed: () => Promise<void> | undefined): Promise<void> {
    const ready = this.prepare(tx).then(proceed)
    // The submission itself may fail first, and then nobody waits for this.
    ready.catch(() => {})
    return ready
  }

  /** As `devnet_status` tells it. */
  describe(): DevnetFork {
    const { chainId, header, isOffline, remote, withoutProofs } = this.fork
    return {
      endpoint: remote.name,
      chainId: toQuantity(chainId),
      number: toQuantity(header.header.number),
      hash: header.hash,
      isProven: withoutProofs === undefined,
      ...(isOffline && { isOffline: true as const }),
    }
  }

  /** As `anvil_metadata` tells it. */
  network(): AnvilForkedNetwork {
    const { chainId, header } = this.fork
    return { chainId, forkBlockNumber: header.header.number, forkBlockHash: header.hash }
  }

  /** Runs a call until nothing is missing any more. @throws {ForkError} */
  complete<Result>(context: CallContext, run: (context: CallContext) => Promise<Result>): Promise<Result> {
    return this.fork.complete((note) => run({ ...context, state: context.state.guessing(note) }))
  }

  prepareBlock(number: number, timestamp: number): Promise<readonly string[] | undefined> {
    return this.fork.systemSlots.prepare(number, timestamp)
  }

  wait(tx: Transaction, missing: MissingState): void {
    const times = (this.#lacked.get(tx) ?? 0) + 1
    this.#lacked.set(tx, times)
    const fetch = async () => {
      if (times > MAX_WAITS) {
        throw new ForkError(
          `each block changes what the transaction needs of ${this.fork.remote.name}: ${MAX_WAITS} runs`,
        )
      }
      // The look ahead, on another state, may not meet it.
      await this.fork.fetch([missing])
      await this.#lookAhead(tx)
    }
    // Who sent it is told by the chain.
    this.#begin(tx, fetch).catch(() => {})
  }

  isWaiting(tx: Transaction): boolean {
    return this.#waiting.has(tx.hash)
  }

  async repeat(step: () => Promise<void>, isOver: () => boolean, sender?: Address): Promise<void> {
    const { clock } = this.#deps
    const deadline = clock.now() + PATIENCE_MS
    do {
      await step()
      const fetched = this.#whenFetched(sender)
      if (!fetched) return
      await endsWithin(clock, deadline - clock.now(), fetched)
    } while (!isOver() && clock.now() < deadline)
  }

  /** Settles once what transactions wait for now has settled; `undefined` if nothing is being fetched for them. */
  #whenFetched(sender: Address | undefined): Promise<unknown> | undefined {
    const all = [...this.#waiting.values()]
    const fetching = all.filter(({ tx, isFetching }) => isFetching && (sender === undefined || tx.sender === sender))
    return fetching.length === 0 ? undefined : Promise.allSettled(fetching.map(({ fetched }) => fetched))
  }

  /**
   * Resolves once all that the transaction would touch on the live block's state is known.
   *
   * @throws {ForkError} If that cannot be had; the transaction is then about to leave the pool.
   */
  prepare(tx: Transaction): Promise<void> {
    return this.#begin(tx, () => this.#lookAhead(tx))
  }

  #begin(tx: Transaction, fetch: () => Promise<void>): Promise<void> {
    const underWay = this.#waiting.get(tx.hash)
    if (underWay) return underWay.fetched
    const { onFailure } = this.#deps
    const end = () => this.#waiting.delete(tx.hash)
    const fetched = fetch().then(
      () => void end(),
      (error: unknown) => {
        waiting.isFetching = false
        void onFailure(tx, error instanceof Error ? error.message : String(error)).then(end)
        throw error
      },
    )
    const waiting: Waiting = { tx, fetched, isFetching: true }
    this.#waiting.set(tx.hash, waiting)
    return fetched
  }

  /** Fetches what the transaction meets on the live block's state. */
  #lookAhead(tx: Transaction): Promise<void> {
    return this.fork.complete(async (note) => {
      const block = this.#deps.chain.pending()
      const state = new WorldState(separateCodes(block.state.guessing(note)))
      await this.#execute(tx, state, this.#deps.environment(block)).catch((error: unknown) => {
        // The block gives the transaction all the time that it pays for.
        if (!(error instanceof ExecutionTimeoutError)) throw error
      })
      // The new root may need more than the execution.
      state.snapshot()
    })
  }

  /** Executes it as if it were its sender's turn. */
  async #execute(tx: Transaction, state: WorldState, env: BlockEnv): Promise<void> {
    const { engine, chainId, clock } = this.#deps
    const sender = state.account(tx.sender)
    const balance = sender?.balance ?? 0n
    const most = maxCost(tx) + (engine.rollup ? mostDues(engine.rollup, state, tx) : 0n)
    state.setAccount(tx.sender, {
      nonce: tx.nonce,
      balance: balance > most ? balance : most,
      codeHash: sender?.codeHash ?? EMPTY_CODE_HASH,
    })
    const tip = effectiveTip(tx, env.baseFee)
    const message = {
      from: tx.sender,
      to: tx.to,
      gas: tx.gas,
      gasPrice: env.baseFee + (tip > 0n ? tip : 0n),
      tip: tip > 0n ? tip : 0n,
      value: tx.value,
      input: tx.input,
      accessList: tx.type === 0 ? [] : tx.accessList,
      authorizationList: tx.type === 4 ? tx.authorizationList : [],
      l1: engine.rollup?.chargeOf(state, tx),
    }
    // What the list names is likely to be touched.
    for (const { address, storageKeys } of message.accessList) {
      state.account(address)
      for (const slot of storageKeys) state.slotText(address, slot)
    }
    await executeMessage(engine, state, env, message, chainId, createPacer(clock, LIMIT_MS))
  }
}

/** A block whose state notes what is missing and goes on with a guess. */
function guessing<Found extends Block>(block: Found, note: NoteMissing): Found {
  return new Proxy(block, {
    get(target, name) {
      // The receiver is the block itself, which may have private fields.
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'state') return target.state.guessing(note)
      return typeof value === 'function' ? (value as (...given: never[]) => unknown).bind(target) : value
    },
  })
}

/** A chain whose states note what is missing and go on with a guess. */
function guessingChain(chain: ChainReader, note: NoteMissing): ChainReader {
  const seen = <Found extends Block>(block: Found) => guessing(block, note)
  const orNothing = <Found extends Block>(block: Found | undefined) => block && seen(block)
  return {
    first: () => seen(chain.first()),
    head: () => seen(chain.head()),
    pending: () => seen(chain.pending()),
    blockByNumber: (number) => orNothing(chain.blockByNumber(number)),
    blockByHash: (hash) => orNothing(chain.blockByHash(hash)),
    blocksWithLogs: (from, to, query) => chain.blocksWithLogs(from, to, query).map(seen),
    findTransaction(hash) {
      const found = chain.findTransaction(hash)
      return found && { ...found, block: seen(found.block) }
    },
  }
}
