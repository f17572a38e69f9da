import type { Emitter } from '#primitives/emitter.ts'
import { bytesToHex } from '#primitives/hex.ts'
import type { PartialBlock } from '../payload/block.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { Journal } from '../storage/journal.ts'
import type { Transaction } from '../tx/transaction.ts'
import { checkTaken } from './check-records.ts'
import { decodeJson } from './json-record.ts'
import { recordLive, type TakenRecord } from './present-record.ts'
import { META, type TransactionRecord } from './records.ts'

/** How many withdrawals are remembered, and how many bytes all of them may take; the oldest are forgotten first. */
export const MAX_TAKEN = 100
const MAX_TAKEN_BYTES = 8_000_000

interface Taken extends Omit<TakenRecord, 'included'> {
  readonly transactions: readonly Transaction[]
  readonly bytes: number
}

/**
 * Remembers what was taken back since the node started, for the file of the chain. A reorg of sealed blocks is not
 * remembered: its blocks are not in the file.
 */
export class TakenBack {
  #all: readonly Taken[] = []

  constructor(events: Emitter<ChainEvents>) {
    events.on('unconfirmed', ({ block, transactions: [first] }) => {
      if (first) this.#add(block, first.partialIndex - 1)
    })
    events.on('reorg', ({ head }) => {
      this.#all = this.#all.filter(({ number }) => number <= head.header.number)
    })
  }

  /** The records, oldest first. */
  records(): readonly TakenRecord[] {
    return this.#all.map(({ bytes: _bytes, transactions, ...rest }) => ({
      ...rest,
      included: transactions.map((tx): TransactionRecord => [bytesToHex(tx.raw), tx.sender]),
    }))
  }

  #add(block: PartialBlock, kept: number): void {
    const live = recordLive(block)
    const transactions = block.transactions.map(({ tx }) => tx)
    const bytes =
      live.edits.reduce((sum, { difference }) => sum + difference.length, live.transactions.length) +
      transactions.reduce((sum, { raw }) => sum + 2 * raw.length, 0)
    const { number, parentHash: parent } = block.header
    let all = [...this.#all, { number, parent, kept, live, transactions, bytes }].slice(-MAX_TAKEN)
    while (all.reduce((sum, each) => sum + each.bytes, 0) > MAX_TAKEN_BYTES) all = all.slice(1)
    this.#all = all
  }
}

/**
 * What the file of a chain says was taken back.
 *
 * @throws {JournalError} `corrupt`.
 */
export async function readTaken(journal: Journal): Promise<readonly TakenRecord[]> {
  const bytes = await journal.read('meta', META.taken)
  return bytes ? decodeTaken(bytes) : []
}

/** @throws {JournalError} `corrupt`. */
export function decodeTaken(bytes: Uint8Array): readonly TakenRecord[] {
  const records: unknown = decodeJson(bytes, 'withdrawals')
  checkTaken(records)
  return records
}
