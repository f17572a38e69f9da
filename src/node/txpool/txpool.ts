// Longer than most files: one class, whose operations keep its indices in line with each other.
import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { PoolLimits } from '../spec/chain-spec.ts'
import { EMPTY_CODE_HASH } from '../state/state-reader.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { maxCost, type Transaction } from '../tx/transaction.ts'
import { BestTransactions } from './best-transactions.ts'
import { authoritiesOf, PendingAuthorities } from './pending-authorities.ts'
import { checkReplacement } from './replacement.ts'
import { type PoolAccount, type PooledTransaction, SenderQueue, slotsOf } from './sender-queue.ts'
import { isWorse, type PoolPart, WorstTransactions } from './worst-transactions.ts'

export interface TxPoolDeps {
  readonly limits: PoolLimits
  /** An account as it is pre-confirmed: after the newest partial block. */
  readonly account: (address: Address) => PoolAccount
  /** Whether a transaction with that hash is pre-confirmed, but not sealed yet. */
  readonly isInLiveBlock: (hash: Hash) => boolean
  /** Gas of the block that is built. */
  readonly gasLimit: () => bigint
  /** Whether the code with that hash delegates to another account's (EIP-7702). */
  readonly isDelegation: (codeHash: Hash) => boolean
}

/** Effects of accepting a transaction on others. */
export interface Added {
  /** The one with the same sender and nonce, which is gone. */
  readonly replaced: Transaction | undefined
  /** Those that are gone because the pool was full. */
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
 * The transactions that wait to be included. `pending` ones can be executed next, one nonce of their sender after the
 * other, or are being executed (claimed); `queued` ones wait behind a gap in their sender's nonces.
 */
export class TxPool {
  readonly #deps: TxPoolDeps
  readonly #byHash = new Map<Hash, PooledTransaction>()
  readonly #queues = new Map<Address, SenderQueue>()
  readonly #authorities = new PendingAuthorities()
  readonly #worst = new WorstTransactions(this.#queues)
  /** Senders whose account may have changed since it was last looked at. */
  readonly #touched = new Set<Address>()
  /** Senders with code: what others send to it may raise their nonces and take their money. */
  readonly #withCode = new Set<Address>()
  /** Whether all accounts are to be looked at; at first they were never looked at. */
  #touchedAll = true
  /** Gas of the block that transactions were held against. */
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

  /** The place of a transaction among those of the pool, by which equal tips are ordered; `undefined` if it is not in it. */
  arrival(hash: Hash): number | undefined {
    return this.#byHash.get(hash)?.arrival
  }

  /** Number of transactions. */
  size(): { readonly pending: number; readonly queued: number } {
    return { ...this.#counts }
  }

  /** All transactions, those of one sender in the order of their nonces. */
  transactions(): Transaction[] {
    return [...this.#queues.values()].flatMap((queue) => [
      ...queue.pendingTransactions(),
      ...queue.queuedTransactions(),
    ])
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
   * `authority-reserved`, `pool-full` or `replacement-underpriced`, in this order; the pool is then as it was.
   */
  add(tx: Transaction): Added {
    invariant(!this.has(tx.hash), 'the transaction is in the pool already')
    const account = this.#deps.account(tx.sender)
    const queue = this.#synchronized(tx.sender, account) ?? new SenderQueue(tx.sender, account.nonce)
    if (tx.nonce < queue.nonce) {
      throw new TxRejectedError('nonce-too-low', 'nonce too low', { nextNonce: queue.nonce, txNonce: tx.nonce })
    }
    const replaced = queue.at(tx.nonce)
    const pooled = { tx, arrival: this.#arrivals, cost: maxCost(tx) }
    checkFunds(account.balance, queue.cost - (replaced?.cost ?? 0n), pooled.cost)
    if (!replaced) this.#checkInFlight(tx, queue, account)
    const authorities = authoritiesOf(tx)
    this.#checkAuthorities(authorities)
    const victims = replaced ? [] : this.#makeRoom(tx, queue)
    if (replaced) checkReplacement(replaced.tx, tx)
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

  /** Takes a transaction out, unless it is claimed; later ones of its sender wait behind the gap. */
  remove(hash: Hash): Transaction | undefined {
    const pooled = this.#byHash.get(hash)
    if (!pooled || this.#queueOf(pooled.tx).at(pooled.tx.nonce) !== pooled) return undefined
    this.#take(pooled)
    this.#trim()
    return pooled.tx
  }

  /**
   * Transactions that one tick may execute, best first.
   *
   * @param baseFee - Wei per gas; a fee cap below it waits.
   */
  best(baseFee: bigint): BestTransactions {
    return new BestTransactions(this.#queues.values(), baseFee)
  }

  /**
   * The same of one sender alone, up to a transaction.
   *
   * @param goesOn - Whether a later one comes as well, where those before it do.
   */
  bestUpTo(baseFee: bigint, { sender, nonce }: Transaction, goesOn: (tx: Transaction) => boolean): BestTransactions {
    const queue = this.#queues.get(sender)
    return new BestTransactions(queue ? [queue] : [], baseFee, (tx) => tx.nonce <= nonce || goesOn(tx))
  }

  /** Marks the next transaction of its sender as being executed: from here on its nonce is used up. */
  claim(tx: Transaction): void {
    const queue = this.#queueOf(tx)
    this.#edit(queue, () => queue.claim(tx))
    this.#touched.add(tx.sender)
    // Its authorizations raise nonces of other accounts.
    if (tx.type === 4) this.#touchedAll = true
  }

  /** Takes note that what is claimed was not included: it can be executed again, in the order it had. */
  release(): void {
    for (const address of this.#touched) {
      const queue = this.#queues.get(address)
      if (queue && queue.claimed.length > 0) this.#edit(queue, () => queue.release())
    }
    this.#trim()
  }

  /** Those that are claimed. */
  claimed(): Transaction[] {
    return [...this.#touched].flatMap((address) => (this.#queues.get(address)?.claimed ?? []).map(({ tx }) => tx))
  }

  /** Takes the newest claimed transaction of its sender out, since it could not be executed; its nonce is free again. */
  drop(tx: Transaction): void {
    const queue = this.#queueOf(tx)
    this.#edit(queue, () => queue.dropClaimed(tx))
    this.#unindex(tx)
    this.#trim()
  }

  /**
   * Takes transactions back whose block or partial block was withdrawn, after the accounts have gone back, too. What no
   * longer fits is among what the next {@link settle} answers.
   *
   * @param transactions - Those of one sender in the order of their nonces.
   */
  reinsert(transactions: readonly Transaction[]): void {
    for (const tx of transactions) {
      const account = this.#deps.account(tx.sender)
      const queue = this.#synchronized(tx.sender, account) ?? new SenderQueue(tx.sender, account.nonce)
      if (this.has(tx.hash) || tx.nonce < queue.nonce || queue.at(tx.nonce)) {
        this.#dropped.push({ tx, reason: 'nonce too low' })
        continue
      }
      const pooled = { tx, arrival: this.#arrivals++, cost: maxCost(tx) }
      this.#queues.set(tx.sender, queue)
      this.#noteCode(tx.sender, account)
      this.#edit(queue, () => queue.put(pooled))
      this.#index(pooled, authoritiesOf(tx))
    }
    this.#trim()
  }

  /** Takes note that any account may have changed otherwise than by what was claimed; {@link settle} looks at them all. */
  accountsChanged(): void {
    this.#touchedAll = true
  }

  /**
   * Takes note of a new partial block: what is claimed is included in it.
   *
   * @returns What the pool dropped by itself since the last call.
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

  /** The sender's queue, in line with its account, which other senders' transactions may have changed, too. */
  #synchronized(address: Address, account: PoolAccount): SenderQueue | undefined {
    const queue = this.#queues.get(address)
    if (queue && queue.claimed.length === 0 && queue.nonce !== account.nonce) this.#synchronize(queue, account)
    return this.#queues.get(address)
  }

  /** Drops what the account leaves no room for. */
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
   * Finds what has to go for one more transaction.
   *
   * @throws {TxRejectedError} `pool-full` if nothing in the pool is worse.
   */
  #makeRoom(tx: Transaction, queue: SenderQueue): PooledTransaction[] {
    const { maxPending, maxQueued, maxPerSender } = this.#deps.limits
    const victims: PooledTransaction[] = []
    if (queue.size >= maxPerSender) {
      // Filling a gap is worth more than what comes behind it.
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
   * Adds the transaction that has to go for the bytes of another to those that go anyway.
   *
   * @throws {TxRejectedError} `pool-full` if no one transaction that is worse would make the room.
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

  /** Evicts what a filled gap has promoted beyond the limit, or others that are worse. */
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

  /** Drops the worst of what the account or a new gap has moved into a part that is full. */
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
   * An account that delegates to a contract, or is about to, has one transaction in flight: what it does in a call of
   * somebody else can make all of its others worthless, so geth takes no more of them.
   *
   * @throws {TxRejectedError} `in-flight-limit`, `gapped-nonce`.
   */
  #checkInFlight(tx: Transaction, queue: SenderQueue, { codeHash }: PoolAccount): void {
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

  /** @throws {TxRejectedError} `authority-reserved`: one that is to be delegated has several transactions in flight. */
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

  /** Changes a queue and brings in line what is derived from it. */
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

/** @param pooledCost - What the sender's other transactions may take, in wei. */
function checkFunds(balance: bigint, pooledCost: bigint, txCost: bigint): void {
  if (pooledCost + txCost <= balance) return
  const message = 'insufficient funds for gas * price + value'
  throw new TxRejectedError('insufficient-funds', message, { balance, txCost, pooledCost })
}

function poolFull(): TxRejectedError {
  return new TxRejectedError('pool-full', 'txpool is full')
}
