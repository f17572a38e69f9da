import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { ForkRecord } from '../fork/fork.ts'
import type { SealedBlock } from '../payload/block.ts'
import { decodeAccepted } from '../tx/decode.ts'
import type { Transaction } from '../tx/transaction.ts'

/**
 * Version of everything in this folder that is stored. A journal with another version is not read. Raise it when an
 * older build would misread the records.
 */
export const JOURNAL_FORMAT = 1
/** Format of a chain with a fork, which older builds do not know. */
export const FORK_FORMAT = 2

/** Keys in the part `meta`. */
export const META = { chain: 'chain', present: 'present', base: 'base', taken: 'taken', bundles: 'bundles' } as const

/** A chain's identity and options; written once. JSON. */
export interface ChainRecord {
  readonly format: number
  /** Version of the program that wrote it. */
  readonly version: string
  readonly options: NodeOptions
  /** Seconds since the Unix epoch. */
  readonly genesisTimestamp: number
  readonly genesisHash: Hash
  /** The chain that this one continues; its block then takes the place of block 0. */
  readonly fork?: ForkRecord
}

/** The accounts that need no signature. JSON. */
export interface ImpersonatedRecord {
  readonly accounts: readonly Address[]
  readonly auto: boolean
}

/** A bundle of calls that was submitted (EIP-5792). JSON. */
export interface BundleRecord {
  readonly id: string
  /** Hashes in the order of its calls; the one of an atomic bundle. */
  readonly transactions: readonly Hash[]
  /** Whether one transaction has all calls. */
  readonly isAtomic: boolean
  /** The transaction before it, which creates the contract that the account is delegated to. */
  readonly deployment?: Hash
}

/** The block whose whole state is stored; other states follow from what each block changed. JSON. */
export interface BaseRecord {
  readonly number: number
  readonly hash: Hash
}

/** A transaction with its sender. JSON. */
export type TransactionRecord = readonly [raw: Hex, sender: Address]

/** Key of a block, and of its state difference. */
export function blockKey({ header, hash }: Pick<SealedBlock, 'header' | 'hash'>): string {
  return keyOf(header.number, hash)
}

/** {@link blockKey} of a block of which only that is known. */
export function keyOf(number: number, hash: Hash): string {
  return `${number.toString(16).padStart(8, '0')}-${hash.slice(2)}`
}

/** Number of the block with that key. */
export function numberOf(key: string): number {
  return Number.parseInt(key, 16)
}

/** Key of a snapshot. Keys sort oldest first. */
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

/** Whether an entry of the part `states` is something that a fork has fetched; `KeptRows` has these keys. */
export function isKeptKey(key: string): boolean {
  return key.startsWith('fork-')
}

/** Whether an entry of the part `states` is a code. */
export function isCodeKey(key: string): boolean {
  return key.startsWith(CODE)
}

/** The hash of the code in an entry of the part `states`. */
export function codeHashOf(key: string): Hash {
  return key.slice(CODE.length) as Hash
}

/** No chain ever receives this many transactions, and the numbers after it can still be written. */
const MAX_ARRIVAL = 2 ** 48

/** @param arrival - Position in the order of arrival. */
export function encodePooled(tx: Transaction, arrival: number): Uint8Array {
  return new ByteWriter().uint(arrival).hex(tx.sender).fixed(tx.raw).finish()
}

/** @throws {ByteReaderError | TxRejectedError} If the bytes are not those of {@link encodePooled}. */
export function decodePooled(record: Uint8Array): { readonly tx: Transaction; readonly arrival: number } {
  const reader = new ByteReader(record)
  const arrival = reader.uint()
  if (arrival > MAX_ARRIVAL) throw new ByteReaderError('a transaction has an impossible arrival number')
  const sender: Address = reader.hex(20)
  return { arrival, tx: decodeAccepted(record.subarray(reader.position), sender) }
}

/** Whether the code has that hash. */
export function isCode(hash: Hash, code: Uint8Array): boolean {
  return keccak256Hex(code) === hash
}
