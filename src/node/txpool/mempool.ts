import type { Hash } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'
import { COUNT_AT_PENDING, TxRejectedError } from '../tx/rejection.ts'
import type { Transaction } from '../tx/transaction.ts'
import { checkReplayProtection, validateTransaction } from '../tx/validate.ts'
import type { TimeLimits } from './time-limits.ts'
import { TxPool, type TxPoolDeps } from './txpool.ts'

/** The mempool's events, in the order in which they happen. Only {@link Mempool} emits them. */
export interface MempoolEvents {
  /** A transaction was accepted into the pool. */
  accepted: { readonly tx: Transaction; readonly replaced: Transaction | undefined }
  /** A transaction left the pool without being included. */
  dropped: { readonly tx: Transaction; readonly reason: string }
  /** Transactions are no longer pre-confirmed or sealed; their blocks are already gone. */
  withdrawn: { readonly transactions: readonly Transaction[]; readonly fate: WithdrawnFate }
}

export interface MempoolDeps extends TxPoolDeps {
  /** The chain's rules for a transaction. */
  readonly rules: Pick<ChainSpec, 'chainId' | 'codeSizeLimit' | 'allowUnprotected' | 'capsTransactionGas'>
  /** Whether a transaction with that hash is pre-confirmed or sealed. */
  readonly isOnChain: (hash: Hash) => boolean
  readonly events: { emit<Name extends keyof MempoolEvents>(name: Name, payload: MempoolEvents[Name]): void }
  /** Logs details for developers of the node. */
  readonly log: (message: string, details?: unknown) => void
}

/** Anvil's words. */
const UNPRICED = 'max fee per gas less than block base fee'

/** The pool, read-only. */
export type PoolReader = Pick<
  TxPool,
  'has' | 'get' | 'arrival' | 'byArrival' | 'size' | 'transactions' | 'content' | 'contentFrom' | 'pendingNonce'
>

/** A transaction that could not be executed, and why. */
export interface FailedTransaction {
  readonly tx: Transaction
  readonly reason: string
  /** The error thrown by the engine; `undefined` if the transaction itself was at fault. */
  readonly cause: unknown
}

/** The pool as the payload builder sees it. */
export interface BlockSource extends Pick<TxPool, 'best' | 'claim'> {
  /** Removes its sender's last claimed transaction, which could not be executed. */
  fail(failed: FailedTransaction): void
  /** Gives its sender's last claimed transaction back to the pool, where it waits. */
  unclaim(tx: Transaction): void
  readonly timeLimits: TimeLimits | undefined
  /** Whether its block is only looked at: then nothing of it is logged. */
  readonly isLook?: boolean
}

/**
 * The one way into the pool and out of it, with events for every change: transactions are submitted, executed, dropped,
 * or withdrawn from the chain and put back. The {@link TxPool} below is only the data structure and emits nothing.
 *
 * {@link submit} may be called at any time. Everything else is called by the sequencer, one operation at a time, since
 * a transaction that is being executed cannot be removed.
 */
export class Mempool implements BlockSource {
  readonly #deps: MempoolDeps
  readonly #pool: TxPool
  /** What each transaction replaced or evicted, in case it cannot be stored. */
  readonly #displaced = new WeakMap<Transaction, readonly Transaction[]>()
  /** Transactions that could not be executed, since the last {@link tellFailed}. */
  #failed: FailedTransaction[] = []

  constructor(deps: MempoolDeps) {
    this.#deps = deps
    this.#pool = new TxPool(deps)
  }

  get reader(): PoolReader {
    return this.#pool
  }

  /**
   * Accepts a transaction into the pool after the checks of `eth_sendRawTransaction`, in geth's order.
   *
   * @returns The same transaction.
   * @throws {TxRejectedError} For the first check that fails; the pool is unchanged.
   */
  submit(tx: Transaction): Transaction {
    const { rules, events, isInLiveBlock } = this.#deps
    checkReplayProtection(tx, rules)
    if (this.#pool.knows(tx.hash)) {
      const hint = isInLiveBlock(tx.hash) ? COUNT_AT_PENDING : undefined
      throw new TxRejectedError('already-known', 'already known', undefined, hint)
    }
    // The gas limit of the live block; `evm_setBlockGasLimit` may have changed it.
    validateTransaction(tx, { ...rules, gasLimit: this.#deps.gasLimit() })
    const { replaced, evicted } = this.#pool.add(tx)
    events.emit('accepted', { tx, replaced })
    const gone = replaced ? [replaced, ...evicted] : evicted
    if (gone.length > 0) this.#displaced.set(tx, gone)
    for (const each of evicted) events.emit('dropped', { tx: each, reason: 'txpool is full' })
    return tx
  }

  /**
   * Fills the pool when a node starts with a stored chain. Transactions that no longer fit are dropped at the next
   * {@link settle}.
   */
  load(transactions: readonly Transaction[]): void {
    this.#pool.reinsert(transactions)
  }

  /**
   * Removes transactions, even if later nonces wait for them. Those that are also on the chain do not count as dropped.
   */
  discard(transactions: readonly Transaction[], reason: string): void {
    const { events, isOnChain } = this.#deps
    for (const tx of transactions) {
      if (this.#pool.remove(tx.hash) && !isOnChain(tx.hash)) events.emit('dropped', { tx, reason })
    }
  }

  /**
   * Undoes submissions that could not be stored: removes the transactions and restores those they replaced or evicted.
   *
   * @returns Whether any of them is not on the chain yet.
   */
  undo(submitted: readonly Transaction[]): boolean {
    const { events, isOnChain } = this.#deps
    const taken = submitted.filter(({ hash }) => this.#pool.remove(hash)).toReversed()
    for (const tx of taken) events.emit('dropped', { tx, reason: 'it could not be stored' })
    const back = taken
      .flatMap((tx) => this.#displaced.get(tx) ?? [])
      .filter(({ hash }) => !this.#pool.has(hash) && !isOnChain(hash))
    this.#pool.reinsert(back)
    for (const tx of back) events.emit('accepted', { tx, replaced: undefined })
    return submitted.some(({ hash }) => !isOnChain(hash))
  }

  get timeLimits(): TimeLimits | undefined {
    return this.#deps.timeLimits
  }

  best(...baseFee: Parameters<TxPool['best']>): ReturnType<TxPool['best']> {
    for (const [sender, reason] of this.#deps.timeLimits?.takeUnwanted() ?? []) {
      const { pending, queued } = this.#pool.contentFrom(sender)
      this.discard([...queued, ...pending].toReversed(), reason)
    }
    return this.#pool.best(...baseFee)
  }

  /**
   * The pool as the source for a block that is only looked at: it changes nothing of the pool, also while another block is
   * being filled. What limited senders' transactions take counts all the same.
   */
  sourceToLookAt(): BlockSource {
    return {
      best: (baseFee) => this.#pool.best(baseFee),
      claim() {},
      unclaim() {},
      fail() {},
      timeLimits: this.timeLimits,
      isLook: true,
    }
  }

  /** The pool as the source for a block that mines one transaction; `alsoTake` as in {@link TxPool.bestUpTo}. */
  sourceFor(tx: Transaction, alsoTake: (tx: Transaction) => boolean): BlockSource {
    return {
      best: (baseFee) => this.#pool.bestUpTo(baseFee, tx, alsoTake),
      claim: (each) => this.claim(each),
      fail: (failed) => this.fail(failed),
      unclaim: (each) => this.unclaim(each),
      timeLimits: this.timeLimits,
    }
  }

  /**
   * Whether a transaction and its sender's earlier ones can be executed in a block with that base fee, in wei per gas.
   */
  isReady(tx: Transaction, baseFee: bigint): boolean {
    const best = this.#pool.bestUpTo(baseFee, tx, () => false)
    for (let next = best.next(); next; next = best.next()) if (next === tx) return true
    return false
  }

  claim(tx: Transaction): void {
    this.#pool.claim(tx)
  }

  unclaim(tx: Transaction): void {
    this.#pool.unclaim(tx)
  }

  /** Transactions that are being executed. */
  claimed(): readonly Transaction[] {
    return this.#pool.claimed()
  }

  /** Returns claimed transactions to the pool in their old order, since they were not included. */
  release(): void {
    this.#pool.release()
  }

  fail(failed: FailedTransaction): void {
    this.#pool.drop(failed.tx)
    this.#failed.push(failed)
  }

  /** Removes a released transaction on which the node itself failed. */
  failReleased(failed: FailedTransaction): void {
    this.#pool.remove(failed.tx.hash)
    this.#failed.push(failed)
  }

  /** Emits `dropped` for the transactions that could not be executed. */
  tellFailed(): void {
    const { events, log } = this.#deps
    const failed = this.#failed
    this.#failed = []
    for (const { tx, reason, cause } of failed) {
      if (cause !== undefined) log(`transaction ${tx.hash} dropped: ${reason}`, cause)
      events.emit('dropped', { tx, reason })
    }
  }

  /**
   * Updates the pool after a new partial block: forgets the claimed transactions, which are in it, and drops those that
   * the accounts can no longer pay for.
   *
   * @param edited - Whether accounts changed other than by the block's transactions.
   */
  settle(edited = false): void {
    if (edited) this.#pool.accountsChanged()
    for (const { tx, reason } of this.#pool.settle()) this.#deps.events.emit('dropped', { tx, reason })
  }

  /** Drops what was too cheap for a block with that base fee, in wei per gas, if that is the chain's way. */
  dropUnpriced(baseFee: bigint): void {
    if (this.#deps.limits.dropsUnpriced) this.discard(this.#pool.unpriced(baseFee), UNPRICED)
  }

  /**
   * Updates the pool after blocks or partial blocks were withdrawn: puts their transactions back or drops them. Call
   * {@link settle} next.
   */
  withdraw(transactions: readonly Transaction[], fate: WithdrawnFate): void {
    this.#pool.accountsChanged()
    if (fate === 'requeue') this.#pool.reinsert(transactions)
    this.#deps.events.emit('withdrawn', { transactions, fate })
  }

  /**
   * Reverts the pool to a snapshot, after the chain was reverted. Call {@link settle} next.
   *
   * @param pooled - The pool's transactions at the time, in the order in which they had come.
   * @param withdrawn - Transactions that were on the chain until now, oldest first.
   */
  restore(pooled: readonly Transaction[], withdrawn: readonly Transaction[]): void {
    const { events, isOnChain } = this.#deps
    const pooledThen = new Set(pooled.map(({ hash }) => hash))
    this.#pool.accountsChanged()
    const cameSince = this.#pool.transactions().filter(({ hash }) => !pooledThen.has(hash))
    this.discard(cameSince, 'reverted to a snapshot that did not have it')
    const back = pooled.filter(({ hash }) => !this.#pool.has(hash))
    this.#pool.reinsert(back)
    const survives = ({ hash }: Transaction) => pooledThen.has(hash) || isOnChain(hash)
    for (const fate of ['requeue', 'lose'] as const) {
      const transactions = withdrawn.filter((tx) => survives(tx) === (fate === 'requeue'))
      if (transactions.length > 0) events.emit('withdrawn', { transactions, fate })
    }
    // Transactions of the snapshot that were dropped or replaced since.
    const known = new Set(withdrawn.map(({ hash }) => hash))
    for (const tx of back) if (!known.has(tx.hash)) events.emit('accepted', { tx, replaced: undefined })
  }
}
