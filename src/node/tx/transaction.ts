import type { Address, Hash } from '#primitives/hex.ts'
import { impersonationR, ZERO_ADDRESS_MARK } from '#rpc-types/impersonation.ts'

/** The largest nonce of an account; no transaction may use it (EIP-2681). */
export const MAX_NONCE = 2n ** 64n - 1n

export interface AccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

/** A signed EIP-7702 tuple; `authority` is recovered when it is applied. */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** A transaction's signature; `s` is 0 if the node sent it without a key, see {@link isImpersonated}. */
export interface Signature {
  readonly yParity: 0 | 1
  readonly r: bigint
  readonly s: bigint
}

interface TransactionBase extends Signature {
  readonly hash: Hash
  /** The bytes as they were submitted: EIP-2718 envelope or legacy RLP. */
  readonly raw: Uint8Array
  /**
   * The sender, which pays. Recovered from the signature, unless the transaction {@link isImpersonated | is
   * impersonated}.
   */
  readonly sender: Address
  readonly nonce: bigint
  /** Gas limit. */
  readonly gas: bigint
  /** `null` creates a contract. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
}

export interface LegacyTransaction extends TransactionBase {
  readonly type: 0
  /** `null` without EIP-155 replay protection. */
  readonly chainId: bigint | null
  /** Wei per gas. */
  readonly gasPrice: bigint
}

/** What every transaction but a legacy one has. */
interface TypedTransaction extends TransactionBase {
  readonly chainId: bigint
  readonly accessList: readonly AccessListItem[]
}

/** What a transaction has that bids a fee and a tip (EIP-1559). */
interface BiddingTransaction extends TypedTransaction {
  /** Wei per gas. */
  readonly maxFeePerGas: bigint
  /** Wei per gas. */
  readonly maxPriorityFeePerGas: bigint
}

export interface AccessListTransaction extends TypedTransaction {
  readonly type: 1
  /** Wei per gas. */
  readonly gasPrice: bigint
}

export interface FeeMarketTransaction extends BiddingTransaction {
  readonly type: 2
}

export interface SetCodeTransaction extends BiddingTransaction {
  readonly type: 4
  readonly authorizationList: readonly Authorization[]
}

/** A blob transaction. This chain refuses it; the official state tests use it. */
export interface BlobTransaction extends BiddingTransaction {
  readonly type: 3
  /** Wei per blob gas. */
  readonly maxFeePerBlobGas: bigint
  readonly blobHashes: readonly Hash[]
}

/** A decoded transaction whose signature was recovered. */
export type Transaction = LegacyTransaction | AccessListTransaction | FeeMarketTransaction | SetCodeTransaction

type WithoutSignature<Tx> = Tx extends unknown ? Omit<Tx, 'hash' | 'raw' | 'sender' | keyof Signature> : never

/** A transaction before it is signed. */
export type UnsignedTransaction = WithoutSignature<Transaction>

/**
 * What stands in the place of a signature where the node sends for an account without its key: `s` is 1, and `r` is the
 * sender, so that the hashes of two senders differ. Both are in the range of signatures: go-ethereum's clients refuse to
 * read a block with a transaction whose `r` or `s` is 0.
 */
export function impersonationMark(sender: Address): Signature {
  return { yParity: 0, r: impersonationR(sender), s: 1n }
}

/** Whether a signature may be a mark. Nobody's key makes such a one, and it is not accepted as a signature. */
export function isMark({ r, s }: Pick<Signature, 'r' | 's'>): boolean {
  return s === 1n && r <= ZERO_ADDRESS_MARK
}

/**
 * Whether the node sent the transaction for an account without its key. Chains of earlier versions have marks whose `s`
 * is 0.
 */
export function isImpersonated({ sender, r, s }: Pick<Transaction, 'sender' | 'r' | 's'>): boolean {
  return s === 0n || (s === 1n && r === impersonationMark(sender).r)
}

type Priced = WithoutSignature<Transaction | BlobTransaction>

/** The highest price per gas, in wei. */
export function feeCap(tx: Priced): bigint {
  return 'gasPrice' in tx ? tx.gasPrice : tx.maxFeePerGas
}

/** The highest tip per gas, in wei; a legacy price counts as both. */
export function tipCap(tx: Priced): bigint {
  return 'gasPrice' in tx ? tx.gasPrice : tx.maxPriorityFeePerGas
}

/** Effective tip: wei per gas that the builder gets at that base fee; negative if the fee cap is below it. */
export function effectiveTip(tx: Priced, baseFee: bigint): bigint {
  const room = feeCap(tx) - baseFee
  const tip = tipCap(tx)
  return tip < room ? tip : room
}

/** Effective gas price: wei per gas that the sender pays at that base fee. */
export function effectiveGasPrice(tx: Priced, baseFee: bigint): bigint {
  return baseFee + effectiveTip(tx, baseFee)
}

/** The highest cost for its sender: gas at the fee cap plus value, in wei. */
export function maxCost(tx: Priced): bigint {
  return tx.gas * feeCap(tx) + tx.value
}
