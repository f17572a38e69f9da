import type { Clock } from '#primitives/clock.ts'
import { invalidSignature, readTransaction, recoverSenders, type UnrecoveredTransaction } from './decode.ts'
import type { Transaction } from './transaction.ts'

/** Senders that are recovered without a pause, which takes a few milliseconds. */
export const MOST_AT_ONCE = 64

interface Waiting {
  readonly read: UnrecoveredTransaction
  readonly settle: (tx: Transaction | undefined) => void
  readonly settled: Promise<Transaction>
}

/**
 * Decodes transactions, and recovers the senders of those that come in at about the same time together, which is about
 * twice as fast. They come out in the order in which they went in.
 */
export class TransactionDecoder {
  readonly #clock: Pick<Clock, 'yield'>
  #waiting: Waiting[] = []

  constructor(clock: Pick<Clock, 'yield'>) {
    this.#clock = clock
  }

  /**
   * Resolves with the transaction, after the host has handed over what else has arrived; rejects with `invalid-signature`.
   *
   * @param raw - As for {@link readTransaction}.
   * @throws {TxRejectedError} As {@link readTransaction}.
   */
  decode(raw: Uint8Array): Promise<Transaction> {
    const read = readTransaction(raw)
    let settle: Waiting['settle'] = () => {}
    const settled = new Promise<Transaction>((resolve, reject) => {
      settle = (tx) => (tx ? resolve(tx) : reject(invalidSignature()))
    })
    this.#waiting.push({ read, settle, settled })
    if (this.#waiting.length === 1) void this.#recover()
    return settled
  }

  /** Resolves when all that went in so far has come out; `undefined` where nothing is under way. */
  settled(): Promise<void> | undefined {
    const ignore = () => {}
    return this.#waiting.at(-1)?.settled.then(ignore, ignore)
  }

  async #recover(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#clock.yield()
      const group = this.#waiting.splice(0, MOST_AT_ONCE)
      const transactions = recoverSenders(group.map(({ read }) => read))
      for (const [i, { settle }] of group.entries()) settle(transactions[i])
    }
  }
}
