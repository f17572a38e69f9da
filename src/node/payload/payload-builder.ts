import type { Clock } from '#primitives/clock.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { applyTransaction, InvalidTransactionError } from '../evm/apply-transaction.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import { emptyBloom, logsBloom, mergeBloom } from '../evm/bloom.ts'
import type { Engine, ExecutionGuard } from '../evm/engine.ts'
import { createPacer } from '../evm/pacer.ts'
import { applySystemCalls } from '../evm/system-calls.ts'
import { nextBaseFee } from '../spec/base-fee.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import { OrderedTrie } from '../state/ordered-trie.ts'
import { EMPTY_CODE_HASH } from '../state/state-snapshot.ts'
import { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { TxPool } from '../txpool/txpool.ts'
import type { Header, IncludedTransaction, PartialBlock, Receipt, SealedBlock } from './block.ts'
import { deriveBeaconRoot, deriveMixHash, derivePayloadId } from './derived-fields.ts'
import { extraDataOf } from './genesis.ts'
import { blockSize, bodyLength, hashHeader } from './header.ts'
import { encodeReceipt } from './receipt.ts'

/** What building needs, the same for every block. */
export interface BuilderDeps {
  readonly spec: ChainSpec
  readonly engine: Engine
  readonly clock: Clock
  /** Hash of a sealed block. */
  readonly blockHash: (number: number) => Hash | undefined
}

/** A transaction that could not be executed, and why. */
export interface DroppedTransaction {
  readonly tx: Transaction
  readonly reason: string
  /** What the engine threw; `undefined` where the transaction itself was at fault. */
  readonly cause: unknown
}

/** The fields of a header that are fixed before the first transaction. */
type HeaderBase = Omit<Header, 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed'>

/** Builds one block, partial block by partial block. Appends only: what is included stays. */
export class PayloadBuilder {
  readonly env: BlockEnv
  readonly #deps: BuilderDeps
  readonly #base: HeaderBase
  readonly #payloadId: Hex
  readonly #state: WorldState
  readonly #transactionsTrie = new OrderedTrie()
  readonly #receiptsTrie = new OrderedTrie()
  readonly #bloom = emptyBloom()
  readonly #included: IncludedTransaction[] = []
  #gasUsed = 0n
  #logCount = 0
  #transactionBytes = 0

  private constructor(deps: BuilderDeps, base: HeaderBase, parent: SealedBlock, state: WorldState) {
    this.#deps = deps
    this.#base = base
    this.#payloadId = derivePayloadId(base.parentHash, base.timestamp)
    this.#state = state
    this.env = {
      number: base.number,
      timestamp: base.timestamp,
      coinbase: base.coinbase,
      prevRandao: base.mixHash,
      gasLimit: base.gasLimit,
      baseFee: base.baseFeePerGas,
      blockHash: (number) => (number === parent.header.number ? parent.hash : deps.blockHash(number)),
    }
  }

  /**
   * Starts the block after `parent` and makes its system calls.
   *
   * @param timestamp - Seconds since the Unix epoch; raised to one above the parent's where it is not.
   * @param previous - The builder of `parent`, which is done: its working state, with what it has cached, goes on.
   */
  static async open(
    deps: BuilderDeps,
    parent: SealedBlock,
    timestamp: number,
    previous?: PayloadBuilder,
  ): Promise<PayloadBuilder> {
    const { spec } = deps
    const number = parent.header.number + 1
    const base: HeaderBase = {
      parentHash: parent.hash,
      coinbase: spec.coinbase,
      number,
      gasLimit: spec.gasLimit,
      timestamp: Math.max(timestamp, parent.header.timestamp + 1),
      extraData: extraDataOf(spec),
      mixHash: deriveMixHash(spec.seed, number),
      baseFeePerGas: nextBaseFee(parent.header),
      parentBeaconBlockRoot: deriveBeaconRoot(spec.seed, number),
    }
    const builder = new PayloadBuilder(deps, base, parent, previous ? previous.#state : new WorldState(parent.state))
    await applySystemCalls(deps.engine, builder.#state, builder.env, base, createPacer(deps.clock))
    return builder
  }

  /**
   * Takes transactions from the pool, best first, until nothing more fits this tick.
   *
   * @param index - Partial block index: the block may hold gasLimit·(index + 1)/partialsPerBlock so far.
   * @returns What had to be dropped on the way.
   */
  async extend(index: number, pool: TxPool): Promise<readonly DroppedTransaction[]> {
    const { spec, clock } = this.#deps
    const gasShare = (this.#base.gasLimit * BigInt(index + 1)) / BigInt(spec.partialsPerBlock)
    const deadline = clock.now() + spec.tickBudgetMs
    const pacer = createPacer(clock)
    const best = pool.best(this.#base.baseFeePerGas)
    const dropped: DroppedTransaction[] = []
    while (clock.now() < deadline) {
      const tx = best.next()
      if (!tx) break
      if (this.#gasUsed + tx.gas > gasShare) {
        best.skipSender(tx.sender)
        continue
      }
      pool.claim(tx)
      const failure = await this.#include(tx, index, pacer)
      if (failure) {
        dropped.push(failure)
        pool.drop(tx)
        best.skipSender(tx.sender)
      }
      await pacer.checkpoint()
    }
    return dropped
  }

  async #include(tx: Transaction, index: number, guard: ExecutionGuard): Promise<DroppedTransaction | undefined> {
    const { engine, spec } = this.#deps
    let applied: Awaited<ReturnType<typeof applyTransaction>>
    try {
      applied = await applyTransaction(engine, this.#state, this.env, tx, spec.chainId, guard)
    } catch (error) {
      if (error instanceof InvalidTransactionError) return { tx, reason: error.message, cause: undefined }
      const detail = error instanceof Error ? error.message : String(error)
      return { tx, reason: `execution failed unexpectedly: ${detail}`, cause: error }
    }
    this.#gasUsed += applied.gasUsed
    const receipt: Receipt = {
      type: tx.type,
      status: applied.failure ? 0 : 1,
      gasUsed: applied.gasUsed,
      cumulativeGasUsed: this.#gasUsed,
      logs: applied.logs,
      logsBloom: logsBloom(applied.logs),
      contractAddress: applied.contractAddress,
      effectiveGasPrice: applied.effectiveGasPrice,
    }
    mergeBloom(this.#bloom, receipt.logsBloom)
    this.#transactionsTrie.append(tx.raw)
    this.#receiptsTrie.append(encodeReceipt(receipt))
    this.#transactionBytes += bodyLength(tx.raw)
    this.#included.push({
      tx,
      receipt,
      transactionIndex: this.#included.length,
      partialIndex: index,
      firstLogIndex: this.#logCount,
    })
    this.#logCount += receipt.logs.length
    return undefined
  }

  /** Adds wei to an account outside of any transaction, as a development node may; the next cut shows it. */
  credit(address: Address, wei: bigint): void {
    const account = this.#state.account(address) ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }
    this.#state.setAccount(address, { ...account, balance: account.balance + wei })
  }

  /**
   * The block as it stands.
   *
   * @param previous - The partial block before this one in the same block, if any.
   * @param startedAtMs - When the work on this index began, in milliseconds since the Unix epoch.
   */
  cut(index: number, previous: PartialBlock | undefined, startedAtMs: number): PartialBlock {
    const state = this.#state.snapshot()
    const header: Header = {
      ...this.#base,
      stateRoot: state.stateRoot(),
      transactionsRoot: bytesToHex(this.#transactionsTrie.root()),
      receiptsRoot: bytesToHex(this.#receiptsTrie.root()),
      logsBloom: this.#bloom.slice(),
      gasUsed: this.#gasUsed,
    }
    const firstNew = previous?.transactions.length ?? 0
    const unchanged = previous && firstNew === this.#included.length
    const cutAtMs = this.#deps.clock.now()
    return {
      kind: 'partial',
      header,
      hash: hashHeader(header),
      size: blockSize(header, this.#transactionBytes),
      transactions: unchanged ? previous.transactions : this.#included.slice(),
      state,
      index,
      payloadId: this.#payloadId,
      firstNew,
      cutAtMs,
      tookMs: cutAtMs - startedAtMs,
    }
  }
}

/** The sealed block that a block's last partial block becomes: the same header, hence the same hash. */
export function sealPartial({ header, hash, size, transactions, state }: PartialBlock): SealedBlock {
  invariant(hashHeader(header) === hash, 'the last partial block does not have its own hash')
  return { kind: 'sealed', header, hash, size, transactions, state }
}
