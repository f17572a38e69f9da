// Longer than most files: every step that changes the block under construction is here, as each needs its state and its body.
import type { Clock } from '#primitives/clock.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { type BlockEnv, envOf } from '../evm/block-env.ts'
import type { ConsoleCalls } from '../evm/console-calls.ts'
import type { Engine } from '../evm/engine.ts'
import {
  type AppliedTransaction,
  applyTransaction,
  InvalidTransactionError,
} from '../evm/transactions/apply-transaction.ts'
import { applySystemCalls } from '../evm/transactions/system-calls.ts'
import { nextBaseFee } from '../spec/base-fee.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import { extraDataOf } from '../spec/extra-data.ts'
import { MAX_BLOCK_BYTES } from '../spec/gas-schedule.ts'
import { MissingStateError } from '../state/missing-state.ts'
import { applyDifference, stateDifference } from '../state/state-difference.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { WorldState } from '../state/world-state.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { createPacer, ExecutionTimeoutError } from '../turns/pacer.ts'
import { Stopwatch } from '../turns/stopwatch.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { BlockSource, FailedTransaction } from '../txpool/mempool.ts'
import type { Header, HeaderBase, PartialBlock, SealedBlock, StateEdit } from './block.ts'
import { BlockBody } from './block-body.ts'
import { deriveBeaconRoot, deriveMixHash, derivePayloadId } from './derived-fields.ts'
import type { ForkedState } from './forked-state.ts'
import { blockSize, bodyLength, hashHeader } from './header.ts'
import { describeSlow } from './slow-transaction.ts'

/** The rule for the timestamps of a chain's blocks. It may change while the chain runs. */
export interface TimestampRule {
  /** Whether a block may have its parent's timestamp; otherwise it is at least a second later. */
  mayRepeat: boolean
}

/** The builder's dependencies, the same for every block. */
export interface BuilderDeps {
  readonly spec: ChainSpec
  readonly engine: Engine
  readonly clock: Clock
  /** Time limit in milliseconds for {@link PayloadBuilder.repeat}; without it there is none. */
  readonly repeatLimitMs?: number | undefined
  /**
   * Called before each partial block that is executed again, with how many were done and how many there are in its
   * block.
   */
  readonly onRepeated?: ((done: number, total: number) => void) | undefined
  readonly timestamps: TimestampRule
  /** Hash of a sealed block. */
  readonly blockHash: (number: number) => Hash | undefined
  /** For a chain that continues another one, whose state is fetched. */
  readonly fork?: ForkedState | undefined
  /** Logs details for developers of the node. */
  readonly log: (message: string, details?: unknown) => void
}

/** Header fields that development methods may override in the next block. */
export interface HeaderOverrides {
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  /** Wei per gas; by default the value of EIP-1559. */
  readonly baseFeePerGas?: bigint
  readonly coinbase?: Address
  readonly gasLimit?: bigint
  readonly mixHash?: Hash
}

/** Gas between two looks at the clock, each of which costs a browser a few tenths of a microsecond. */
const GAS_BETWEEN_LOOKS = 210_000n

/** Most bytes of transactions in a block: its header and its lists take fewer than 1,024. */
const MAX_BODY_BYTES = MAX_BLOCK_BYTES - 1_024

/** Most bytes of calls of the console that are kept of one partial block, until they are told. */
const MAX_CONSOLE_BYTES = 1 << 20

/** A transaction that has called the console. */
export interface LoggingTransaction {
  readonly tx: Transaction
  readonly calls: ConsoleCalls
  /** Why it failed; `null` if it succeeded. */
  readonly error: string | null
}

/** Builds one block, partial block by partial block. Only appends, except for requested faults. */
export class PayloadBuilder {
  readonly env: BlockEnv
  readonly #deps: BuilderDeps
  readonly #base: HeaderBase
  readonly #parent: SealedBlock
  readonly #payloadId: Hex
  #state: WorldState
  #body = new BlockBody()
  #edits: readonly StateEdit[] = []
  /** Progress of {@link extend}. */
  #handled: Transaction | undefined
  #console: LoggingTransaction[] = []
  #consoleBytes = 0
  /** The block before index 0, then after each cut index. */
  #marks: Mark[] = []

  private constructor(deps: BuilderDeps, base: HeaderBase, parent: SealedBlock, state: WorldState) {
    this.#deps = deps
    this.#base = base
    this.#parent = parent
    this.#payloadId = derivePayloadId(base.parentHash, base.timestamp)
    this.#state = state
    this.env = envOf(base, (number) => (number === parent.header.number ? parent.hash : deps.blockHash(number)))
  }

  /**
   * Starts the block after `parent` and makes its system calls; a failed one is logged.
   *
   * @param overrides - Header fields; the timestamp is raised to the lowest that the {@link TimestampRule} allows.
   * @param previous - The finished builder of `parent`, whose working state and caches are reused. Unchanged if this
   * throws.
   * @param skipsCalls - Whether the block is one that has no system calls.
   */
  static async open(
    deps: BuilderDeps,
    parent: SealedBlock,
    overrides: HeaderOverrides,
    previous?: PayloadBuilder,
    skipsCalls = false,
  ): Promise<PayloadBuilder> {
    const { spec } = deps
    const number = parent.header.number + 1
    const base: HeaderBase = {
      parentHash: parent.hash,
      coinbase: overrides.coinbase ?? spec.coinbase,
      number,
      gasLimit: overrides.gasLimit ?? spec.gasLimit,
      timestamp: Math.max(overrides.timestamp, parent.header.timestamp + (deps.timestamps.mayRepeat ? 0 : 1)),
      extraData: extraDataOf(spec),
      mixHash: overrides.mixHash ?? deriveMixHash(spec.seed, number),
      baseFeePerGas: overrides.baseFeePerGas ?? nextBaseFee(parent.header),
      parentBeaconBlockRoot: deriveBeaconRoot(spec.seed, number),
    }
    const state = previous ? previous.#state : new WorldState(parent.state)
    const builder = new PayloadBuilder(deps, base, parent, state)
    const lacking = skipsCalls ? [] : await deps.fork?.prepareBlock(number, base.timestamp)
    state.checkpoint()
    try {
      const failures =
        lacking ?? (await applySystemCalls(deps.engine, state, builder.env, base, createPacer(deps.clock)))
      for (const failure of failures) deps.log(`block ${number}: ${failure}`)
      // What the new root lacks is found out while the calls can be undone.
      if (deps.fork) state.snapshot()
      state.commit()
    } catch (error) {
      state.revert()
      if (!(error instanceof MissingStateError)) throw error
      deps.log(`block ${number} has no system calls: ${error.message}`)
    }
    builder.#mark(0)
    return builder
  }

  /**
   * Executes transactions from the pool, best first, until nothing more fits this tick.
   *
   * @param index - Index of the partial block, for the new transactions.
   * @param gasShare - The most gas the block may hold so far.
   * @param budgetMs - Milliseconds after which no further transaction starts. The first always does: if the machine is
   *   so busy that the time passes before it, ticks would go by and none take it.
   * @param most - Number of transactions after which it ends.
   * @throws If the node itself fails; then {@link undo} what was started.
   */
  async extend(
    index: number,
    gasShare: bigint,
    source: BlockSource,
    budgetMs: number = this.#deps.spec.tickBudgetMs,
    most: number = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    this.takeConsole()
    const { clock, log, spec } = this.#deps
    const blockMs = spec.partialMs * spec.partialsPerBlock
    const deadline = clock.now() + budgetMs
    const pacer = createPacer(clock)
    const stopwatch = new Stopwatch(clock, pacer)
    const best = source.best(this.#base.baseFeePerGas)
    let lookAtGas = this.#body.gasUsed
    const end = this.#body.length + most
    let started = false
    while (this.#body.length < end) {
      if (this.#body.gasUsed >= lookAtGas) {
        await pacer.checkpoint()
        if (started && clock.now() >= deadline) break
        lookAtGas = this.#body.gasUsed + GAS_BETWEEN_LOOKS
      }
      const tx = best.next()
      this.#handled = tx
      if (!tx) break
      if (this.#deps.fork?.isWaiting(tx)) {
        best.skipSender(tx.sender)
        continue
      }
      const limitMs = source.timeLimits?.limitMs(tx) ?? Number.POSITIVE_INFINITY
      const isLimited = limitMs < Number.POSITIVE_INFINITY
      const isTooMuch = this.#body.gasUsed + tx.gas > gasShare || this.#body.bytes + bodyLength(tx.raw) > MAX_BODY_BYTES
      if (limitMs <= 0 || isTooMuch) {
        best.skipSender(tx.sender)
        continue
      }
      started = true
      source.claim(tx)
      stopwatch.start(limitMs)
      let failure: FailedTransaction | undefined
      try {
        failure = await this.#include(tx, index, stopwatch)
      } catch (error) {
        // On a fork it may run many times before it has all that it needs.
        if (isLimited) source.timeLimits?.ran(tx, stopwatch.ranMs, false)
        throw error
      }
      const isStopped = isLimited && failure?.cause instanceof ExecutionTimeoutError
      if (isLimited) source.timeLimits?.ran(tx, stopwatch.ranMs, isStopped)
      else if (stopwatch.ranMs > blockMs && !source.isLook) log(describeSlow(tx.hash, stopwatch, blockMs))
      if (isStopped) {
        source.unclaim(tx)
        best.skipSender(tx.sender)
        // A stopped transaction takes time, but no gas.
        lookAtGas = this.#body.gasUsed
      } else if (failure) {
        source.fail(failure)
        best.skipSender(tx.sender)
        lookAtGas = this.#body.gasUsed
      }
    }
    this.#handled = undefined
  }

  async #include(tx: Transaction, index: number, guard: ExecutionGuard): Promise<FailedTransaction | undefined> {
    const { engine, spec, fork } = this.#deps
    let applied: AppliedTransaction
    try {
      const watch = engine.executed?.watch(true)
      const applying = applyTransaction(engine, this.#state, this.env, tx, spec.chainId, guard, watch)
      applied = applying instanceof Promise ? await applying : applying
      // The new root may lack something, too.
      if (fork) this.#state.snapshot()
    } catch (error) {
      // The caller undoes the partial block.
      if (error instanceof MissingStateError) throw error
      if (error instanceof InvalidTransactionError) return { tx, reason: error.message, cause: undefined }
      const detail = error instanceof Error ? error.message : String(error)
      return { tx, reason: `execution failed unexpectedly: ${detail}`, cause: error }
    }
    this.#body.append(tx, applied, index)
    if (applied.consoleCalls) this.#keepConsole(tx, applied, applied.consoleCalls)
    return undefined
  }

  #keepConsole(tx: Transaction, { failure }: AppliedTransaction, calls: ConsoleCalls): void {
    const bytes = calls.inputs.reduce((sum, input) => sum + input.length, 0)
    const isTooMuch = this.#consoleBytes + bytes > MAX_CONSOLE_BYTES
    if (!isTooMuch) this.#consoleBytes += bytes
    const kept = isTooMuch ? { inputs: [], more: calls.inputs.length + calls.more } : calls
    this.#console.push({ tx, calls: kept, error: failure?.message ?? null })
  }

  /** What transactions have logged since the last call of this or of {@link extend}. */
  takeConsole(): readonly LoggingTransaction[] {
    const taken = this.#console
    this.#console = []
    this.#consoleBytes = 0
    return taken
  }

  /**
   * Changes the state outside of any transaction; the next cut shows it.
   *
   * @param index - The partial block that will show it.
   * @param change - If it throws, nothing has changed.
   */
  edit<Result>(index: number, change: (state: WorldState) => Result): Result {
    const state = this.#state
    const before = state.snapshot()
    state.beginTransaction()
    state.checkpoint()
    try {
      const result = change(state)
      const difference = stateDifference(before, state.snapshot())
      state.commit()
      this.#edits = [...this.#edits, { position: this.#body.length, partialIndex: index, difference }]
      return result
    } catch (error) {
      state.revert()
      throw error
    }
  }

  /**
   * Repeats the content of partial block `index` of an earlier run; cut it before the next.
   *
   * @throws {InvariantError} If a transaction can no longer be executed.
   * @throws {ExecutionTimeoutError}
   */
  async repeat(index: number, { transactions, edits }: PartialContent): Promise<void> {
    const pacer = createPacer(this.#deps.clock, this.#deps.repeatLimitMs)
    const editHere = () => {
      for (const edit of edits) {
        if (edit.position !== this.#body.length) continue
        this.#state.beginTransaction()
        applyDifference(this.#state, edit.difference)
        this.#edits = [...this.#edits, edit]
      }
    }
    for (const tx of transactions) {
      editHere()
      const failure = await this.#include(tx, index, pacer)
      if (failure?.cause instanceof ExecutionTimeoutError) throw failure.cause
      invariant(!failure, `transaction ${tx.hash} cannot be executed again: ${failure?.reason}`)
      await pacer.checkpoint()
    }
    editHere()
  }

  /** Whether nothing was included or edited, so that the block could be reopened. */
  get isUntouched(): boolean {
    return this.#body.length === 0 && this.#edits.length === 0
  }

  /**
   * Cuts the block as it is now.
   *
   * @param previous - The partial block before this one in the same block, if any.
   * @param startedAtMs - When the work on this index started, in milliseconds since the Unix epoch.
   */
  cut(index: number, previous: PartialBlock | undefined, startedAtMs: number): PartialBlock {
    const state = this.#mark(index + 1)
    const header: Header = {
      ...this.#base,
      stateRoot: state.stateRoot(),
      transactionsRoot: bytesToHex(this.#body.transactionsRoot()),
      receiptsRoot: bytesToHex(this.#body.receiptsRoot()),
      logsBloom: this.#body.bloom(),
      gasUsed: this.#body.gasUsed,
    }
    const firstNew = previous?.transactions.length ?? 0
    const unchanged = previous && firstNew === this.#body.length
    const cutAtMs = this.#deps.clock.now()
    return {
      kind: 'partial',
      header,
      hash: hashHeader(header),
      size: blockSize(header, this.#body.bytes),
      transactions: unchanged ? previous.transactions : this.#body.transactions(),
      edits: this.#edits,
      state,
      index,
      payloadId: this.#payloadId,
      firstNew,
      restarts: previous === undefined,
      opening: this.#opening,
      cutAtMs,
      tookMs: cutAtMs - startedAtMs,
    }
  }

  /** Reverts the block to partial block `index`, or to before index 0 for −1; everything later is removed. */
  rewind(index: number): void {
    const mark = this.#marks[index + 1]
    invariant(mark, `partial block ${index} was not cut`)
    this.#marks.length = index + 2
    this.#body = mark.body.branch()
    this.#edits = mark.edits
    this.#state = new WorldState(mark.state)
  }

  /** The transaction on which {@link extend} threw; `undefined` if none. */
  get handled(): Transaction | undefined {
    return this.#handled
  }

  /** The block at the newest cut, which {@link undo} restores. */
  get checkpoint(): BuilderCheckpoint {
    return this.#marks.slice()
  }

  /** Reverts to a checkpoint; removes everything included, edited and cut since. */
  undo(checkpoint: BuilderCheckpoint): void {
    const newest = checkpoint.at(-1)
    invariant(newest, 'a builder has a mark from the start')
    this.#marks = checkpoint.slice()
    this.#body = newest.body.branch()
    this.#edits = newest.edits
    this.#state = new WorldState(newest.state)
  }

  /** An independent copy of the block as of the newest cut. */
  branch(): PayloadBuilder {
    const newest = this.#marks.at(-1)
    invariant(newest, 'a builder has a mark from the start')
    const copy = new PayloadBuilder(this.#deps, this.#base, this.#parent, new WorldState(newest.state))
    copy.#body = newest.body.branch()
    copy.#edits = newest.edits
    copy.#marks = this.#marks.slice()
    return copy
  }

  get #opening(): StateSnapshot {
    const [first] = this.#marks
    invariant(first, 'a block is marked before its first transaction')
    return first.state
  }

  #mark(position: number): StateSnapshot {
    const state = this.#state.snapshot()
    this.#marks.length = Math.min(this.#marks.length, position)
    this.#marks[position] = { state, body: this.#body.branch(), edits: this.#edits }
    return state
  }
}

/** The transactions added at one index. */
export interface PartialContent {
  readonly transactions: readonly Transaction[]
  readonly edits: readonly StateEdit[]
}

/** A point in the building of a block to which it can be reverted. */
export type BuilderCheckpoint = readonly Mark[]

/** A state of the block that {@link PayloadBuilder.rewind} restores; immutable. */
interface Mark {
  readonly state: StateSnapshot
  readonly body: BlockBody
  readonly edits: readonly StateEdit[]
}
