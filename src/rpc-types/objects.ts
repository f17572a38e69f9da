import type { Address, Bytes8, Bytes256, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** Block of execution-apis with the fields of spec section 2.1; the same shape sealed and pending. Quantities are hex. */
export interface RpcBlock<Tx extends Hash | RpcTransaction = Hash | RpcTransaction> {
  readonly number: Quantity
  readonly hash: Hash
  readonly parentHash: Hash
  readonly nonce: Bytes8
  readonly sha3Uncles: Hash
  readonly logsBloom: Bytes256
  readonly transactionsRoot: Hash
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  readonly miner: Address
  readonly difficulty: Quantity
  readonly mixHash: Hash
  readonly extraData: Hex
  readonly size: Quantity
  readonly gasLimit: Quantity
  readonly gasUsed: Quantity
  /** Seconds since the Unix epoch. */
  readonly timestamp: Quantity
  readonly transactions: readonly Tx[]
  readonly uncles: readonly []
  readonly withdrawals: readonly []
  readonly withdrawalsRoot: Hash
  readonly baseFeePerGas: Quantity
  readonly blobGasUsed: Quantity
  readonly excessBlobGas: Quantity
  readonly parentBeaconBlockRoot: Hash
  readonly requestsHash: Hash
}

/** A sealed block's header fields, as `newHeads` pushes them. */
export type RpcHeader = Omit<RpcBlock, 'transactions' | 'uncles' | 'withdrawals' | 'size'>

export interface RpcAccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

export interface RpcAuthorization {
  readonly chainId: Quantity
  readonly address: Address
  readonly nonce: Quantity
  readonly yParity: Quantity
  readonly r: Quantity
  readonly s: Quantity
}

interface RpcTransactionBase {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly nonce: Quantity
  readonly gas: Quantity
  /** Effective price once pre-confirmed; the fee cap in the mempool. */
  readonly gasPrice: Quantity
  readonly value: Quantity
  readonly input: Hex
  readonly v: Quantity
  readonly r: Quantity
  readonly s: Quantity
  /** Null until sealed. */
  readonly blockHash: Hash | null
  /** Null in the mempool. */
  readonly blockNumber: Quantity | null
  /** Null in the mempool. */
  readonly transactionIndex: Quantity | null
  /** Only on sealed transactions. */
  readonly blockTimestamp?: Quantity
}

/** Full transaction object, protocol section 3. */
export type RpcTransaction = RpcTransactionBase &
  (
    | { readonly type: '0x0'; readonly chainId?: Quantity }
    | {
        readonly type: '0x1'
        readonly chainId: Quantity
        readonly yParity: Quantity
        readonly accessList: readonly RpcAccessListItem[]
      }
    | {
        readonly type: '0x2'
        readonly chainId: Quantity
        readonly yParity: Quantity
        readonly accessList: readonly RpcAccessListItem[]
        readonly maxFeePerGas: Quantity
        readonly maxPriorityFeePerGas: Quantity
      }
    | {
        readonly type: '0x4'
        readonly chainId: Quantity
        readonly yParity: Quantity
        readonly accessList: readonly RpcAccessListItem[]
        readonly maxFeePerGas: Quantity
        readonly maxPriorityFeePerGas: Quantity
        readonly authorizationList: readonly RpcAuthorization[]
      }
  )

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** 32 zero bytes while pre-confirmed. */
  readonly blockHash: Hash
  readonly blockNumber: Quantity
  readonly blockTimestamp: Quantity
  readonly transactionHash: Hash
  readonly transactionIndex: Quantity
  /** Position among all logs of the block. */
  readonly logIndex: Quantity
  readonly removed: boolean
}

/** What a transaction has paid for L1, on a chain of the OP stack (`--op`). */
export interface RpcL1Charge {
  /** Base fee of L1, in wei per gas. */
  readonly l1GasPrice?: Quantity
  /** Gas of L1, by the estimated size of the transaction. */
  readonly l1GasUsed?: Quantity
  /** Wei. */
  readonly l1Fee?: Quantity
  readonly l1BaseFeeScalar?: Quantity
  /** Wei per unit of blob gas. */
  readonly l1BlobBaseFee?: Quantity
  readonly l1BlobBaseFeeScalar?: Quantity
  /** With the constant, if one of them is not 0. */
  readonly operatorFeeScalar?: Quantity
  /** Wei. */
  readonly operatorFeeConstant?: Quantity
}

export interface RpcReceipt extends RpcL1Charge {
  readonly type: Quantity
  readonly status: '0x0' | '0x1'
  readonly transactionHash: Hash
  readonly transactionIndex: Quantity
  /** 32 zero bytes while pre-confirmed. */
  readonly blockHash: Hash
  readonly blockNumber: Quantity
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly cumulativeGasUsed: Quantity
  readonly gasUsed: Quantity
  readonly effectiveGasPrice: Quantity
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Bytes256
}

/** Call object of `eth_call` and `eth_estimateGas`; `data` is the old name of `input`. */
export interface RpcCall {
  readonly from?: Address
  readonly to?: Address | null
  readonly gas?: Quantity
  readonly gasPrice?: Quantity
  readonly maxFeePerGas?: Quantity
  readonly maxPriorityFeePerGas?: Quantity
  readonly value?: Quantity
  readonly nonce?: Quantity
  readonly input?: Hex
  readonly data?: Hex
  readonly chainId?: Quantity
  readonly type?: Quantity
  readonly accessList?: readonly RpcAccessListItem[]
  readonly authorizationList?: readonly RpcAuthorization[]
}

export interface RpcFeeHistory {
  readonly oldestBlock: Quantity
  /** One more than blocks: the last is the next block's. */
  readonly baseFeePerGas: readonly Quantity[]
  readonly gasUsedRatio: readonly number[]
  readonly baseFeePerBlobGas: readonly Quantity[]
  readonly blobGasUsedRatio: readonly number[]
  readonly reward?: readonly (readonly Quantity[])[]
}

export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'
/** A block by its number or its tag. */
export type BlockNumberOrTag = BlockTag | Quantity
/** A block by its tag, number or hash, as EIP-1898 has it. */
export type BlockSelector =
  | BlockNumberOrTag
  | Hash
  | { readonly blockNumber: Quantity }
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean }
