import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import type { CallContext, CallRequest } from '../evm/calls/call.ts'
import type { CallRunner } from '../evm/calls/execute-call.ts'
import type { Film } from '../film/film.ts'
import type { ForkHost } from '../fork/fork-host.ts'
import type { RunningFork } from '../fork/running-fork.ts'
import type { Block } from '../payload/block.ts'
import type { ChainStorage } from '../persistence/chain-storage.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Timeline } from '../sequencer/timeline.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import type { ChainReader } from '../storage/chain-reader.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { TransactionDecoder } from '../tx/transaction-decoder.ts'
import type { Mempool, PoolReader } from '../txpool/mempool.ts'
import type { BuildsOfNode } from './builds/known-builds.ts'
import type { DevSettings } from './dev-settings.ts'
import type { CallBundles } from './methods/wallet/call-bundles.ts'
import type { ImpersonatedAccounts } from './sending/impersonated-accounts.ts'
import type { ScriptTracers } from './tracers/script-tracers.ts'

/** Logs details for developers of the node. */
export type DeveloperLog = (message: string, details?: unknown) => void

/** The node's parts for RPC methods, wired in `node.ts`. A handler destructures those that it needs. */
export interface NodeContext {
  readonly spec: ChainSpec
  readonly clock: Clock
  readonly chain: ChainReader
  readonly pool: PoolReader
  readonly events: Emitter<ChainEvents>
  readonly control: Sequencer
  readonly timeline: Timeline
  readonly impersonated: ImpersonatedAccounts
  readonly settings: DevSettings
  readonly bundles: CallBundles
  readonly decoder: TransactionDecoder
  /**
   * Validates and pools a transaction.
   *
   * @throws {TxRejectedError} With the message and data of protocol section 4.
   */
  submit(tx: Transaction): Transaction
  /** Like {@link Mempool.discard}; only in the same task as the submission. */
  discard: Mempool['discard']
  /** Executes calls, traces and simulations without changing the chain. */
  readonly runner: CallRunner
  /** The EVM environment of `block`. */
  environment(block: Block): BlockEnv
  /**
   * Output of a call on a copy of the state.
   *
   * @throws {CallFailedError} If it reverts, runs out of gas or time, or cannot be paid for.
   */
  call(request: CallRequest, context: CallContext, guard: ExecutionGuard): Promise<Uint8Array>
  /**
   * The lowest gas limit with which the call succeeds.
   *
   * @throws {CallFailedError} If it fails even with the highest.
   */
  estimateGas(request: CallRequest, context: CallContext, guard: ExecutionGuard): Promise<bigint>
  /**
   * Estimates calls in sequence, each on the state that the previous one leaves.
   *
   * @param gasOfFailing - The answer for calls that fail.
   * @throws {CallFailedError} If one of them fails and there is no such answer.
   */
  estimateSequence(
    requests: readonly CallRequest[],
    context: CallContext,
    guard: ExecutionGuard,
    gasOfFailing?: bigint,
  ): Promise<readonly bigint[]>
  /** Compiled sources of contracts. */
  readonly builds: BuildsOfNode
  /** Loads what runs tracers in JavaScript, where the host has it. */
  readonly scripts: (() => Promise<ScriptTracers>) | undefined
  /** Tells of transactions that failed, where the builds say more of them. */
  readonly failures: {
    /** Where a mined transaction failed; `undefined` if it did not, or that is not known. */
    ofTransaction(hash: Hash, guard: ExecutionGuard): Promise<RpcStackTrace | undefined>
  }
  /** The place where the chain is stored. */
  readonly storage: ChainStorage
  /** The moments of a film, a read-only chain; `undefined` for any other chain. */
  readonly film: Film | undefined
  /** For a chain that continues another one; `undefined` for any other. */
  readonly fork: RunningFork | undefined
  /** Where the host can put another chain in this one's place. */
  readonly forkHost: ForkHost | undefined
  /** Adds wei to an account. Resolves with the new balance once it is visible at `pending`. */
  faucet(address: Address, wei: bigint): Promise<bigint>
}
