import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { BlockNumberOrTag, BlockSelector, RpcAccessListItem, RpcCall } from '#rpc-types/objects.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from '#rpc-types/overrides.ts'
import type {
  RpcSimulatedBlock,
  RpcStorageRange,
  RpcTrace,
  RpcTraceCallConfig,
  RpcTraceConfig,
  RpcTransactionTrace,
} from '#rpc-types/traces.ts'

/** Traces, simulations and access lists. Method → positional parameters and result. */
export interface DebugMethods {
  /** How a sealed or pre-confirmed transaction ran. */
  debug_traceTransaction: { params: [hash: Hash, config?: RpcTraceConfig]; result: RpcTrace }
  /** All transactions of a block, by its number or tag. */
  debug_traceBlockByNumber: {
    params: [block: BlockNumberOrTag, config?: RpcTraceConfig]
    result: readonly RpcTransactionTrace[]
  }
  /** All transactions of a sealed block. */
  debug_traceBlockByHash: { params: [hash: Hash, config?: RpcTraceConfig]; result: readonly RpcTransactionTrace[] }
  /** How a call would run. Unlike geth's, at `pending` as well; without a block, at `latest`. */
  debug_traceCall: { params: [call: RpcCall, block?: BlockSelector, config?: RpcTraceCallConfig]; result: RpcTrace }
  /**
   * Slots of an account that are not 0, in the order of their keys in the trie, from a key on; at most 10,000. The state is
   * the one that transaction `txIndex` of the block found; unlike geth's, with the number of transactions it is that after
   * all of them, and the pending block is `pending`.
   */
  debug_storageRangeAt: {
    params: [block: BlockSelector, txIndex: number, address: Address, keyStart: Hex, maxResult: number]
    result: RpcStorageRange
  }
  /** What a call would touch, and its gas. Without a price the call is free of fees, as it is for `eth_call`. */
  eth_createAccessList: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides]
    result: { accessList: readonly RpcAccessListItem[]; error?: string; gasUsed: Quantity }
  }
  /** Blocks of calls on top of a block; at most 256 blocks and the gas of one `eth_call`. */
  eth_simulateV1: {
    params: [
      simulation: {
        readonly blockStateCalls: readonly {
          readonly blockOverrides?: RpcBlockOverrides
          readonly stateOverrides?: RpcStateOverrides
          readonly calls?: readonly RpcCall[]
        }[]
        /** Shows transfers of ETH as logs of ERC-20 transfers, from 0xeeee…eeee (ERC-7528). */
        readonly traceTransfers?: boolean
        /** Checks nonces and fees as for a real transaction, senders and signatures not. */
        readonly validation?: boolean
        readonly returnFullTransactions?: boolean
      },
      block?: BlockSelector,
    ]
    result: readonly RpcSimulatedBlock[]
  }
}
