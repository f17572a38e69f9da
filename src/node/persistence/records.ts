import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { SealedBlock } from '../payload/block.ts'
import { decodeAccepted } from '../tx/decode.ts'
import type { Transaction } from '../tx/transaction.ts'

/**
 * Version of all that this room writes; a journal of another one is not read. Raise it when an older build would misread
 * the records.
 */
export const JOURNAL_FORMAT = 1

/** Keys in the part `meta`. */
export const META = { chain: 'chain', present: 'present', base: 'base' } as const

/** A chain's identity and options; written once. JSON. */
export interface ChainRecord {
  readonly format: number
  /** Version of the program that wrote it. */
  readonly version: string
  readonly options: NodeOptions
  /** Seconds since the Unix epoch. */
  readonly genesisTimestamp: number
  readonly genesisHash: Hash
}

/** The accounts that need no signature. JSON. */
export interface ImpersonatedRecord {
  readonly accounts: readonly Address[]
  readonly auto: boolean
}

/** The block whose whole state is kept; the others follow from what each block changed. JSON. */
export interface BaseRecord {
  readonly number: number
  readonly hash: Hash
}

/** A transaction with its sender. JSON. */
export type TransactionRecord = readonly [raw: Hex, sender: Address]

/** Key of a block, and of what it changed. */
export function blockKey({ header, hash }: Pick<SealedBlock, 'header' | 'hash'>): string {
  return `${header.number.toString(16).padStart(8, '0')}-${hash.slice(2)}`
}

/** Key of a snapshot, so that the oldest comes first. */
export function snapshotKey(id: Hex): string {
  return id.slice(2).padStart(8, '0')
}

/** Prefix of the keys of codes. */
const CODE = 'code-'

/** Keys in the part `states`. */
export const stateKeys = {
  base: (hash: Hash) => `base-${hash}`,
  snapshot: (id: Hex) => `snapshot-${snapshotKey(id)}`,
  code: (hash: Hash) => `${CODE}${hash}`,
}

/** Whether an entry of the part `states` is a code. */
export function isCodeKey(key: string): boolean {
  return key.startsWith(CODE)
}

/** The hash of the code that an entry of the part `states` is. */
export function codeHashOf(key: string): Hash {
  return key.slice(CODE.length) as Hash
}

/** No chain takes so many transactions; the next ones still have numbers that can be written. */
const MAX_ARRIVAL = 2 ** 48

/** @param arrival - Says which came first. */
export function encodePooled(tx: Transaction, arrival: number): Uint8Array {
  return new ByteWriter().uint(arrival).hex(tx.sender).fixed(tx.raw).finish()
}

/** @throws {ByteReaderError | TxRejectedError} If the bytes are not those of {@link encodePooled}. */
export function decodePooled(record: Uint8Array): { readonly tx: Transaction; readonly arrival: number } {
  const reader = new ByteReader(record)
  const arrival = reader.uint()
  if (arrival > MAX_ARRIVAL) throw new ByteReaderError('a transaction came after more others than there can be')
  const sender: Address = reader.hex(20)
  return { arrival, tx: decodeAccepted(record.subarray(reader.position), sender) }
}

/** Whether that is the code with that hash. */
export function isCode(hash: Hash, code: Uint8Array): boolean {
  return keccak256Hex(code) === hash
}
