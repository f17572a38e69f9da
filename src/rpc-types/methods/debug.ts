import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import {
  ACCOUNT,
  blockBy,
  type FactsOf,
  NOTHING,
  OTHER,
  own,
  stateAt,
  TRANSACTION,
  transaction,
} from '#rpc-types/method.ts'
import type { RpcLocalizedTrace } from '#rpc-types/methods/trace.ts'
import type { BlockNumberOrTag, BlockSelector, RpcCall } from '#rpc-types/objects.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from '#rpc-types/overrides.ts'

/** Traces, slots of accounts, and bytes as they are hashed. */
export interface DebugMethods {
  /** Bytes of a transaction; `0x` if there is none, as in geth. */
  debug_getRawTransaction: { params: [hash: Hash]; result: Hex }
  /** RLP of a header. */
  debug_getRawHeader: { params: [block: BlockSelector]; result: Hex }
  /** RLP of a block. */
  debug_getRawBlock: { params: [block: BlockSelector]; result: Hex }
  /** Receipts of a block as they are hashed. */
  debug_getRawReceipts: { params: [block: BlockSelector]; result: readonly Hex[] }
  /** Traces a sealed or pre-confirmed transaction. */
  debug_traceTransaction: { params: [hash: Hash, config?: RpcTraceConfig]; result: RpcTrace }
  /** All transactions of a block, by its number or tag. */
  debug_traceBlockByNumber: {
    params: [block: BlockNumberOrTag, config?: RpcTraceConfig]
    result: readonly RpcTransactionTrace[]
  }
  /** All transactions of a sealed block. */
  debug_traceBlockByHash: { params: [hash: Hash, config?: RpcTraceConfig]; result: readonly RpcTransactionTrace[] }
  /** All transactions of a block of RLP, which may be one that this chain does not have, on a parent that it has. */
  debug_traceBlock: { params: [block: Hex, config?: RpcTraceConfig]; result: readonly RpcTransactionTrace[] }
  /**
   * All that the execution of a block needs besides its RLP, so that anyone can repeat it who knows the parent's hash. Not of
   * a fork, nor of a block in which the state was edited or an impersonated account has sent.
   */
  debug_executionWitness: { params: [block: BlockSelector]; result: RpcExecutionWitness }
  /** Traces a call that is not sent. Unlike geth's, at `pending` as well; without a block, at `latest`. */
  debug_traceCall: { params: [call: RpcCall, block?: BlockSelector, config?: RpcTraceCallConfig]; result: RpcTrace }
  /** Code by its hash, of any contract that this chain has or had; `0x` if there is none. */
  debug_codeByHash: { params: [codeHash: Hash]; result: Hex }
  /**
   * Slots of an account that are not 0, in the order of their keys in the trie, from a key on; at most 10,000. The state is
   * the one that transaction `txIndex` of the block found; unlike geth's, with the number of transactions it is that after
   * all of them, and the pending block is `pending`.
   */
  debug_storageRangeAt: {
    params: [block: BlockSelector, txIndex: number, address: Address, keyStart: Hex, maxResult: number]
    result: RpcStorageRange
  }
}

export const DEBUG_FACTS = {
  debug_getRawTransaction: { effect: 'reads', subject: transaction('text'), guest: 'never' },
  debug_getRawHeader: { effect: 'reads', subject: blockBy('either', 'text'), guest: 'never' },
  debug_getRawBlock: { effect: 'reads', subject: blockBy('either', 'text'), guest: 'never' },
  debug_getRawReceipts: { effect: 'reads', subject: blockBy('either', 'list'), guest: 'never' },
  debug_traceTransaction: {
    effect: 'reads',
    subject: transaction('any'),
    guest: 'never',
    example: [TRANSACTION, { tracer: 'callTracer' }],
  },
  debug_traceBlockByNumber: { effect: 'reads', subject: blockBy('number', 'list'), guest: 'never' },
  debug_traceBlockByHash: { effect: 'reads', subject: blockBy('either', 'list'), guest: 'never' },
  debug_traceBlock: { effect: 'reads', subject: own('block'), guest: 'never' },
  debug_executionWitness: { effect: 'reads', subject: own('block'), guest: 'never', example: ['latest'] },
  debug_codeByHash: { effect: 'reads', subject: NOTHING, guest: 'never' },
  debug_traceCall: {
    effect: 'reads',
    subject: stateAt(1, 'any'),
    guest: 'never',
    example: [{ from: ACCOUNT, to: OTHER, value: '0x1' }, 'latest', { tracer: 'callTracer' }],
  },
  debug_storageRangeAt: { effect: 'reads', subject: blockBy('either', 'object'), guest: 'never' },
} as const satisfies FactsOf<DebugMethods>

/** Options for tracing; those of the struct logger stand beside the tracer's name, as in geth. */
export interface RpcTraceConfig {
  /** Without one, the struct logger. */
  readonly tracer?:
    | 'callTracer'
    | 'flatCallTracer'
    | 'prestateTracer'
    | '4byteTracer'
    | 'erc7562Tracer'
    | 'muxTracer'
    | 'noopTracer'
    | (string & {})
  readonly tracerConfig?: {
    /** `callTracer`: leaves out what the transaction calls in turn. */
    readonly onlyTopCall?: boolean
    /** `callTracer`, `erc7562Tracer`: with the logs of each frame. */
    readonly withLog?: boolean
    /** `prestateTracer`: what changed, before and after. */
    readonly diffMode?: boolean
    /** `prestateTracer`. */
    readonly disableCode?: boolean
    /** `prestateTracer`. */
    readonly disableStorage?: boolean
    /** `prestateTracer`: with accounts that do not exist. */
    readonly includeEmpty?: boolean
    /** `flatCallTracer`: words errors as Parity did. */
    readonly convertParityErrors?: boolean
    /** `flatCallTracer`: with calls of precompiled contracts. */
    readonly includePrecompiles?: boolean
    /** `erc7562Tracer`: opcodes that `usedOpcodes` leaves out; by default those for the stack, and plain arithmetic. */
    readonly ignoredOpcodes?: readonly Quantity[]
    /** `erc7562Tracer`: taken as geth's clients give it; no answer depends on it. */
    readonly stackTopItemsSize?: number
    /** `muxTracer`: the `tracerConfig` of each tracer that is to run, by its name. */
    readonly [tracer: string]: unknown
  }
  /** As Go writes durations, `10s` or `1m30s`; default 5 s, at most a minute. */
  readonly timeout?: string
  readonly enableMemory?: boolean
  readonly disableStack?: boolean
  readonly disableStorage?: boolean
  readonly enableReturnData?: boolean
  /** Most steps; 0 for all. */
  readonly limit?: number
}

export interface RpcTraceCallConfig extends RpcTraceConfig {
  readonly stateOverrides?: RpcStateOverrides
  readonly blockOverrides?: RpcBlockOverrides
  /** The call is made before the block's transaction with that index, instead of after the last. */
  readonly txIndex?: Quantity
}

export interface RpcCallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** Among the logs of the block. */
  readonly index: Quantity
  /** Calls of the frame that came before. */
  readonly position: Quantity
}

/** Result of `callTracer`. */
export interface RpcCallFrame {
  readonly type: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'
  readonly from: Address
  /** Absent where a creation failed. */
  readonly to?: Address
  /** Wei; absent for a STATICCALL. */
  readonly value?: Quantity
  readonly gas: Quantity
  readonly gasUsed: Quantity
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  /** Reason of `Error(string)` and `Panic(uint256)`. */
  readonly revertReason?: string
  readonly calls?: readonly RpcCallFrame[]
  readonly logs?: readonly RpcCallLog[]
}

/** Result of `erc7562Tracer`: a frame as of `callTracer`, with what the rules of ERC-7562 ask about. */
export interface RpcErc7562Frame extends Omit<RpcCallFrame, 'calls'> {
  readonly accessedSlots: {
    /** For each slot that is read before it is written, its value. */
    readonly reads: Readonly<Record<Hash, readonly Hash[]>>
    /** How often each slot is written. */
    readonly writes: Readonly<Record<Hash, number>>
    /** How often each slot of transient storage is read, and written. */
    readonly transientReads: Readonly<Record<Hash, number>>
    readonly transientWrites: Readonly<Record<Hash, number>>
  }
  /** Accounts whose code is looked at by an EXTCODE… opcode, each time; not where EXTCODESIZE is followed by ISZERO. */
  readonly extCodeAccessInfo: readonly Address[]
  /** How often each opcode is used, by its code; GAS only where no call follows it. */
  readonly usedOpcodes: Readonly<Record<Quantity, number>>
  /** Bytes of the code of each account that is called or looked at, and the first opcode that does so. */
  readonly contractSize: Readonly<Record<Address, { readonly contractSize: number; readonly opcode: number }>>
  /** Never for the transaction's own frame, as in geth. */
  readonly outOfGas: boolean
  /** Only in the transaction's own frame: all that was hashed in it, each once, in ascending order. */
  readonly keccak?: readonly Hex[]
  readonly calls?: readonly RpcErc7562Frame[]
}

/** An account in the result of `prestateTracer`. Fields that are 0, empty or, in `post`, unchanged are absent. */
export interface RpcTracedAccount {
  /** Wei. */
  readonly balance?: Quantity
  readonly nonce?: number
  readonly code?: Hex
  readonly codeHash?: Hash
  readonly storage?: Readonly<Record<Hash, Hash>>
}

export type RpcPrestate = Readonly<Record<Address, RpcTracedAccount>>

export interface RpcPrestateDiff {
  readonly pre: RpcPrestate
  readonly post: RpcPrestate
}

/** A step; amounts of gas are numbers, as geth has them. */
export interface RpcStructLog {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  /** 1 in the code that the transaction calls. */
  readonly depth: number
  readonly error?: string
  /** Lowest word first. */
  readonly stack?: readonly Quantity[]
  readonly returnData?: Hex
  /** Words. */
  readonly memory?: readonly Hash[]
  /** Only where the step uses a slot: all slots of the account that were used so far. */
  readonly storage?: Readonly<Record<Hash, Hash>>
  readonly refund?: number
}

/** Result of the struct logger. */
export interface RpcStructLogTrace {
  readonly gas: number
  readonly failed: boolean
  readonly returnValue: Hex
  readonly structLogs: readonly RpcStructLog[]
}

/** Result of `4byteTracer`: how often each selector was called, by the selector and the size of what followed: `0x…-32`. */
export type RpcSelectorCounts = Readonly<Record<string, number>>

/** Depends on the tracer: of `muxTracer` it is an object with the result of each by its name, of `noopTracer` an empty one. */
export type RpcTrace =
  | RpcStructLogTrace
  | RpcCallFrame
  | RpcErc7562Frame
  | RpcPrestate
  | RpcPrestateDiff
  | RpcSelectorCounts
  | readonly RpcLocalizedTrace[]
  | RpcMuxTrace

/** Result of `muxTracer`: that of each tracer by its name. */
export interface RpcMuxTrace {
  readonly [tracer: string]: RpcTrace
}

export interface RpcTransactionTrace {
  readonly txHash: Hash
  readonly result: RpcTrace
}

/** What is needed to execute a block without a state, as in reth. */
export interface RpcExecutionWitness {
  /** RLP of nodes of the parent's tries. */
  readonly state: readonly Hex[]
  /** Codes of the accounts that are used. */
  readonly codes: readonly Hex[]
  /** Preimages of the tries' keys: addresses that are used, each followed by slots of it. */
  readonly keys: readonly Hex[]
  /** RLP of the headers before the block, the parent's last; older ones as far as their hashes are asked for. */
  readonly headers: readonly Hex[]
}

/** A part of an account's storage. */
export interface RpcStorageRange {
  /** By the keccak256 of the slot, which is its key in the trie; `key` is the slot itself. */
  readonly storage: Readonly<Record<Hash, { readonly key: Hash; readonly value: Hash }>>
  /** Key at which the next part begins; `null` after the last. */
  readonly nextKey: Hash | null
}
