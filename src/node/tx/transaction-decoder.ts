import type { Clock } from '#primitives/clock.ts'
import type { Address } from '#primitives/hex.ts'
import { BatchRecovery } from '../crypto/batch-recovery.ts'
import type { RecoveryHelpers } from '../crypto/recovery-helpers.ts'
import { invalidSignature, readTransaction, type UnrecoveredTransaction } from './decode.ts'
import { SenderHints } from './sender-hints.ts'
import type { Transaction } from './transaction.ts'

/** How many senders are recovered without a pause, in a few milliseconds. */
export const MAX_AT_ONCE = 64
/**
 * The least number of senders given to a helper. For fewer the message costs more than it saves: ten callers who each wait
 * for their answer would take a quarter more of two cores, and be accepted no sooner.
 */
const MIN_FOR_HELPER = 16
/** A larger group takes less for each: its equation, the keys of its signers and its message are for all of them. */
export const MAX_FOR_HELPER = 128
/**
 * How many senders are recovered here after helpers have taken theirs, before checking again whether they have room.
 */
const MAX_BESIDE_HELPERS = 32

interface Waiting {
  readonly read: UnrecoveredTransaction
  readonly hint: number
  readonly settle: (tx: Transaction | undefined) => void
  readonly settled: Promise<Transaction>
}

/** Transactions whose senders are recovered together. */
interface Group {
  readonly members: readonly Waiting[]
  /** `undefined` while they are being recovered. */
  senders: readonly (Address | undefined)[] | undefined
}

/**
 * Decodes transactions. Senders of transactions that arrive at about the same time are recovered together, which is
 * about twice as fast; if there are many, other threads help. Transactions come out in order of arrival.
 */
export class TransactionDecoder {
  readonly #clock: Pick<Clock, 'yield'>
  readonly #helpers: Pick<RecoveryHelpers, 'recover'> | undefined
  readonly #recovery = new BatchRecovery()
  readonly #hints = new SenderHints()
  #waiting: Waiting[] = []
  /** Groups before the transactions that are still waiting. */
  readonly #groups: Group[] = []

  constructor(clock: Pick<Clock, 'yield'>, helpers?: Pick<RecoveryHelpers, 'recover'>) {
    this.#clock = clock
    this.#helpers = helpers
  }

  /**
   * Resolves with the transaction, after the host has handled what else has arrived; rejects with `invalid-signature`.
   *
   * @param raw - As in {@link readTransaction}.
   * @throws {TxRejectedError} As in {@link readTransaction}.
   */
  decode(raw: Uint8Array): Promise<Transaction> {
    const read = readTransaction(raw)
    let settle: Waiting['settle'] = () => {}
    const settled = new Promise<Transaction>((resolve, reject) => {
      settle = (tx) => (tx ? resolve(tx) : reject(invalidSignature()))
    })
    this.#waiting.push({ read, hint: this.#hints.next(read.nonce), settle, settled })
    if (this.#waiting.length === 1) void this.#recover()
    return settled
  }

  /** Resolves when everything so far has come out; `undefined` if nothing is in progress. */
  settled(): Promise<void> | undefined {
    const newest = this.#waiting.at(-1) ?? this.#groups.at(-1)?.members.at(-1)
    const ignore = () => {}
    return newest?.settled.then(ignore, ignore)
  }

  async #recover(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#clock.yield()
      const isHelped = this.#handOver()
      const group = this.#next(isHelped ? MAX_BESIDE_HELPERS : MAX_AT_ONCE)
      if (group) this.#recoverHere(group)
    }
  }

  /**
   * Gives helpers as much work as they have room for.
   *
   * @returns Whether they took any.
   */
  #handOver(): boolean {
    let isHelped = false
    while (this.#helpers && this.#waiting.length >= MIN_FOR_HELPER) {
      const members = this.#waiting.slice(0, MAX_FOR_HELPER)
      const recovering = this.#helpers.recover(members.map(signedOf), members.map(hintOf))
      const group = recovering && this.#next(MAX_FOR_HELPER)
      if (!group) break
      isHelped = true
      recovering.then(
        (senders) => this.#recovered(group, senders),
        () => this.#recoverHere(group),
      )
    }
    return isHelped
  }

  /** The group that has waited longest; `undefined` if there is none. */
  #next(most: number): Group | undefined {
    const members = this.#waiting.splice(0, most)
    if (members.length === 0) return undefined
    const group = { members, senders: undefined }
    this.#groups.push(group)
    return group
  }

  #recoverHere(group: Group): void {
    this.#recovered(group, this.#recovery.recover(group.members.map(signedOf), group.members.map(hintOf)))
  }

  /** Resolves the groups that no earlier group holds up. */
  #recovered(recovered: Group, senders: Group['senders']): void {
    recovered.senders = senders
    for (let group = this.#groups[0]; group?.senders; group = this.#groups[0]) {
      this.#groups.shift()
      for (const [i, { read, settle }] of group.members.entries()) {
        const sender = group.senders[i]
        settle(sender && read.from(sender))
      }
    }
  }
}

const signedOf = ({ read }: Waiting) => read.signed
const hintOf = ({ hint }: Waiting) => hint
