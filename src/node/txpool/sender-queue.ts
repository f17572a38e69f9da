import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Transaction } from '../tx/transaction.ts'

/** The parts of an account that the pool needs. */
export interface PoolAccount {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  /** Left out if the account has no code. */
  readonly codeHash?: Hash
}

/** Bytes of a slot, as in geth. */
const SLOT_BYTES = 32_768

/**
 * Slots that a transaction takes, by its bytes; at least one. The pool's limits in transactions are also its limits in
 * slots: 12,000 are 375 MiB.
 */
export function slotsOf({ raw }: Pick<Transaction, 'raw'>): number {
  return Math.max(1, Math.ceil(raw.length / SLOT_BYTES))
}

/** A transaction in the pool. */
export interface PooledTransaction {
  readonly tx: Transaction
  /** Number of transactions that the pool had accepted before this one. */
  readonly arrival: number
  /** The most it can cost its sender, in wei. */
  readonly cost: bigint
}

/**
 * One sender's transactions in nonce order: first the claimed ones, then those that can be executed next without a gap,
 * then those behind a nonce gap.
 */
export class SenderQueue {
  readonly address: Address
  #nonce: bigint
  #claimed: PooledTransaction[] = []
  /** Ascending nonces, none below `#nonce`. */
  #waiting: PooledTransaction[] = []
  /** How many transactions at the start of `#waiting` have consecutive nonces from `#nonce` on. */
  #executable = 0
  #cost = 0n
  #slots = 0

  /** @param nonce - The account's nonce. */
  constructor(address: Address, nonce: bigint) {
    this.address = address
    this.#nonce = nonce
  }

  /** The lowest nonce that is neither included nor claimed. */
  get nonce(): bigint {
    return this.#nonce
  }

  /** The lowest nonce that is neither included nor claimed nor executable. */
  get nextNonce(): bigint {
    return this.#nonce + BigInt(this.#executable)
  }

  /** Number of transactions that are claimed or executable. */
  get pending(): number {
    return this.#claimed.length + this.#executable
  }

  /** Number of transactions behind a nonce gap. */
  get queued(): number {
    return this.#waiting.length - this.#executable
  }

  get size(): number {
    return this.#claimed.length + this.#waiting.length
  }

  /** Slots of 32 KiB that the sender's transactions take. */
  get slots(): number {
    return this.#slots
  }

  /** The most that all of them can cost the sender, in wei. */
  get cost(): bigint {
    return this.#cost
  }

  /** Oldest first. */
  get claimed(): readonly PooledTransaction[] {
    return this.#claimed
  }

  /** The one with the highest executable nonce. */
  get lastExecutable(): PooledTransaction | undefined {
    return this.#waiting[this.#executable - 1]
  }

  /** The one with the highest nonce behind a gap. */
  get lastQueued(): PooledTransaction | undefined {
    return this.queued > 0 ? this.#waiting.at(-1) : undefined
  }

  /** The transaction with that nonce, unless it is claimed. */
  at(nonce: bigint): PooledTransaction | undefined {
    const found = this.#waiting[this.#search(nonce)]
    return found?.tx.nonce === nonce ? found : undefined
  }

  /** The transaction with that nonce, if it can be executed after those before it. */
  executableAt(nonce: bigint): PooledTransaction | undefined {
    return nonce < this.nextNonce ? this.at(nonce) : undefined
  }

  pendingTransactions(): Transaction[] {
    return [...this.#claimed, ...this.#waiting.slice(0, this.#executable)].map(({ tx }) => tx)
  }

  queuedTransactions(): Transaction[] {
    return this.#waiting.slice(this.#executable).map(({ tx }) => tx)
  }

  /** Adds a transaction, or replaces the one with its nonce. */
  put(pooled: PooledTransaction): void {
    const { nonce } = pooled.tx
    invariant(nonce >= this.#nonce, 'a transaction was pooled with a nonce that is already used')
    const index = this.#search(nonce)
    const present = this.#waiting[index]
    const replaces = present?.tx.nonce === nonce
    this.#waiting.splice(index, replaces ? 1 : 0, pooled)
    this.#cost += pooled.cost - (replaces ? present.cost : 0n)
    this.#slots += slotsOf(pooled.tx) - (replaces ? slotsOf(present.tx) : 0)
    this.#extendRun()
  }

  /** Removes a transaction; later ones then wait behind a nonce gap. */
  remove(pooled: PooledTransaction): void {
    const index = this.#search(pooled.tx.nonce)
    invariant(this.#waiting[index] === pooled, 'the transaction is not in its queue')
    this.#waiting.splice(index, 1)
    this.#cost -= pooled.cost
    this.#slots -= slotsOf(pooled.tx)
    this.#executable = Math.min(this.#executable, index)
  }

  /** Marks the next transaction as being executed. */
  claim(tx: Transaction): void {
    invariant(
      this.#executable > 0 && this.#waiting[0]?.tx === tx,
      'only the next executable transaction can be claimed',
    )
    this.#claimed.push(this.#waiting.shift() as PooledTransaction)
    this.#executable--
    this.#nonce++
  }

  /** Removes the last claimed transaction; its nonce is free again. */
  dropClaimed(tx: Transaction): void {
    const last = this.#claimed.pop()
    invariant(last?.tx === tx, 'only the last claimed transaction can be dropped')
    this.#cost -= last.cost
    this.#slots -= slotsOf(last.tx)
    this.#nonce--
    this.#executable = 0
  }

  /** Makes the last claimed transaction executable again. */
  unclaim(tx: Transaction): void {
    const last = this.#claimed.pop()
    invariant(last?.tx === tx, 'only the last claimed transaction can be given back')
    this.#waiting.unshift(last)
    this.#nonce--
    this.#executable++
  }

  /** Makes the claimed transactions executable again, since they were not included. */
  release(): void {
    this.#nonce -= BigInt(this.#claimed.length)
    this.#waiting = [...this.#claimed, ...this.#waiting]
    this.#claimed = []
    this.#executable = 0
    this.#extendRun()
  }

  /** Forgets the claimed transactions, which are included now. */
  forgetClaimed(): void {
    for (const { cost, tx } of this.#claimed) {
      this.#cost -= cost
      this.#slots -= slotsOf(tx)
    }
    this.#claimed = []
  }

  /** Updates the account's nonce, while nothing is claimed. Transactions with lower nonces must be gone. */
  setNonce(nonce: bigint): void {
    invariant(this.#claimed.length === 0, 'the nonce was set while transactions are claimed')
    invariant((this.#waiting[0]?.tx.nonce ?? nonce) >= nonce, 'a transaction has a nonce below the account')
    this.#nonce = nonce
    this.#executable = 0
    this.#extendRun()
  }

  /**
   * Transactions that no longer fit: their nonce is used, they cost more than the whole balance, or they need more gas
   * than a block has.
   *
   * @param gasLimit - Gas limit of the block under construction.
   */
  unfit(
    { nonce, balance }: PoolAccount,
    gasLimit: bigint,
  ): {
    readonly stale: PooledTransaction[]
    readonly unpayable: PooledTransaction[]
    readonly tooLarge: PooledTransaction[]
  } {
    const stale = this.#waiting.slice(0, this.#search(nonce))
    const rest = this.#waiting.slice(stale.length)
    const unpayable = rest.filter(({ cost }) => cost > balance)
    const tooLarge = rest.filter(({ cost, tx }) => cost <= balance && tx.gas > gasLimit)
    return { stale, unpayable, tooLarge }
  }

  #extendRun(): void {
    while (this.#waiting[this.#executable]?.tx.nonce === this.nextNonce) this.#executable++
  }

  /** Index in `#waiting` of the first transaction with that nonce or a higher one. */
  #search(nonce: bigint): number {
    const offset = Number(nonce - this.#nonce)
    if (offset <= this.#executable) return Math.max(0, offset)
    let low = this.#executable
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#waiting[middle] as PooledTransaction).tx.nonce < nonce) low = middle + 1
      else high = middle
    }
    return low
  }
}
