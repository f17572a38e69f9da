import type { Address, Bytes8, Bytes256, Hash, Quantity } from '#primitives/hex.ts'
import type { RpcConsoleLogs } from './console.ts'
import type { BlockNumberOrTag, RpcBlock, RpcHeader, RpcLog, RpcReceipt, RpcTransaction } from './objects.ts'

/** Selects logs: any of the addresses, and at each position any of the topics (`null`: whatever). */
export interface RpcLogFilter {
  readonly address?: Address | readonly Address[]
  readonly topics?: readonly (Hash | null | readonly Hash[])[]
}

/** Selects logs of one block by its hash, or of a range whose ends default to `latest`. */
export interface RpcLogQuery extends RpcLogFilter {
  readonly blockHash?: Hash
  readonly fromBlock?: BlockNumberOrTag
  readonly toBlock?: BlockNumberOrTag
}

/** A pre-confirmed transaction with the outcome of its execution. */
export type PreconfirmedTransaction = RpcTransaction &
  Pick<RpcReceipt, 'logsBloom' | 'gasUsed' | 'cumulativeGasUsed' | 'status' | 'contractAddress'> & {
    readonly logs: readonly RpcLog[]
  }

/** Fields that stay as they are from the first partial block of a block to its seal. */
export type PartialBlockBase = Pick<
  RpcBlock,
  | 'parentHash'
  | 'miner'
  | 'mixHash'
  | 'number'
  | 'gasLimit'
  | 'timestamp'
  | 'extraData'
  | 'baseFeePerGas'
  | 'parentBeaconBlockRoot'
>

/** One partial block: the transactions that are new at this index, and the cumulative values of everything else. */
export interface PartialBlockDiff {
  /** 0 for the first partial block of a block. */
  readonly index: number
  /** One id for all partial blocks of one block. */
  readonly payloadId: Bytes8
  /** At index 0, in the first message of a subscription, and where partial blocks or whole blocks were withdrawn. */
  readonly base?: PartialBlockBase
  readonly diff: {
    readonly blockHash: Hash
    readonly stateRoot: Hash
    readonly transactionsRoot: Hash
    readonly receiptsRoot: Hash
    readonly logsBloom: Bytes256
    readonly gasUsed: Quantity
    readonly blobGasUsed: Quantity
    readonly size: Quantity
    /** Only those new at this index; with `base` all so far. */
    readonly transactions: readonly RpcTransaction[]
    readonly receipts: readonly RpcReceipt[]
  }
  readonly metadata: {
    readonly blockNumber: Quantity
    /** Transactions of the whole block so far. */
    readonly transactionCount: number
    /** Milliseconds since the Unix epoch at which the node cut it. */
    readonly cutAtMs: number
    /** Milliseconds that its executions and roots took. */
    readonly tookMs: number
  }
}

/** Subscription kind → parameters that follow the kind, and the payload of one notification. */
export interface Subscriptions {
  /** Newly pre-confirmed transactions: hashes, objects, or those with logs that a filter selects. */
  newPartialBlockTransactions: { params: [mode?: boolean | RpcLogFilter]; payload: Hash | PreconfirmedTransaction }
  /** Every partial block: what is new in it, or the whole pending block. */
  newPartialBlocks: { params: [mode?: 'diff' | 'block']; payload: PartialBlockDiff | RpcBlock<RpcTransaction> }
  /** Headers of sealed blocks. */
  newHeads: { params: []; payload: RpcHeader }
  /** Logs of sealed blocks; with `removed: true` where a block was reverted, in reverse. */
  logs: { params: [query?: RpcLogQuery]; payload: RpcLog }
  /** Logs of newly pre-confirmed transactions. */
  pendingLogs: { params: [query?: RpcLogQuery]; payload: RpcLog }
  /** Transactions that the pool accepts: hashes or objects. */
  newPendingTransactions: { params: [fullTransactions?: boolean]; payload: Hash | RpcTransaction }
  /**
   * Receipts, in lists: of newly pre-confirmed transactions, whose `blockHash` is zero, and again of each block when it is
   * sealed. Of all transactions, or of those that are named, at most 200.
   */
  transactionReceipts: { params: [query?: { transactionHashes?: readonly Hash[] }]; payload: readonly RpcReceipt[] }
  /** Accepted as in geth, which tells when it begins and ends to catch up with others; this chain never does. */
  syncing: { params: []; payload: false }
  /** What transactions wrote with `console.log`, once they are pre-confirmed, and calls and estimates that failed. */
  consoleLogs: { params: []; payload: RpcConsoleLogs }
  /** Base's name for `newPartialBlockTransactions`. */
  newFlashblockTransactions: { params: [mode?: boolean | RpcLogFilter]; payload: Hash | PreconfirmedTransaction }
  /** Base's name for `newPartialBlocks` with `"block"`. */
  newFlashblocks: { params: []; payload: RpcBlock<RpcTransaction> }
}

export type SubscriptionKind = keyof Subscriptions
