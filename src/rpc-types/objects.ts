import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** Block of execution-apis with the fields of spec section 2.1; the same shape sealed and pending. Quantities are hex. */
export interface RpcBlock<Tx extends Hash | RpcTransaction = Hash | RpcTransaction> {
  readonly number: Hex
  readonly hash: Hash
  readonly parentHash: Hash
  readonly nonce: Hex
  readonly sha3Uncles: Hash
  readonly logsBloom: Hex
  readonly transactionsRoot: Hash
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  readonly miner: Address
  readonly difficulty: Hex
  readonly mixHash: Hash
  readonly extraData: Hex
  readonly size: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  /** Seconds since the Unix epoch. */
  readonly timestamp: Hex
  readonly transactions: readonly Tx[]
  readonly uncles: readonly []
  readonly withdrawals: readonly []
  readonly withdrawalsRoot: Hash
  readonly baseFeePerGas: Hex
  readonly blobGasUsed: Hex
  readonly excessBlobGas: Hex
  readonly parentBeaconBlockRoot: Hash
  readonly requestsHash: Hash
}

/** What `newHeads` pushes: a sealed block's header fields. */
export type RpcHeader = Omit<RpcBlock, 'transactions' | 'uncles' | 'withdrawals' | 'size'>

export interface RpcAccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

export interface RpcAuthorization {
  readonly chainId: Hex
  readonly address: Address
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

interface RpcTransactionBase {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly nonce: Hex
  readonly gas: Hex
  /** Effective price once pre-confirmed; the fee cap in the mempool. */
  readonly gasPrice: Hex
  readonly value: Hex
  readonly input: Hex
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
  /** Null until sealed. */
  readonly blockHash: Hash | null
  /** Null in the mempool. */
  readonly blockNumber: Hex | null
  /** Null in the mempool. */
  readonly transactionIndex: Hex | null
  /** Only on sealed transactions. */
  readonly blockTimestamp?: Hex
}

/** Full transaction object, protocol section 3. */
export type RpcTransaction = RpcTransactionBase &
  (
    | { readonly type: '0x0'; readonly chainId?: Hex }
    | {
        readonly type: '0x1'
        readonly chainId: Hex
        readonly yParity: Hex
        readonly accessList: readonly RpcAccessListItem[]
      }
    | {
        readonly type: '0x2' | '0x4'
        readonly chainId: Hex
        readonly yParity: Hex
        readonly accessList: readonly RpcAccessListItem[]
        readonly maxFeePerGas: Hex
        readonly maxPriorityFeePerGas: Hex
        /** Type 4 only. */
        readonly authorizationList?: readonly RpcAuthorization[]
      }
  )

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** 32 zero bytes while pre-confirmed. */
  readonly blockHash: Hash
  readonly blockNumber: Hex
  readonly blockTimestamp: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  /** Position among all logs of the block. */
  readonly logIndex: Hex
  readonly removed: boolean
}

export interface RpcReceipt {
  readonly type: Hex
  readonly status: '0x0' | '0x1'
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  /** 32 zero bytes while pre-confirmed. */
  readonly blockHash: Hash
  readonly blockNumber: Hex
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly cumulativeGasUsed: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
}

/** Call object of `eth_call` and `eth_estimateGas`; `data` is the old name of `input`. */
export interface RpcCall {
  readonly from?: Address
  readonly to?: Address | null
  readonly gas?: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly value?: Hex
  readonly nonce?: Hex
  readonly input?: Hex
  readonly data?: Hex
  readonly chainId?: Hex
  readonly type?: Hex
  readonly accessList?: readonly RpcAccessListItem[]
  readonly authorizationList?: readonly RpcAuthorization[]
}

export interface RpcFeeHistory {
  readonly oldestBlock: Hex
  /** One more than blocks: the last is the next block's. */
  readonly baseFeePerGas: readonly Hex[]
  readonly gasUsedRatio: readonly number[]
  readonly baseFeePerBlobGas: readonly Hex[]
  readonly blobGasUsedRatio: readonly number[]
  readonly reward?: readonly (readonly Hex[])[]
}

export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'
/** EIP-1898. */
export type BlockSelector =
  | BlockTag
  | Hex
  | { readonly blockNumber: Hex }
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean }
