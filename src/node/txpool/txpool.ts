// Longer than most files, as it is one class whose operations keep its indices consistent.
import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { PoolLimits } from '../spec/chain-spec.ts'
import { EMPTY_CODE_HASH } from '../state/state-reader.ts'
import { COUNT_AT_PENDING, TxRejectedError } from '../tx/rejection.ts'
import { feeCap, isImpersonated, maxCost, type Transaction } from '../tx/transaction.ts'
import { BestTransactions } from './best-transactions.ts'
import { authoritiesOf, PendingAuthorities } from './pending-authorities.ts'
import { checkReplacement } from './replacement.ts'
import { type PoolAccount, type PooledTransaction, SenderQueue, slotsOf } from './sender-queue.ts'
import type { TimeLimits } from './time-limits.ts'
import { isWorse, type PoolPart, WorstTransactions } from './worst-transactions.ts'

export interface TxPoolDeps {
  readonly limits: PoolLimits
  /** An account's pre-confirmed state, after the newest partial block. */
  readonly account: (address: Address) => PoolAccount
  /** An account's nonce in the newest sealed block. */
  readonly sealedNonce: (address: Address) => bigint
  /** Whether a transaction with that hash is pre-confirmed, but not sealed yet. */
  readonly isInLiveBlock: (hash: Hash) => boolean
  /** Gas limit of the block under construction. */
  readonly gasLimit: () => bigint
  /** Whether the code with that hash delegates to another account's (EIP-7702). */
  readonly isDelegation: (codeHash: Hash) => boolean
  /** Wei that a transaction pays besides its gas and value at most, now; by default none. */
  readonly dues?: ((tx: Transaction) => bigint) | undefined
  /** Limits how long some senders' transactions may run; by default none is limited. */
  readonly timeLimits?: TimeLimits | undefined
}

/** What accepting a transaction did to others. */
export interface Added {
  /** The replaced transaction with the same sender and nonce. */
  readonly replaced: Transaction | undefined
  /** Transactions evicted because the pool was full. */
  readonly evicted: readonly Transaction[]
}

/** A transaction that left the pool without being included, and why. */
export interface PoolDrop {
  readonly tx: Transaction
  readonly reason:
    | 'nonce too low'
    | 'insufficient funds for gas * price + value'
    | 'exceeds block gas limit'
    | 'txpool is full'
}

/** The pool's transactions by sender, each list in nonce order. */
export interface PoolContent {
  readonly pending: ReadonlyMap<Address, readonly Transaction[]>
  readonly queued: ReadonlyMap<Address, readonly Transaction[]>
}

/**
 * The transactions that wait for inclusion. `pending` ones are executable without a nonce gap, or are being executed
 * (claimed); `queued` ones wait behind a nonce gap.
 */
export class TxPool {
  readonly #deps: TxPoolDeps
  readonly #byHash = new Map<Hash, PooledTransaction>()
  readonly #queues = new Map<Address, SenderQueue>()
  readonly #authorities = new PendingAuthorities()
  readonly #worst = new WorstTransactions(this.#queues)
  /** Senders whose account may have changed since the pool last read it. */
  readonly #touched = new Set<Address>()
  /** Senders with code: other accounts' calls to it may raise their nonces and spend their money. */
  readonly #withCode = new Set<Address>()
  /** Whether all accounts have to be read again. True at first, since none was read yet. */
  #touchedAll = true
  /** The block gas limit that transactions were last checked against. */
  #gasLimit: bigint | undefined
  /** Transactions dropped since the last {@link settle}. */
  #dropped: PoolDrop[] = []
  #counts = { pending: 0, queued: 0 }
  #slots = 0
  #arrivals = 0

  constructor(deps: TxPoolDeps) {
    this.#deps = deps
  }

  /** Whether the transaction is in the pool, claimed or not. */
  has(hash: Hash): boolean {
    return this.#byHash.has(hash)
  }

  /** Whether the transaction is in the pool or in the live block. */
  knows(hash: Hash): boolean {
    return this.has(hash) || this.#deps.isInLiveBlock(hash)
  }

  /** The transaction if it is in the pool, claimed or not. */
  get(hash: Hash): Transaction | undefined {
    return this.#byHash.get(hash)?.tx
  }

  /**
   * Position of a transaction in the pool's order of arrival, which orders equal tips; `undefined` if it is not in the
   * pool.
   */
  arrival(hash: Hash): number | undefined {
    return this.#byHash.get(hash)?.arrival
  }

  /** Number of transactions. */
  size(): { readonly pending: number; readonly queued: number } {
    return { ...this.#counts }
  }

  /** All transactions; each sender's in nonce order. */
  transactions(): Transaction[] {
    return [...this.#queues.values()].flatMap((queue) => [
      ...queue.pendingTransactions(),
      ...queue.queuedTransactions(),
    ])
  }

  /** All transactions in the order in which they came. */
  byArrival(): Transaction[] {
    return [...this.#byHash.values()].toSorted((one, other) => one.arrival - other.arrival).map(({ tx }) => tx)
  }

  /** All transactions by their state. */
  content(): PoolContent {
    const pending = new Map<Address, readonly Transaction[]>()
    const queued = new Map<Address, readonly Transaction[]>()
    for (const [address, queue] of this.#queues) {
      if (queue.pending > 0) pending.set(address, queue.pendingTransactions())
      if (queue.queued > 0) queued.set(address, queue.queuedTransactions())
    }
    return { pending, queued }
  }

  /** One sender's transactions, in nonce order. */
  contentFrom(address: Address): { readonly pending: readonly Transaction[]; readonly queued: readonly Transaction[] } {
    const queue = this.#queues.get(address)
    return { pending: queue?.pendingTransactions() ?? [], queued: queue?.queuedTransactions() ?? [] }
  }

  /** The nonce after the sender's included, claimed and executable transactions. */
  pendingNonce(address: Address): bigint {
    const account = this.#deps.account(address)
    const queue = this.#synchronized(address, account)
    return queue?.nextNonce ?? account.nonce
  }

  /**
   * Accepts a validated transaction that the pool does not {@link knows | know}.
   *
   * @throws {TxRejectedError} `nonce-too-low`, `insufficient-funds`, `in-flight-limit`, `gapped-nonce`,
   * `authority-reserved`, `pool-full` or `replacement-underpriced`, checked in this order; the pool is unchanged.
   */
  add(tx: Transaction): Added {
    invariant(!this.has(tx.hash), 'the transaction is in the pool already')
    const account = this.#deps.account(tx.sender)
    const queue = this.#synchronized(tx.sender, account) ?? new SenderQueue(tx.sender, account.nonce)
    if (tx.nonce < queue.nonce) {
      const hint = tx.nonce < this.#deps.sealedNonce(tx.sender) ? undefined : COUNT_AT_PENDING
      throw new TxRejectedError('nonce-too-low', 'nonce too low', { nextNonce: queue.nonce, txNonce: tx.nonce }, hint)
    }
    const replaced = queue.at(tx.nonce)
    const pooled = { tx, arrival: this.#arrivals, cost: this.#costOf(tx) }
    checkFunds(account.balance, queue.cost - (replaced?.cost ?? 0n), pooled.cost)
    if (!replaced) this.#checkInFlight(tx, queue, account)
    const authorities = authoritiesOf(tx)
    this.#checkAuthorities(authorities)
    const victims = replaced ? [] : this.#makeRoom(tx, queue)
    if (replaced) checkReplacement(replaced.tx, tx, this.#deps.limits.replacement)
    this.#makeSlots(tx, replaced, victims)

    this.#arrivals++
    for (const victim of victims) this.#take(victim)
    if (replaced) this.#unindex(replaced.tx)
    this.#queues.set(tx.sender, queue)
    this.#noteCode(tx.sender, account)
    this.#edit(queue, () => queue.put(pooled))
    this.#index(pooled, authorities)
    return { replaced: replaced?.tx, evicted: [...victims, ...this.#trimPending(tx)].map((victim) => victim.tx) }
  }

  #costOf(tx: Transaction): bigint {
    const { dues } = this.#deps
    return dues ? maxCost(tx) + dues(tx) : maxCost(tx)
  }

  /** Removes a transaction, unless it is claimed; its sender's later ones then wait behind the gap. */
  remove(hash: Hash): Transaction | undefined {
    const pooled = this.#byHash.get(hash)
    if (!pooled || this.#queueOf(pooled.tx).at(pooled.tx.nonce) !== pooled) return undefined
    this.#take(pooled)
    this.#trim()
    return pooled.tx
  }

  /**
   * The executable transactions that cannot be in a block with that base fee, in wei per gas: those with a lower fee cap, and
   * their senders' later ones. Each sender's come newest first.
   */
  unpriced(baseFee: bigint): Transaction[] {
    return [...this.#queues.values()].flatMap((queue) => {
      let isPriced = true
      const executable = queue.pendingTransactions().slice(queue.claimed.length)
      return executable.filter((tx) => !(isPriced &&= feeCap(tx) >= baseFee)).toReversed()
    })
  }

  /**
   * Transactions that one tick may execute, best first.
   *
   * @param baseFee - Wei per gas; transactions with a lower fee cap wait.
   */
  best(baseFee: bigint): BestTransactions {
    return new BestTransactions(this.#queues.values(), baseFee, this.#deps.timeLimits)
  }

  /**
   * Like {@link best}, but for one sender, up to a transaction.
   *
   * @param alsoTake - Whether to take a later transaction as well, if all before it are taken.
   */
  bestUpTo(baseFee: bigint, { sender, nonce }: Transaction, alsoTake: (tx: Transaction) => boolean): BestTransactions {
    const queue = this.#queues.get(sender)
    return new BestTransactions(queue ? [queue] : [], baseFee, undefined, (tx) => tx.nonce <= nonce || alsoTake(tx))
  }

  /** Marks its sender's next transaction as being executed; its nonce counts as used from here on. */
  claim(tx: Transaction): void {
    const queue = this.#queueOf(tx)
    this.#edit(queue, () => queue.claim(tx))
    this.#touched.add(tx.sender)
    // Authorizations raise other accounts' nonces.
    if (tx.type === 4) this.#touchedAll = true
  }

  /** Makes the claimed transactions executable again, in their old order, since they were not included. */
  release(): void {
    for (const address of this.#touched) {
      const queue = this.#queues.get(address)
      if (queue && queue.claimed.length > 0) this.#edit(queue, () => queue.release())
    }
    this.#trim()
  }

  /** Makes its sender's newest claimed transaction executable again, since it was not included. */
  unclaim(tx: Transaction): void {
    const queue = this.#queueOf(tx)
    this.#edit(queue, () => queue.unclaim(tx))
  }

  /** The claimed transactions. */
  claimed(): Transaction[] {
    return [...this.#touched].flatMap((address) => (this.#queues.get(address)?.claimed ?? []).map(({ tx }) => tx))
  }

  /** Removes its sender's newest claimed transaction, which could not be executed; its nonce is free again. */
  drop(tx: Transaction): void {
    const queue = this.#queueOf(tx)
    this.#edit(queue, () => queue.dropClaimed(tx))
    this.#unindex(tx)
    this.#trim()
  }

  /**
   * Puts back transactions whose block or partial block was withdrawn, after the accounts went back, too. The next
   * {@link settle} reports those that no longer fit.
   *
   * @param transactions - In the order in which they came.
   */
  reinsert(transactions: readonly Transaction[]): void {
    for (const tx of transactions) {
      const account = this.#deps.account(tx.sender)
      const queue = this.#synchronized(tx.sender, account) ?? new SenderQueue(tx.sender, account.nonce)
      if (this.has(tx.hash) || tx.nonce < queue.nonce || queue.at(tx.nonce)) {
        this.#dropped.push({ tx, reason: 'nonce too low' })
        continue
      }
      const pooled = { tx, arrival: this.#arrivals++, cost: this.#costOf(tx) }
      this.#queues.set(tx.sender, queue)
      this.#noteCode(tx.sender, account)
      this.#edit(queue, () => queue.put(pooled))
      this.#index(pooled, authoritiesOf(tx))
    }
    this.#trim()
  }

  /**
   * Call this when any account may have changed other than by claimed transactions; {@link settle} then checks them
   * all.
   */
  accountsChanged(): void {
    this.#touchedAll = true
  }

  /**
   * Updates the pool after a new partial block, which includes the claimed transactions.
   *
   * @returns What the pool itself dropped since the last call.
   */
  settle(): readonly PoolDrop[] {
    const gasLimit = this.#deps.gasLimit()
    if (gasLimit !== this.#gasLimit) this.#touchedAll = true
    this.#gasLimit = gasLimit
    for (const address of this.#touchedAll ? [...this.#queues.keys()] : [...this.#touched, ...this.#withCode]) {
      const queue = this.#queues.get(address)
      if (!queue) continue
      for (const { tx } of queue.claimed) this.#unindex(tx)
      this.#edit(queue, () => queue.forgetClaimed())
      this.#synchronize(queue, this.#deps.account(address))
    }
    this.#touched.clear()
    this.#touchedAll = false
    const dropped = this.#dropped
    this.#dropped = []
    return dropped
  }

  /** The sender's queue, updated to its account, which other senders' transactions may have changed, too. */
  #synchronized(address: Address, account: PoolAccount): SenderQueue | undefined {
    const queue = this.#queues.get(address)
    if (queue && queue.claimed.length === 0 && queue.nonce !== account.nonce) this.#synchronize(queue, account)
    return this.#queues.get(address)
  }

  /** Drops the transactions that no longer fit the account. */
  #synchronize(queue: SenderQueue, account: PoolAccount): void {
    const { stale, unpayable, tooLarge } = queue.unfit(account, this.#deps.gasLimit())
    for (const pooled of stale) this.#dropAs(pooled, 'nonce too low')
    for (const pooled of unpayable) this.#dropAs(pooled, 'insufficient funds for gas * price + value')
    for (const pooled of tooLarge) this.#dropAs(pooled, 'exceeds block gas limit')
    this.#noteCode(queue.address, account)
    this.#edit(queue, () => queue.setNonce(account.nonce))
    this.#trim()
  }

  #noteCode(address: Address, { codeHash }: PoolAccount): void {
    if (codeHash === undefined || codeHash === EMPTY_CODE_HASH) this.#withCode.delete(address)
    else this.#withCode.add(address)
  }

  /**
   * Finds the transactions to evict for a new one.
   *
   * @throws {TxRejectedError} `pool-full` if nothing in the pool is worse.
   */
  #makeRoom(tx: Transaction, queue: SenderQueue): PooledTransaction[] {
    const { maxPending, maxQueued, maxPerSender } = this.#deps.limits
    const victims: PooledTransaction[] = []
    if (queue.size >= maxPerSender) {
      // Filling a gap is worth more than the transactions behind it.
      const last = queue.lastQueued
      if (!last || last.tx.nonce < tx.nonce) throw poolFull()
      victims.push(last)
    }
    if (tx.nonce === queue.nextNonce) {
      if (this.#counts.pending >= maxPending) victims.push(this.#findWorse('pending', tx))
    } else if (victims.length === 0 && this.#counts.queued >= maxQueued) {
      victims.push(this.#findWorse('queued', tx))
    }
    return victims
  }

  /**
   * Adds one more victim if the new transaction needs its slots.
   *
   * @throws {TxRejectedError} `pool-full` if no single worse transaction frees enough.
   */
  #makeSlots(tx: Transaction, replaced: PooledTransaction | undefined, victims: PooledTransaction[]): void {
    const { maxPending, maxQueued } = this.#deps.limits
    const freed = victims.reduce((slots, victim) => slots + slotsOf(victim.tx), replaced ? slotsOf(replaced.tx) : 0)
    const missing = this.#slots + slotsOf(tx) - freed - (maxPending + maxQueued)
    if (missing <= 0) return
    if (victims.length > 0) throw poolFull()
    for (const part of ['queued', 'pending'] as const) {
      const worst = this.#worst.find(part, tx)?.pooled
      if (!worst || worst === replaced || !isWorse(worst.tx, tx) || slotsOf(worst.tx) < missing) continue
      victims.push(worst)
      return
    }
    throw poolFull()
  }

  #findWorse(part: PoolPart, tx: Transaction): PooledTransaction {
    const worst = this.#worst.find(part, tx)
    if (!worst || !isWorse(worst.pooled.tx, tx)) throw poolFull()
    return worst.pooled
  }

  /** Evicts transactions that a filled gap promoted beyond the limit, or others that are worse. */
  #trimPending(tx: Transaction): PooledTransaction[] {
    const evicted: PooledTransaction[] = []
    while (this.#counts.pending > this.#deps.limits.maxPending) {
      const worst = this.#worst.find('pending', tx)
      invariant(worst, 'the pool is over its limit with one transaction')
      evicted.push(worst.pooled)
      this.#take(worst.pooled)
    }
    return evicted
  }

  /** Drops the worst transactions from a part that an account change or a new gap has overfilled. */
  #trim(): void {
    for (const part of ['pending', 'queued'] as const) {
      while (this.#counts[part] > this.#deps.limits[part === 'pending' ? 'maxPending' : 'maxQueued']) {
        const worst = this.#worst.first(part)
        invariant(worst, `the pool counts ${part} transactions that it does not have`)
        this.#dropAs(worst.pooled, 'txpool is full')
      }
    }
  }

  #dropAs(pooled: PooledTransaction, reason: PoolDrop['reason']): void {
    this.#take(pooled)
    this.#dropped.push({ tx: pooled.tx, reason })
  }

  #take(pooled: PooledTransaction): void {
    const queue = this.#queueOf(pooled.tx)
    this.#edit(queue, () => queue.remove(pooled))
    this.#unindex(pooled.tx)
  }

  #index(pooled: PooledTransaction, authorities: ReadonlySet<Address>): void {
    this.#byHash.set(pooled.tx.hash, pooled)
    this.#authorities.add(pooled.tx, authorities)
  }

  #unindex(tx: Transaction): void {
    this.#byHash.delete(tx.hash)
    this.#authorities.delete(tx)
  }

  /**
   * Allows one transaction in flight for an account that delegates to a contract or is about to, as geth does: somebody
   * else's call to it can invalidate all of its others. Impersonated accounts are exempt: geth has none.
   *
   * @throws {TxRejectedError} `in-flight-limit`, `gapped-nonce`.
   */
  #checkInFlight(tx: Transaction, queue: SenderQueue, { codeHash }: PoolAccount): void {
    if (isImpersonated(tx)) return
    const delegates = codeHash !== undefined && codeHash !== EMPTY_CODE_HASH && this.#deps.isDelegation(codeHash)
    if (!delegates && !this.#authorities.has(tx.sender)) return
    if (queue.pending > 0) {
      throw new TxRejectedError('in-flight-limit', 'in-flight transaction limit reached for delegated accounts')
    }
    if (tx.nonce !== queue.nextNonce) {
      throw new TxRejectedError('gapped-nonce', 'gapped-nonce tx from delegated accounts', {
        nextNonce: queue.nextNonce,
        txNonce: tx.nonce,
      })
    }
  }

  /**
   * @throws {TxRejectedError} `authority-reserved` if an account to be delegated has several transactions in flight.
   */
  #checkAuthorities(authorities: ReadonlySet<Address>): void {
    for (const authority of authorities) {
      if ((this.#queues.get(authority)?.size ?? 0) > 1) {
        throw new TxRejectedError('authority-reserved', 'authority already reserved')
      }
    }
  }

  #queueOf({ sender }: Transaction): SenderQueue {
    const queue = this.#queues.get(sender)
    invariant(queue, 'the transaction is not in the pool')
    return queue
  }

  /** Changes a queue and updates everything derived from it. */
  #edit(queue: SenderQueue, change: () => void): void {
    this.#counts.pending -= queue.pending
    this.#counts.queued -= queue.queued
    this.#slots -= queue.slots
    change()
    this.#slots += queue.slots
    this.#counts.pending += queue.pending
    this.#counts.queued += queue.queued
    if (queue.size === 0) {
      this.#queues.delete(queue.address)
      this.#withCode.delete(queue.address)
    }
    this.#worst.update(queue)
  }
}

/** @param pooledCost - The most that the sender's other transactions can cost, in wei. */
function checkFunds(balance: bigint, pooledCost: bigint, txCost: bigint): void {
  if (pooledCost + txCost <= balance) return
  const message = 'insufficient funds for gas * price + value'
  throw new TxRejectedError('insufficient-funds', message, { balance, txCost, pooledCost })
}

function poolFull(): TxRejectedError {
  return new TxRejectedError('pool-full', 'txpool is full')
}
