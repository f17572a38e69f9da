import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { L1Charge } from '../evm/rollup.ts'
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

/** The header fields that are fixed before the first transaction. */
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
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  readonly logs: readonly Log[]
  /** Address of the contract that a creation makes, or would have made; `null` for a call. */
  readonly contractAddress: Address | null
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint
  /** What it has paid for L1, on a chain of the OP stack. */
  readonly l1?: L1Charge | undefined
}

/** A transaction in a block, with its outcome and position. */
export interface IncludedTransaction {
  readonly tx: Transaction
  readonly receipt: Receipt
  readonly transactionIndex: number
  /** Index of the partial block that added it. */
  readonly partialIndex: number
  /** Index of its first log in the block. */
  readonly firstLogIndex: number
}

/** A state change outside of any transaction, by a development method. */
export interface StateEdit {
  /** Number of transactions in the block before the edit. */
  readonly position: number
  /** Index of the first partial block that shows it. */
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
   * The state after the last transaction.
   *
   * @throws {StatePrunedError} For a sealed block whose state is no longer kept.
   */
  readonly state: StateSnapshot
}

/** The block is too old: its state is no longer kept. */
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
  /** Index of the first transaction that is new in this partial block. */
  readonly firstNew: number
  /** Whether subscribers must take the whole block: at index 0, and after a withdrawal. */
  readonly restarts: boolean
  /** The state before the block's first transaction. */
  readonly opening: StateSnapshot
  /** Milliseconds since the Unix epoch. */
  readonly cutAtMs: number
  /** Milliseconds its executions and roots took. */
  readonly tookMs: number
}

export type Block = SealedBlock | PartialBlock
