import type { Address, Bytes8, Bytes256, Hash, Hex, Quantity } from '#primitives/hex.ts'
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

/** A receipt as Flashblocks have it: what consensus knows of it, without its place. */
export interface FlashblockReceipt {
  readonly type: Quantity
  readonly status: Quantity
  readonly cumulativeGasUsed: Quantity
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hash[]; readonly data: Hex }[]
}

/**
 * A partial block in the form of the Flashblocks stream of Base and rollup-boost, whose names are in snake case. Indices
 * begin at 0 and have no gaps; where partial blocks or blocks were withdrawn, another `payload_id` begins at 0.
 */
export interface Flashblock {
  readonly payload_id: Bytes8
  readonly index: number
  /** At index 0, and never else. */
  readonly base?: {
    readonly parent_beacon_block_root: Hash
    readonly parent_hash: Hash
    readonly fee_recipient: Address
    readonly prev_randao: Hash
    readonly block_number: Quantity
    readonly gas_limit: Quantity
    readonly timestamp: Quantity
    readonly extra_data: Hex
    readonly base_fee_per_gas: Quantity
  }
  readonly diff: {
    readonly state_root: Hash
    readonly receipts_root: Hash
    readonly logs_bloom: Bytes256
    readonly gas_used: Quantity
    readonly block_hash: Hash
    /** The bytes of those that are new at this index; at index 0 all so far. */
    readonly transactions: readonly Hex[]
    readonly withdrawals: readonly []
    readonly withdrawals_root: Hash
    readonly blob_gas_used: Quantity
  }
  readonly metadata: {
    readonly block_number: number
    /** Wei of each account that the block has changed so far and that still exists. */
    readonly new_account_balances: Readonly<Record<Address, Quantity>>
    /** The receipts of `transactions`, by hash. */
    readonly receipts: Readonly<Record<Hash, FlashblockReceipt>>
  }
}

/** Subscription kind → parameters that follow the kind, and the payload of one notification. */
export interface Subscriptions {
  /** Newly pre-confirmed transactions: hashes, objects, or those with logs that a filter selects. */
  newPartialBlockTransactions: { params: [mode?: boolean | RpcLogFilter]; payload: Hash | PreconfirmedTransaction }
  /** Every partial block: what is new in it, the whole pending block, or what is new as the Flashblocks stream has it. */
  newPartialBlocks: {
    params: [mode?: 'diff' | 'block' | 'flashblock']
    payload: PartialBlockDiff | RpcBlock<RpcTransaction> | Flashblock
  }
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
