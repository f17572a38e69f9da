import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { StateDifference } from '../state/state-difference.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import type { Transaction } from '../tx/transaction.ts'

/** Block header of Prague and Osaka, without the fields that are constant on this chain. */
export interface Header {
  readonly parentHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  /** 256 bytes. */
  readonly logsBloom: Uint8Array
  readonly number: number
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly extraData: Uint8Array
  readonly mixHash: Hash
  /** Wei per gas. */
  readonly baseFeePerGas: bigint
  readonly parentBeaconBlockRoot: Hash
}

/** The fields of a header that are fixed before the first transaction. */
export type HeaderBase = Omit<Header, 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed'>

export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

export interface Receipt {
  readonly type: 0 | 1 | 2 | 4
  /** 1: success, 0: reverted. */
  readonly status: 0 | 1
  readonly gasUsed: bigint
  /** Of the block, this transaction included. */
  readonly cumulativeGasUsed: bigint
  readonly logs: readonly Log[]
  /** Address at which a creation puts its contract, or would have put it; `null` for a call. */
  readonly contractAddress: Address | null
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint
}

/** A transaction in a block, with its outcome and its place. */
export interface IncludedTransaction {
  readonly tx: Transaction
  readonly receipt: Receipt
  readonly transactionIndex: number
  /** Partial block that first carried it. */
  readonly partialIndex: number
  /** Position of its first log among the block's. */
  readonly firstLogIndex: number
}

/** A change of the state outside of any transaction, as a development node makes it. */
export interface StateEdit {
  /** The number of transactions that were in the block before it. */
  readonly position: number
  /** Partial block that first showed it. */
  readonly partialIndex: number
  readonly difference: StateDifference
}

interface BlockBase {
  readonly header: Header
  readonly hash: Hash
  /** Bytes of the block's RLP. */
  readonly size: number
  readonly transactions: readonly IncludedTransaction[]
  /** State edits to repeat when the block is executed again, oldest first. */
  readonly edits: readonly StateEdit[]
  /**
   * The state after the last of the transactions.
   *
   * @throws {StatePrunedError} Of a sealed block whose state is no longer kept.
   */
  readonly state: StateSnapshot
}

/** A block is too old for its state to be kept. */
export class StatePrunedError extends Error {
  override readonly name = 'StatePrunedError'

  constructor({ header }: { readonly header: Pick<Header, 'stateRoot'> }) {
    super(`historical state ${header.stateRoot} is not available: only the newest blocks keep theirs`)
  }
}

export interface SealedBlock extends BlockBase {
  readonly kind: 'sealed'
}

/** The live block at one index: a whole block, not yet sealed. */
export interface PartialBlock extends BlockBase {
  readonly kind: 'partial'
  readonly index: number
  /** 8 bytes, the same for all partial blocks of a block. */
  readonly payloadId: Hex
  /** Position of the first transaction that is new at this index. */
  readonly firstNew: number
  /** Whether who follows the block must take it whole: at index 0, and where partial blocks were withdrawn. */
  readonly restarts: boolean
  /** Milliseconds since the Unix epoch. */
  readonly cutAtMs: number
  /** Milliseconds that its executions and roots took. */
  readonly tookMs: number
}

export type Block = SealedBlock | PartialBlock
