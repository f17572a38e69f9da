import { type Address, bytesToHex, type Hash } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { recoverAddress, type Signed } from '../crypto/recovery.ts'
import { SECP256K1_HALF_ORDER, SECP256K1_ORDER } from '../crypto/secp256k1.ts'
import { TxRejectedError } from './rejection.ts'
import { RlpError, RlpReader } from './rlp-reader.ts'
import { legacyDigest, typedDigest } from './signing-digest.ts'
import {
  type AccessListItem,
  type Authorization,
  type BlobTransaction,
  isMark,
  type Transaction,
} from './transaction.ts'

/** Go's names of the types, as in geth's error messages. */
const GO_TYPES = {
  0: 'types.LegacyTx',
  1: 'types.AccessListTx',
  2: 'types.DynamicFeeTx',
  3: 'types.BlobTx',
  4: 'types.SetCodeTx',
}
const FIRST_LEGACY_BYTE = 0x80

/** A decoded transaction without its sender. */
export interface UnrecoveredTransaction<Of = Transaction> {
  /** The payload signed by its sender. */
  readonly signed: Signed
  readonly nonce: bigint
  from(sender: Address): Of
}

/** Transactions of that type that can be decoded. */
type Decoded<Type> = Extract<Transaction | BlobTransaction, { readonly type: Type }>

/**
 * Decodes a signed transaction and recovers its sender.
 *
 * @param raw - As for {@link readTransaction}.
 * @throws {TxRejectedError} As {@link readTransaction}, or `invalid-signature`.
 */
export function decodeTransaction(raw: Uint8Array): Transaction {
  return recovered(readTransaction(raw))
}

/**
 * Decodes a type 3 transaction; its blobs travel separately.
 *
 * @throws {TxRejectedError} As in {@link decodeTransaction}.
 */
export function decodeBlobTransaction(raw: Uint8Array): BlobTransaction {
  return recovered(unrecovered(3, raw))
}

/**
 * Decodes a transaction that the node has accepted before, possibly an impersonated one.
 *
 * @param sender - The sender recovered or chosen then.
 * @throws {TxRejectedError} As in {@link readTransaction}, but not for its signature.
 */
export function decodeAccepted(raw: Uint8Array, sender: Address): Transaction {
  return readAs(typeOf(raw), raw).from(sender)
}

/**
 * Decodes a signed transaction.
 *
 * @param raw - EIP-2718 envelope or legacy RLP. Kept, not copied: it must not change afterwards.
 * @throws {TxRejectedError} `too-short`, `type-not-supported`, `invalid-rlp` or `invalid-signature`, in this order.
 */
export function readTransaction(raw: Uint8Array): UnrecoveredTransaction {
  return unrecovered(typeOf(raw), raw)
}

/** @throws {TxRejectedError} `too-short`, `type-not-supported`. */
function typeOf(raw: Uint8Array): Transaction['type'] {
  const first = raw[0]
  if (first === undefined || raw.length === 1) throw new TxRejectedError('too-short', 'typed transaction too short')
  const type = first >= FIRST_LEGACY_BYTE ? 0 : first
  if (first !== 0 && (type === 0 || type === 1 || type === 2 || type === 4)) return type
  throw new TxRejectedError('type-not-supported', 'transaction type not supported', { type })
}

function recovered<Of>(read: UnrecoveredTransaction<Of>): Of {
  const sender = recoverAddress(read.signed.digest, read.signed)
  if (sender === undefined) throw invalidSignature()
  return read.from(sender)
}

function unrecovered<Type extends 0 | 1 | 2 | 3 | 4>(
  type: Type,
  raw: Uint8Array,
): UnrecoveredTransaction<Decoded<Type>> {
  const { unsigned, chainId, nonce, r, s, yParity, from } = readAs(type, raw)
  // `s` must be in the lower half (EIP-2).
  if (r === 0n || r >= SECP256K1_ORDER || s === 0n || s > SECP256K1_HALF_ORDER || isMark({ r, s })) {
    throw invalidSignature()
  }
  const digest = type === 0 ? legacyDigest(unsigned, chainId) : typedDigest(type, unsigned)
  return { signed: { digest, r, s, yParity }, nonce, from }
}

function readAs<Type extends 0 | 1 | 2 | 3 | 4>(type: Type, raw: Uint8Array) {
  try {
    const reader = new RlpReader(raw, type === 0 ? 0 : 1)
    const read = reader.struct(GO_TYPES[type], () =>
      type === 0 ? readLegacy(raw, reader) : readTyped(type, raw, reader),
    )
    reader.finish()
    const { fieldsStart, fieldsEnd, nonce, v, r, s, build } = read
    const { yParity, chainId } = type === 0 ? splitLegacyV(v) : { yParity: toParity(v), chainId: null }
    const from = (sender: Address) => build(keccak256Hex(raw), sender, yParity, chainId) as Decoded<Type>
    return { unsigned: raw.subarray(fieldsStart, fieldsEnd), chainId, nonce, r, s, yParity, from }
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    throw new TxRejectedError('invalid-rlp', error.describe(GO_TYPES[type]))
  }
}

/** What is read of a transaction, and what makes it. */
interface ReadFields {
  /** Where the fields that are signed begin and end. */
  readonly fieldsStart: number
  readonly fieldsEnd: number
  readonly nonce: bigint
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
  /**
   * Each transaction is one literal: put together of parts it would take three times as long, and have half of its
   * properties in an object of their own.
   *
   * @param legacyChainId - Only of a legacy transaction.
   */
  readonly build: (
    hash: Hash,
    sender: Address,
    yParity: 0 | 1,
    legacyChainId: bigint | null,
  ) => Transaction | BlobTransaction
}

function readLegacy(raw: Uint8Array, reader: RlpReader): ReadFields {
  const fieldsStart = reader.position
  const nonce = readU64(reader, '.Nonce')
  const gasPrice = readU256(reader, '.GasPrice')
  const gas = readU64(reader, '.Gas')
  const to = readTarget(reader)
  const value = readU256(reader, '.Value')
  const input = reader.bytes('.Data')
  const fieldsEnd = reader.position
  const v = readU256(reader, '.V')
  const r = readU256(reader, '.R')
  const s = readU256(reader, '.S')
  const build: ReadFields['build'] = (hash, sender, yParity, chainId) => {
    return { hash, raw, sender, yParity, chainId, r, s, type: 0, nonce, gasPrice, gas, to, value, input }
  }
  return { fieldsStart, fieldsEnd, nonce, v, r, s, build }
}

function readTyped(type: 1 | 2 | 3 | 4, raw: Uint8Array, reader: RlpReader): ReadFields {
  const fieldsStart = reader.position
  const chainId = readU256(reader, '.ChainID')
  const nonce = readU64(reader, '.Nonce')
  const gasPrice = type === 1 ? readU256(reader, '.GasPrice') : 0n
  const maxPriorityFeePerGas = type === 1 ? 0n : readU256(reader, '.GasTipCap')
  const maxFeePerGas = type === 1 ? 0n : readU256(reader, '.GasFeeCap')
  const gas = readU64(reader, '.Gas')
  // A type 3 transaction decodes without a target, so that it can be refused for that.
  const to = type === 4 ? readAddress(reader, '.To') : readTarget(reader)
  const value = readU256(reader, '.Value')
  const input = reader.bytes('.Data')
  const accessList = readAccessList(reader)
  const maxFeePerBlobGas = type === 3 ? readU256(reader, '.BlobFeeCap') : 0n
  const blobHashes = type === 3 ? reader.list('[]common.Hash', '.BlobHashes', () => readHash(reader)) : NO_ITEMS
  const authorizationList = type === 4 ? readAuthorizationList(reader) : NO_ITEMS
  const fieldsEnd = reader.position
  const v = readU256(reader, '.V')
  const r = readU256(reader, '.R')
  const s = readU256(reader, '.S')
  const build: ReadFields['build'] = (hash, sender, yParity) => {
    switch (type) {
      case 1:
        return { hash, raw, sender, yParity, r, s, chainId, nonce, type, gasPrice, gas, to, value, input, accessList }
      case 2:
        return {
          hash,
          raw,
          sender,
          yParity,
          r,
          s,
          chainId,
          nonce,
          type,
          maxPriorityFeePerGas,
          maxFeePerGas,
          gas,
          to,
          value,
          input,
          accessList,
        }
      case 3:
        return {
          hash,
          raw,
          sender,
          yParity,
          r,
          s,
          chainId,
          nonce,
          type,
          maxPriorityFeePerGas,
          maxFeePerGas,
          gas,
          to,
          value,
          input,
          accessList,
          maxFeePerBlobGas,
          blobHashes,
        }
      default:
        return {
          hash,
          raw,
          sender,
          yParity,
          r,
          s,
          chainId,
          nonce,
          type,
          maxPriorityFeePerGas,
          maxFeePerGas,
          gas,
          to,
          value,
          input,
          accessList,
          authorizationList,
        }
    }
  }
  return { fieldsStart, fieldsEnd, nonce, v, r, s, build }
}

function readTarget(reader: RlpReader): Address | null {
  const to = reader.optional('common.Address', 20, '.To')
  return to ? bytesToHex(to) : null
}

/** One list for all transactions without one. */
const NO_ITEMS: readonly never[] = []

function readAccessList(reader: RlpReader): readonly AccessListItem[] {
  const list = reader.list('types.AccessList', '.AccessList', () =>
    reader.struct('types.AccessTuple', () => ({
      address: readAddress(reader, '.Address'),
      storageKeys: reader.list('[]common.Hash', '.StorageKeys', () => readHash(reader)),
    })),
  )
  return list.length === 0 ? NO_ITEMS : list
}

function readAuthorizationList(reader: RlpReader): Authorization[] {
  return reader.list('[]types.SetCodeAuthorization', '.AuthList', () =>
    reader.struct('types.SetCodeAuthorization', () => ({
      chainId: readU256(reader, '.ChainID'),
      address: readAddress(reader, '.Address'),
      nonce: readU64(reader, '.Nonce'),
      yParity: reader.integer('uint8', 1, '.V'),
      r: readU256(reader, '.R'),
      s: readU256(reader, '.S'),
    })),
  )
}

const readU64 = (reader: RlpReader, path: string): bigint => reader.integer('uint64', 8, path)
const readU256 = (reader: RlpReader, path: string): bigint => reader.integer('*big.Int', 32, path)
const readHash = (reader: RlpReader): Hash => bytesToHex(reader.fixed('common.Hash', 32, ''))
const readAddress = (reader: RlpReader, path: string): Address => bytesToHex(reader.fixed('common.Address', 20, path))

function splitLegacyV(v: bigint): { yParity: 0 | 1; chainId: bigint | null } {
  if (v === 27n || v === 28n) return { yParity: v === 27n ? 0 : 1, chainId: null }
  if (v < 35n) throw invalidSignature()
  return { yParity: (v & 1n) === 1n ? 0 : 1, chainId: (v - 35n) >> 1n }
}

function toParity(v: bigint): 0 | 1 {
  if (v > 1n) throw invalidSignature()
  return v === 0n ? 0 : 1
}

/** The error if no key matches the signature. */
export function invalidSignature(): TxRejectedError {
  return new TxRejectedError('invalid-signature', 'invalid transaction v, r, s values')
}
