import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type {
  BlockNumberOrTag,
  BlockSelector,
  RpcHeader,
  RpcLog,
  RpcReceipt,
  RpcTransaction,
} from '#rpc-types/objects.ts'
import type { RpcLogQuery } from '#rpc-types/subscriptions.ts'

/** Configuration of a fork as EIP-7910 has it. */
export interface RpcForkConfig {
  /** Seconds since the Unix epoch; 0: from block 0 on. */
  readonly activationTime: number
  readonly blobSchedule: { readonly baseFeeUpdateFraction: number; readonly max: number; readonly target: number }
  readonly chainId: Quantity
  /** 4 bytes. */
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Address>>
  readonly systemContracts: Readonly<Record<string, Address>>
}

/** What the node can answer about a kind of data: everything. */
interface RpcKeptData {
  readonly disabled: false
  readonly oldestBlock: '0x0'
}

type Text = Readonly<Record<string, string>>
type Transactions = Readonly<Record<string, RpcTransaction>>

/** Logs, filters and everything else that only reads the chain. Method → positional parameters and result. */
export interface LogMethods {
  /** Logs that a query selects; with `toBlock: 'pending'` pre-confirmed ones as well. */
  eth_getLogs: { params: [query: RpcLogQuery]; result: readonly RpcLog[] }
  /** Starts a filter for logs; its id. With `toBlock: 'pending'` logs come when they are pre-confirmed. */
  eth_newFilter: { params: [query: RpcLogQuery]; result: Quantity }
  /** Starts a filter for sealed blocks; its id. */
  eth_newBlockFilter: { params: []; result: Quantity }
  /** Starts a filter for transactions that the pool accepts; its id. */
  eth_newPendingTransactionFilter: { params: [fullTransactions?: boolean]; result: Quantity }
  /** What happened since the poll before: logs, hashes of blocks, or transactions. */
  eth_getFilterChanges: { params: [id: Quantity]; result: readonly (Hash | RpcTransaction | RpcLog)[] }
  /** All logs that the filter's query selects. */
  eth_getFilterLogs: { params: [id: Quantity]; result: readonly RpcLog[] }
  /** Ends a filter; whether there was one. */
  eth_uninstallFilter: { params: [id: Quantity]; result: boolean }
  /** `false`: there is no one to sync with. */
  eth_syncing: { params: []; result: false }
  /** How many transactions a sealed block has. */
  eth_getBlockTransactionCountByHash: { params: [hash: Hash]; result: Quantity | null }
  /** 0 for every block. */
  eth_getUncleCountByBlockNumber: { params: [block: BlockNumberOrTag]; result: Quantity | null }
  /** 0 for every block. */
  eth_getUncleCountByBlockHash: { params: [hash: Hash]; result: Quantity | null }
  /** `null`: there are no uncles. */
  eth_getUncleByBlockNumberAndIndex: { params: [block: BlockNumberOrTag, index: Quantity]; result: null }
  /** `null`: there are no uncles. */
  eth_getUncleByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: null }
  /** A transaction by its position in a block. */
  eth_getTransactionByBlockNumberAndIndex: {
    params: [block: BlockNumberOrTag, index: Quantity]
    result: RpcTransaction | null
  }
  /** A transaction by its position in a sealed block. */
  eth_getTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: RpcTransaction | null }
  /** Bytes of a transaction; `0x` if there is none, as in geth. */
  eth_getRawTransactionByHash: { params: [hash: Hash]; result: Hex }
  /** Bytes of a transaction by its position in a block; `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockNumberAndIndex: { params: [block: BlockNumberOrTag, index: Quantity]; result: Hex }
  /** Bytes of a transaction by its position in a sealed block; `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: Hex }
  /** Header of the block of a number or a tag. */
  eth_getHeaderByNumber: { params: [block: BlockNumberOrTag]; result: RpcHeader | null }
  /** Header of a sealed block. */
  eth_getHeaderByHash: { params: [hash: Hash]; result: RpcHeader | null }
  /** Wei per gas of the pending block, which is the next one. */
  eth_baseFee: { params: []; result: Quantity }
  /** Who gets the tips of the pending block. */
  eth_coinbase: { params: []; result: Address }
  /** From which block on the node has data of each kind. */
  eth_capabilities: {
    params: []
    result: { readonly head: { readonly number: Quantity; readonly hash: Hash } } & Readonly<
      Record<'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs', RpcKeptData>
    >
  }
  /** Storage slots of several accounts; at most 1,024 slots. */
  eth_getStorageValues: {
    params: [slots: Readonly<Record<Address, readonly BytesMax32[]>>, block?: BlockSelector]
    result: Readonly<Record<Address, readonly Hash[]>>
  }
  /** Wei per blob gas. */
  eth_blobBaseFee: { params: []; result: Quantity }
  /** The rules that the chain runs by (EIP-7910). */
  eth_config: { params: []; result: { current: RpcForkConfig; next: null; last: null } }
  /** Submits a signed transaction; its receipt, as soon as it is pre-confirmed. The timeout is in milliseconds, at most 6,000. */
  eth_sendRawTransactionSync: { params: [data: Hex, timeoutMs?: Quantity | number]; result: RpcReceipt }
  /** `true`: the node can be called. */
  net_listening: { params: []; result: boolean }
  /** 0: the chain has one node. */
  net_peerCount: { params: []; result: Quantity }
  /** keccak256 of bytes. */
  web3_sha3: { params: [data: Hex]; result: Hash }
  /** The namespaces of the methods that there are, each with its version. */
  rpc_modules: { params: []; result: Text }
  /** How many transactions wait in the pool. */
  txpool_status: { params: []; result: { pending: Quantity; queued: Quantity } }
  /** Transactions in the pool by sender and decimal nonce, a line each; best first, at most 1,000. */
  txpool_inspect: { params: []; result: { pending: Record<Address, Text>; queued: Record<Address, Text> } }
  /** Transactions of one sender in the pool, by decimal nonce. */
  txpool_contentFrom: { params: [address: Address]; result: { pending: Transactions; queued: Transactions } }
  /** Bytes of a transaction; `0x` if there is none, as in geth. */
  debug_getRawTransaction: { params: [hash: Hash]; result: Hex }
  /** RLP of a header. */
  debug_getRawHeader: { params: [block: BlockSelector]; result: Hex }
  /** RLP of a block. */
  debug_getRawBlock: { params: [block: BlockSelector]; result: Hex }
  /** Receipts of a block as they are hashed. */
  debug_getRawReceipts: { params: [block: BlockSelector]; result: readonly Hex[] }
}
