import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { BlockSelector, BlockTag, RpcHeader, RpcLog, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
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
  eth_getLogs: { params: [query: RpcLogQuery]; result: readonly RpcLog[] }
  /** The filter's id. With `toBlock: 'pending'` logs come when they are pre-confirmed. */
  eth_newFilter: { params: [query: RpcLogQuery]; result: Quantity }
  /** The filter's id. */
  eth_newBlockFilter: { params: []; result: Quantity }
  /** The filter's id. */
  eth_newPendingTransactionFilter: { params: [fullTransactions?: boolean]; result: Quantity }
  /** What happened since the poll before: logs, hashes of blocks, or transactions. */
  eth_getFilterChanges: { params: [id: Quantity]; result: readonly (Hash | RpcTransaction | RpcLog)[] }
  /** All logs that the filter's query selects. */
  eth_getFilterLogs: { params: [id: Quantity]; result: readonly RpcLog[] }
  eth_uninstallFilter: { params: [id: Quantity]; result: boolean }
  eth_syncing: { params: []; result: false }
  eth_getBlockTransactionCountByHash: { params: [hash: Hash]; result: Quantity | null }
  eth_getUncleCountByBlockNumber: { params: [block: BlockTag | Quantity]; result: Quantity | null }
  eth_getUncleCountByBlockHash: { params: [hash: Hash]; result: Quantity | null }
  eth_getUncleByBlockNumberAndIndex: { params: [block: BlockTag | Quantity, index: Quantity]; result: null }
  eth_getUncleByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: null }
  eth_getTransactionByBlockNumberAndIndex: {
    params: [block: BlockTag | Quantity, index: Quantity]
    result: RpcTransaction | null
  }
  eth_getTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: RpcTransaction | null }
  /** `0x` if there is none, as in geth. */
  eth_getRawTransactionByHash: { params: [hash: Hash]; result: Hex }
  /** `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockNumberAndIndex: { params: [block: BlockTag | Quantity, index: Quantity]; result: Hex }
  /** `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: Hex }
  eth_getHeaderByNumber: { params: [block: BlockTag | Quantity]; result: RpcHeader | null }
  eth_getHeaderByHash: { params: [hash: Hash]; result: RpcHeader | null }
  /** Wei per gas of the live block, which is the next one. */
  eth_baseFee: { params: []; result: Quantity }
  eth_coinbase: { params: []; result: Address }
  /** From which block on the node has data of each kind. */
  eth_capabilities: {
    params: []
    result: { readonly head: { readonly number: Quantity; readonly hash: Hash } } & Readonly<
      Record<'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs', RpcKeptData>
    >
  }
  /** The 32 bytes of each slot, by account; at most 1,024 slots. */
  eth_getStorageValues: {
    params: [slots: Readonly<Record<Address, readonly BytesMax32[]>>, block?: BlockSelector]
    result: Readonly<Record<Address, readonly Hash[]>>
  }
  /** Wei per blob gas. */
  eth_blobBaseFee: { params: []; result: Quantity }
  eth_config: { params: []; result: { current: RpcForkConfig; next: null; last: null } }
  /** The receipt as soon as the transaction is pre-confirmed; milliseconds, at most 6,000. */
  eth_sendRawTransactionSync: { params: [data: Hex, timeoutMs?: Quantity | number]; result: RpcReceipt }
  net_listening: { params: []; result: boolean }
  net_peerCount: { params: []; result: Quantity }
  /** keccak256. */
  web3_sha3: { params: [data: Hex]; result: Hash }
  /** Version of each namespace. */
  rpc_modules: { params: []; result: Text }
  txpool_status: { params: []; result: { pending: Quantity; queued: Quantity } }
  /** By sender and decimal nonce, a line each; best first, at most 1,000. */
  txpool_inspect: { params: []; result: { pending: Record<Address, Text>; queued: Record<Address, Text> } }
  /** By decimal nonce. */
  txpool_contentFrom: { params: [address: Address]; result: { pending: Transactions; queued: Transactions } }
  /** `0x` if there is none, as in geth. */
  debug_getRawTransaction: { params: [hash: Hash]; result: Hex }
  debug_getRawHeader: { params: [block: BlockSelector]; result: Hex }
  debug_getRawBlock: { params: [block: BlockSelector]; result: Hex }
  debug_getRawReceipts: { params: [block: BlockSelector]; result: readonly Hex[] }
}
