import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { PartialBlock, StateEdit } from '../payload/block.ts'
import { countByPartial } from '../payload/count-by-partial.ts'
import type { HeaderWish } from '../payload/payload-builder.ts'
import type { HeaderWishes, NextHeader } from '../sequencer/header-wishes.ts'
import type { ProductionState, TimeState } from '../sequencer/production-state.ts'
import type { LiveContent } from '../sequencer/rebuild-block.ts'
import { readDifference, writeDifference } from '../state/state-record.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { JournaledChain } from './journaled-chain.ts'
import type { ImpersonatedRecord, TransactionRecord } from './records.ts'

/** A {@link NextHeader} as JSON. */
type WishRecord = Partial<{
  readonly timestamp: number
  readonly baseFeePerGas: Hex
  readonly coinbase: Address
  readonly gasLimit: Hex
  readonly mixHash: Hash
}>

/** The live block, to be executed again at the next start. JSON. */
export interface LiveRecord {
  readonly hash: Hash
  readonly header: WishRecord
  /** Hashes of its transactions without `0x`, one after the other. */
  readonly transactions: string
  /** Number of transactions at each index. */
  readonly counts: readonly number[]
  readonly edits: readonly { readonly position: number; readonly partialIndex: number; readonly difference: Hex }[]
}

/** {@link HeaderWishes} as JSON. */
interface WishesRecord {
  readonly next: WishRecord
  readonly live: WishRecord
  readonly lasting: WishRecord
  readonly intervalSeconds?: number
}

/** {@link TimeState} as JSON. */
export type TimeRecord = Omit<TimeState, 'wishes'> & { readonly wishes: WishesRecord }

/** {@link ProductionState} as JSON. */
export type ProductionRecord = Omit<ProductionState, 'wishes'> & { readonly wishes: WishesRecord }

/** Where the chain stands. JSON. */
export interface PresentRecord {
  readonly head: Hash
  readonly live: LiveRecord
  /** Whether `live` is to be sealed as it is, before anything else happens; left out if not. */
  readonly seals?: true
  readonly production: ProductionRecord
  /** When this was so, in milliseconds since the Unix epoch. */
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
  /** Those of the live block. */
  readonly included: readonly TransactionRecord[]
  readonly pooled: readonly TransactionRecord[]
}

/** Where the chain stands with that live block; how many snapshots there were is the caller's to add. */
export function recordPresent(
  { store, clock, production, impersonated }: JournaledChain,
  live: PartialBlock,
): Omit<PresentRecord, 'snapshotsTaken'> {
  return {
    head: store.head().hash,
    live: recordLive(live),
    production: recordProduction(production()),
    savedAtMs: clock.now(),
    impersonated: impersonated(),
  }
}

export function recordLive(partial: PartialBlock): LiveRecord {
  const { header, transactions } = partial
  const counts = countByPartial(partial)
  return {
    hash: partial.hash,
    header: recordWish({
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

/** @param find - The transaction with that hash; throws where it is missing. */
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
    wish: readWish(record.header) as HeaderWish,
    partials: record.counts.map((count, index) => ({
      transactions: take(count),
      edits: edits.filter(({ partialIndex }) => partialIndex === index),
    })),
  }
}

function recordProduction({ wishes, ...state }: ProductionState): ProductionRecord {
  return { ...state, wishes: recordWishes(wishes) }
}

export function readProduction({ wishes, ...state }: ProductionRecord): ProductionState {
  return { ...state, wishes: readWishes(wishes) }
}

export function recordTime({ slot, timing, wishes, chainTimeMs, travelledMs }: TimeState): TimeRecord {
  return { slot, timing, wishes: recordWishes(wishes), chainTimeMs, travelledMs }
}

export function readTime({ wishes, ...time }: TimeRecord): TimeState {
  return { ...time, wishes: readWishes(wishes) }
}

function recordWishes({ next, live, lasting, intervalSeconds }: HeaderWishes): WishesRecord {
  return {
    next: recordWish(next),
    live: recordWish(live),
    lasting: recordWish(lasting),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
  }
}

function readWishes({ next, live, lasting, intervalSeconds }: WishesRecord): HeaderWishes {
  return { next: readWish(next), live: readWish(live), lasting: readWish(lasting), intervalSeconds }
}

function recordWish({ baseFeePerGas, gasLimit, ...rest }: NextHeader): WishRecord {
  return {
    ...rest,
    ...(baseFeePerGas !== undefined && { baseFeePerGas: toQuantity(baseFeePerGas) }),
    ...(gasLimit !== undefined && { gasLimit: toQuantity(gasLimit) }),
  }
}

function readWish({ baseFeePerGas, gasLimit, ...rest }: WishRecord): NextHeader {
  return {
    ...rest,
    ...(baseFeePerGas !== undefined && { baseFeePerGas: BigInt(baseFeePerGas) }),
    ...(gasLimit !== undefined && { gasLimit: BigInt(gasLimit) }),
  }
}

function recordEdit({ position, partialIndex, difference }: StateEdit) {
  const writer = new ByteWriter()
  writeDifference(writer, difference)
  return { position, partialIndex, difference: bytesToHex(writer.finish()) }
}

function readEdit({ difference, ...place }: LiveRecord['edits'][number]): StateEdit {
  const reader = new ByteReader(hexToBytes(difference))
  const read = readDifference(reader)
  reader.finish()
  return { ...place, difference: read }
}
