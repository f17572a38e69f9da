import type { PartialBlock, SealedBlock } from '../../payload/block.ts'
import type { Transaction } from '../../tx/transaction.ts'
import { formatFullBlock, formatHeader } from '../format/block.ts'
import { formatPartialDiff, formatPreconfirmed } from '../format/partial-block.ts'
import { formatPooled } from '../format/transaction.ts'
import type { LogFilter } from '../params/log-filter-params.ts'
import { hasMatchingLog } from './match-logs.ts'

/** A partial block as the JSON that its subscribers get, each text made at most once, whoever asks. */
export interface PartialTexts {
  /** Hash of each new transaction. */
  hashes(): readonly string[]
  /** Each new transaction with its outcome. */
  transactions(): readonly string[]
  /** Those of {@link transactions} that logged something which the filter selects. */
  transactionsMatching(filter: LogFilter): readonly string[]
  /** The step from the partial block before. */
  diff(): string
  /** The whole block so far as a diff, for those who have seen none of it. */
  firstDiff(): string
  /** The whole block so far as `eth_getBlockByNumber` has it. */
  block(): string
}

/** Describes a partial block's texts. */
export function partialTexts(partial: PartialBlock): PartialTexts {
  const fresh = partial.transactions.slice(partial.firstNew)
  const transactions = once(() => fresh.map((included) => JSON.stringify(formatPreconfirmed(included, partial))))
  return {
    hashes: once(() => fresh.map(({ tx }) => JSON.stringify(tx.hash))),
    transactions,
    transactionsMatching(filter) {
      if (!fresh.some(({ receipt }) => hasMatchingLog(receipt.logs, filter))) return []
      return transactions().filter((_, i) => hasMatchingLog(fresh[i]?.receipt.logs ?? [], filter))
    },
    diff: once(() => JSON.stringify(formatPartialDiff(partial, false))),
    firstDiff: once(() => JSON.stringify(formatPartialDiff(partial, true))),
    block: once(() => JSON.stringify(formatFullBlock(partial))),
  }
}

/** A sealed block's texts. */
export interface SealTexts {
  header(): string
}

/** Describes a sealed block's texts. */
export function sealTexts(block: SealedBlock): SealTexts {
  return { header: once(() => JSON.stringify(formatHeader(block))) }
}

/** A pooled transaction's texts. */
export interface AcceptedTexts {
  hash(): string
  transaction(): string
}

/** Describes a pooled transaction's texts. */
export function acceptedTexts(tx: Transaction): AcceptedTexts {
  return {
    hash: once(() => JSON.stringify(tx.hash)),
    transaction: once(() => JSON.stringify(formatPooled(tx))),
  }
}

function once<Value extends string | readonly string[]>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
