import type { Clock } from '#primitives/clock.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { DevnetFork } from '#rpc-types/methods/devnet.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import type { CallContext } from '../evm/calls/call.ts'
import { createPacer, ExecutionTimeoutError } from '../evm/calls/pacer.ts'
import { separateCodes } from '../evm/calls/state-override.ts'
import type { Engine } from '../evm/engine.ts'
import { executeMessage } from '../evm/transactions/execute-message.ts'
import type { Block } from '../payload/block.ts'
import type { ForkedState } from '../payload/payload-builder.ts'
import { EMPTY_CODE_HASH } from '../state/state-reader.ts'
import { WorldState } from '../state/world-state.ts'
import type { ChainReader } from '../storage/chain-reader.ts'
import { effectiveTip, maxCost, type Transaction } from '../tx/transaction.ts'
import type { Fork } from './fork.ts'
import { guessingChain } from './guessing-chain.ts'
import { answerWithHistory, type HistoryDeps } from './history.ts'

export interface RunningForkDeps extends HistoryDeps {
  readonly engine: Engine
  readonly chainId: number
  readonly clock: Clock
  readonly environment: (block: Block) => BlockEnv
  /** What a transaction lacks cannot be had: it has to leave the pool. */
  readonly onFailure: (tx: Transaction, reason: string) => void
}

/** Milliseconds that an execution may take which only looks for what is missing. */
const LIMIT_MS = 5_000

/**
 * What the running chain has of the other one that it continues: reads fetch what they lack, and transactions whose state
 * is being fetched are left out of blocks until it is there.
 */
export class RunningFork implements ForkedState {
  readonly fork: Fork
  readonly #deps: RunningForkDeps
  readonly #waiting = new Map<Hash, Promise<void>>()

  constructor(fork: Fork, deps: RunningForkDeps) {
    this.fork = fork
    this.#deps = deps
  }

  /**
   * Answers a call, which fetches what it lacks, or has the endpoint answer what is about the time before the fork.
   *
   * @param guesses - Whether a run may go on with a guess: one that changes the chain must not.
   * @param run - Runs the method with its parameters; may be called many times.
   * @throws {ForkError}
   */
  answer(
    name: string,
    args: readonly unknown[],
    guesses: boolean,
    run: (chain: ChainReader, args: readonly unknown[]) => unknown,
  ): Promise<unknown> {
    const { chain } = this.#deps
    return answerWithHistory(this.fork, this.#deps, name, args, (own) =>
      this.fork.complete((note) => run(guesses ? guessingChain(chain, note) : chain, own)),
    )
  }

  /**
   * Does the next thing with a submitted transaction once all that it touches is known.
   *
   * @throws {ForkError} If that cannot be fetched; it is then no longer in the pool.
   */
  whenReady(tx: Transaction, proceed: () => Promise<void> | undefined): Promise<void> {
    const ready = this.prepare(tx).then(proceed)
    // The submission itself may fail first, and then nobody waits for this.
    ready.catch(() => {})
    return ready
  }

  /** As `devnet_status` tells it. */
  describe(): DevnetFork {
    const { chainId, header, remote } = this.fork
    return {
      endpoint: remote.name,
      chainId: toQuantity(chainId),
      number: toQuantity(header.header.number),
      hash: header.hash,
      isProven: true,
    }
  }

  /** Runs a call until nothing is missing any more. @throws {ForkError} */
  complete<Result>(context: CallContext, run: (context: CallContext) => Promise<Result>): Promise<Result> {
    return this.fork.complete((note) => run({ ...context, state: context.state.guessing(note) }))
  }

  prepareBlock(number: number, timestamp: number): Promise<readonly string[] | undefined> {
    return this.fork.prepareBlock(number, timestamp)
  }

  wait(tx: Transaction): void {
    // Who sent it is told by the chain.
    this.prepare(tx).catch(() => {})
  }

  isWaiting(tx: Transaction): boolean {
    return this.#waiting.has(tx.hash)
  }

  /**
   * Resolves once all that the transaction would touch on the live block's state is known.
   *
   * @throws {ForkError} If that cannot be had; the transaction is then no longer in the pool.
   */
  prepare(tx: Transaction): Promise<void> {
    const underWay = this.#waiting.get(tx.hash)
    if (underWay) return underWay
    const done = this.fork
      .complete(async (note) => {
        const block = this.#deps.chain.pending()
        const state = new WorldState(separateCodes(block.state.guessing(note)))
        await this.#execute(tx, state, this.#deps.environment(block)).catch((error: unknown) => {
          // It is only a look ahead: the block gives the transaction all the time that it pays for.
          if (!(error instanceof ExecutionTimeoutError)) throw error
        })
        // The new root may need more than the execution.
        state.snapshot()
      })
      .catch((error: unknown) => {
        this.#deps.onFailure(tx, error instanceof Error ? error.message : String(error))
        throw error
      })
      .finally(() => this.#waiting.delete(tx.hash))
    this.#waiting.set(tx.hash, done)
    return done
  }

  /** Executes it as if it were its sender's turn. */
  async #execute(tx: Transaction, state: WorldState, env: BlockEnv): Promise<void> {
    const { engine, chainId, clock } = this.#deps
    const sender = state.account(tx.sender)
    const balance = sender?.balance ?? 0n
    state.setAccount(tx.sender, {
      nonce: tx.nonce,
      balance: balance > maxCost(tx) ? balance : maxCost(tx),
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
    }
    // What the list names is likely to be touched.
    for (const { address, storageKeys } of message.accessList) {
      state.account(address)
      for (const slot of storageKeys) state.slotText(address, slot)
    }
    await executeMessage(engine, state, env, message, chainId, createPacer(clock, LIMIT_MS))
  }
}
