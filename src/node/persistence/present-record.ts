import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import type { PartialBlock, StateEdit } from '../payload/block.ts'
import type { HeaderWish } from '../payload/payload-builder.ts'
import type { ProductionState } from '../sequencer/block-production.ts'
import type { HeaderWishes, NextHeader } from '../sequencer/header-wishes.ts'
import type { LiveContent } from '../sequencer/live-block.ts'
import { readDifference, writeDifference } from '../state/state-record.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { JournaledChain } from './journaled-chain.ts'
import type { PresentRecord } from './records.ts'

/** A {@link NextHeader} as JSON. */
type WishRecord = Partial<{
  readonly timestamp: number
  readonly baseFeePerGas: Hex
  readonly coinbase: Address
  readonly gasLimit: Hex
  readonly mixHash: Hash
}>

/** What makes the live block again when it is executed once more. JSON. */
export interface LiveRecord {
  readonly parentHash: Hash
  readonly hash: Hash
  readonly index: number
  readonly header: WishRecord
  /** Hashes of its transactions without `0x`, one after the other. */
  readonly transactions: string
  /** How many of them came at each index. */
  readonly counts: readonly number[]
  readonly edits: readonly { readonly position: number; readonly partialIndex: number; readonly difference: Hex }[]
}

/** {@link ProductionState} as JSON. */
export type ProductionRecord = Omit<ProductionState, 'wishes'> & {
  readonly wishes: {
    readonly next: WishRecord
    readonly live: WishRecord
    readonly lasting: WishRecord
    readonly intervalSeconds?: number
  }
}

/** Where the chain stands; how many snapshots there were is the caller's to add. */
export function recordPresent({
  store,
  clock,
  production,
  impersonated,
}: JournaledChain): Omit<PresentRecord, 'snapshotsTaken'> {
  return {
    head: store.head().hash,
    live: recordLive(store.pending()),
    production: recordProduction(production()),
    savedAtMs: clock.now(),
    impersonated: impersonated(),
  }
}

export function recordLive(partial: PartialBlock): LiveRecord {
  const { header, transactions } = partial
  const counts = Array.from({ length: partial.index + 1 }, () => 0)
  for (const { partialIndex } of transactions) counts[partialIndex] = (counts[partialIndex] ?? 0) + 1
  return {
    parentHash: header.parentHash,
    hash: partial.hash,
    index: partial.index,
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

export function recordProduction({ wishes, ...state }: ProductionState): ProductionRecord {
  const { next, live, lasting, intervalSeconds } = wishes
  return {
    ...state,
    wishes: {
      next: recordWish(next),
      live: recordWish(live),
      lasting: recordWish(lasting),
      ...(intervalSeconds !== undefined && { intervalSeconds }),
    },
  }
}

export function readProduction({ wishes, ...state }: ProductionRecord): ProductionState {
  const read: HeaderWishes = {
    next: readWish(wishes.next),
    live: readWish(wishes.live),
    lasting: readWish(wishes.lasting),
    intervalSeconds: wishes.intervalSeconds,
  }
  return { ...state, wishes: read }
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
  return { ...place, difference: readDifference(new ByteReader(hexToBytes(difference))) }
}
