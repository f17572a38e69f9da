import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { PartialBlock, StateEdit } from '../payload/block.ts'
import { countByPartial } from '../payload/count-by-partial.ts'
import type { HeaderOverrides } from '../payload/payload-builder.ts'
import type { NextHeader, PendingOverrides } from '../sequencer/header-overrides.ts'
import type { ProductionState, TimeState } from '../sequencer/production-state.ts'
import type { LiveContent } from '../sequencer/rebuild-block.ts'
import { readDifference, writeDifference } from '../state/state-record.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { JournaledChain } from './journaled-chain.ts'
import type { ImpersonatedRecord, TransactionRecord } from './records.ts'

/** A {@link NextHeader} as JSON. */
type HeaderRecord = Partial<{
  readonly timestamp: number
  readonly baseFeePerGas: Hex
  readonly coinbase: Address
  readonly gasLimit: Hex
  readonly mixHash: Hash
}>

/** The live block, which the next start executes again. JSON. */
export interface LiveRecord {
  readonly hash: Hash
  readonly header: HeaderRecord
  /** Hashes of its transactions without `0x`, one after the other. */
  readonly transactions: string
  /** Number of transactions at each index. */
  readonly counts: readonly number[]
  readonly edits: readonly { readonly position: number; readonly partialIndex: number; readonly difference: Hex }[]
}

/** {@link PendingOverrides} as JSON. */
interface OverridesRecord {
  readonly next: HeaderRecord
  readonly live: HeaderRecord
  readonly lasting: HeaderRecord
  readonly intervalSeconds?: number
}

/** {@link TimeState} as JSON. The overrides are called `wishes` for compatibility with stored chains. */
export type TimeRecord = Omit<TimeState, 'overrides'> & { readonly wishes: OverridesRecord }

/** {@link ProductionState} as JSON. */
export type ProductionRecord = Omit<ProductionState, 'overrides'> & { readonly wishes: OverridesRecord }

/** The chain's current position. JSON. */
export interface PresentRecord {
  readonly head: Hash
  readonly live: LiveRecord
  /** Whether `live` was about to be sealed as it is; then that comes first. Left out if not. */
  readonly seals?: true
  readonly production: ProductionRecord
  /** When this was recorded by the clock of the day, in milliseconds since the Unix epoch. */
  readonly savedAtMs: number
  readonly snapshotsTaken: number
  readonly impersonated: ImpersonatedRecord
}

/** A snapshot of the chain. JSON. */
export interface SnapshotRecord {
  readonly id: Hex
  readonly head: Hash
  readonly live: LiveRecord
  readonly time: TimeRecord
  /** Transactions of the live block. */
  readonly included: readonly TransactionRecord[]
  readonly pooled: readonly TransactionRecord[]
}

/** A pending block as it was before pre-confirmations in it were taken back. JSON. */
export interface TakenRecord {
  readonly number: number
  readonly parent: Hash
  /** Index of the newest partial block that stayed as it was; −1 if none did. */
  readonly kept: number
  readonly live: LiveRecord
  readonly included: readonly TransactionRecord[]
}

/** The record of the chain with that live block; the caller adds the number of snapshots. */
export function recordPresent(
  { store, clock, production, impersonated }: JournaledChain,
  live: PartialBlock,
): Omit<PresentRecord, 'snapshotsTaken'> {
  return {
    head: store.head().hash,
    live: recordLive(live),
    production: recordProduction(production()),
    savedAtMs: clock.wallNow(),
    impersonated: impersonated(),
  }
}

export function recordLive(partial: PartialBlock): LiveRecord {
  const { header, transactions } = partial
  const counts = countByPartial(partial)
  return {
    hash: partial.hash,
    header: recordHeader({
      timestamp: header.timestamp,
      baseFeePerGas: header.baseFeePerGas,
      coinbase: header.coinbase,
      gasLimit: header.gasLimit,
      mixHash: header.mixHash,
    }),
    transactions: transactions.map(({ tx }) => tx.hash.slice(2)).join(''),
    counts,
    edits: partial.edits.map(recordEdit),
  }
}

/** @param find - Returns the transaction with that hash; throws if it is missing. */
export function readLive(record: LiveRecord, find: (hash: Hash) => Transaction): LiveContent {
  let position = 0
  const take = (count: number) =>
    Array.from({ length: count }, () => {
      const hash: Hash = `0x${record.transactions.slice(64 * position, 64 * position + 64)}`
      position++
      return find(hash)
    })
  const edits = record.edits.map(readEdit)
  return {
    hash: record.hash,
    overrides: readHeader(record.header) as HeaderOverrides,
    partials: record.counts.map((count, index) => ({
      transactions: take(count),
      edits: edits.filter(({ partialIndex }) => partialIndex === index),
    })),
  }
}

function recordProduction({ overrides, ...state }: ProductionState): ProductionRecord {
  return { ...state, wishes: recordOverrides(overrides) }
}

export function readProduction({ wishes, ...state }: ProductionRecord): ProductionState {
  return { ...state, overrides: readOverrides(wishes) }
}

export function recordTime({ slot, timing, overrides, chainTimeMs, offsetMs, travelledMs }: TimeState): TimeRecord {
  return { slot, timing, wishes: recordOverrides(overrides), chainTimeMs, offsetMs, travelledMs }
}

export function readTime({ wishes, ...time }: TimeRecord): TimeState {
  return { ...time, overrides: readOverrides(wishes) }
}

function recordOverrides({ next, live, lasting, intervalSeconds }: PendingOverrides): OverridesRecord {
  return {
    next: recordHeader(next),
    live: recordHeader(live),
    lasting: recordHeader(lasting),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
  }
}

function readOverrides({ next, live, lasting, intervalSeconds }: OverridesRecord): PendingOverrides {
  return { next: readHeader(next), live: readHeader(live), lasting: readHeader(lasting), intervalSeconds }
}

function recordHeader({ baseFeePerGas, gasLimit, ...rest }: NextHeader): HeaderRecord {
  return {
    ...rest,
    ...(baseFeePerGas !== undefined && { baseFeePerGas: toQuantity(baseFeePerGas) }),
    ...(gasLimit !== undefined && { gasLimit: toQuantity(gasLimit) }),
  }
}

function readHeader({ baseFeePerGas, gasLimit, ...rest }: HeaderRecord): NextHeader {
  return {
    ...rest,
    ...(baseFeePerGas !== undefined && { baseFeePerGas: BigInt(baseFeePerGas) }),
    ...(gasLimit !== undefined && { gasLimit: BigInt(gasLimit) }),
  }
}

/** What {@link recordEdit} has written: a block is recorded at each of its indices, and an edit may have megabytes. */
const recorded = new WeakMap<StateEdit['difference'], Hex>()

function recordEdit({ position, partialIndex, difference }: StateEdit) {
  let text = recorded.get(difference)
  if (text === undefined) {
    const writer = new ByteWriter()
    writeDifference(writer, difference)
    text = bytesToHex(writer.finish())
    recorded.set(difference, text)
  }
  return { position, partialIndex, difference: text }
}

function readEdit({ difference, ...place }: LiveRecord['edits'][number]): StateEdit {
  const reader = new ByteReader(hexToBytes(difference))
  const read = readDifference(reader)
  reader.finish()
  return { ...place, difference: read }
}
