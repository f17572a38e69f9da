import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { blockBy, bothSides, type FactsOf, NOTHING, stateAt, TRANSACTION, transaction } from '#rpc-types/method.ts'
import type { BlockNumberOrTag, BlockSelector, RpcCall } from '#rpc-types/objects.ts'

/**
 * Traces in Parity's format: the frames of a transaction as a list, calls of precompiled contracts left out. `gas` and
 * `gasUsed` of a transaction's own frame are without its intrinsic gas.
 */
export interface TraceMethods {
  /** Frames of a sealed or pre-confirmed transaction. */
  trace_transaction: { params: [hash: Hash]; result: readonly RpcLocalizedTrace[] | null }
  /** The frame of a transaction at a position in the tree of calls: `[]` is its own, `[0, 2]` the third that its first call made. */
  trace_get: { params: [hash: Hash, traceAddress: readonly (Quantity | number)[]]; result: RpcLocalizedTrace | null }
  /** Frames of all transactions of a block. */
  trace_block: { params: [block: BlockSelector]; result: readonly RpcLocalizedTrace[] | null }
  /**
   * Frames of a range of blocks, by default all; at most 100,000 blocks. Of blocks that have transactions the state before
   * them must still be kept.
   */
  trace_filter: { params: [filter: RpcTraceFilter]; result: readonly RpcLocalizedTrace[] }
  /** Executes a sealed or pre-confirmed transaction once more. */
  trace_replayTransaction: { params: [hash: Hash, types: readonly RpcTraceType[]]; result: RpcReplay }
  /** Executes all transactions of a block once more. */
  trace_replayBlockTransactions: {
    params: [block: BlockSelector, types: readonly RpcTraceType[]]
    result: readonly (RpcReplay & { readonly transactionHash: Hash })[] | null
  }
  /** The gas of a transaction by opcode; `null` if it is in no block. */
  trace_transactionOpcodeGas: { params: [hash: Hash]; result: RpcTransactionOpcodeGas | null }
  /** The gas of each transaction of a block by opcode; `null` without such a block. */
  trace_blockOpcodeGas: { params: [block: BlockSelector]; result: RpcBlockOpcodeGas | null }
  /** Traces a call on the state after a block, by default `latest`. */
  trace_call: { params: [call: RpcCall, types: readonly RpcTraceType[], block?: BlockSelector]; result: RpcReplay }
  /** Traces calls in sequence, each on the state that the one before leaves; at most 256. */
  trace_callMany: {
    params: [calls: readonly (readonly [call: RpcCall, types: readonly RpcTraceType[]])[], block?: BlockSelector]
    result: readonly RpcReplay[]
  }
  /** Traces a signed transaction on the state of `latest`, whatever its nonce is; it is not submitted. */
  trace_rawTransaction: { params: [raw: Hex, types: readonly RpcTraceType[]]; result: RpcReplay }
}

export const TRACE_FACTS = {
  trace_transaction: { effect: 'reads', subject: transaction('list'), guest: 'never', example: [TRANSACTION] },
  trace_get: { effect: 'reads', subject: transaction('object'), guest: 'never', example: [TRANSACTION, []] },
  trace_block: { effect: 'reads', subject: blockBy('either', 'list'), guest: 'never', example: ['pending'] },
  trace_filter: {
    effect: 'reads',
    subject: bothSides('list'),
    guest: 'never',
    example: [{ fromBlock: 'earliest', toBlock: 'pending', count: 10 }],
  },
  trace_replayTransaction: {
    effect: 'reads',
    subject: transaction('object'),
    guest: 'never',
    example: [TRANSACTION, ['trace', 'stateDiff']],
  },
  trace_replayBlockTransactions: {
    effect: 'reads',
    subject: blockBy('either', 'list'),
    guest: 'never',
    example: ['pending', ['trace', 'stateDiff']],
  },
  trace_transactionOpcodeGas: {
    effect: 'reads',
    subject: transaction('object'),
    guest: 'never',
    example: [TRANSACTION],
  },
  trace_blockOpcodeGas: { effect: 'reads', subject: blockBy('either', 'object'), guest: 'never', example: ['pending'] },
  trace_call: { effect: 'reads', subject: stateAt(2, 'object'), guest: 'never' },
  trace_callMany: { effect: 'reads', subject: stateAt(1, 'list'), guest: 'never' },
  trace_rawTransaction: { effect: 'reads', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<TraceMethods>

/** What a replay tells; Parity's `vmTrace` is not supported. */
export type RpcTraceType = 'trace' | 'stateDiff'

/** Selects frames. */
export interface RpcTraceFilter {
  readonly fromBlock?: BlockNumberOrTag
  readonly toBlock?: BlockNumberOrTag
  /** Callers, creators, what destroys itself; at most 1,000. */
  readonly fromAddress?: readonly Address[]
  /** What is called, created, or inherits; at most 1,000. */
  readonly toAddress?: readonly Address[]
  /** Whether a frame has to be in one of both lists (`union`, as by default) or in both. */
  readonly mode?: 'union' | 'intersection'
  /** Frames to leave out first. */
  readonly after?: Quantity | number
  /** Most frames. */
  readonly count?: Quantity | number
}

/** What a transaction does when it is executed once more. */
export interface RpcReplay {
  /** Return data, revert data, or the code of the created contract. */
  readonly output: Hex
  /** Empty unless asked for. */
  readonly trace: readonly RpcFlatTrace[]
  /** `null` unless asked for. */
  readonly stateDiff: RpcStateDiff | null
  readonly vmTrace: null
}

/** What an opcode took in a transaction. */
export interface RpcOpcodeGas {
  /** Name of the opcode. */
  readonly opcode: string
  /** How often it began. */
  readonly count: number
  /**
   * Gas in all; of calls and creations without what the code that they begin has used. What an exception takes in the end
   * belongs to no opcode.
   */
  readonly gasUsed: number
}

/** Gas of a transaction by opcode, the dearest first; its intrinsic gas belongs to none. */
export interface RpcTransactionOpcodeGas {
  readonly transactionHash: Hash
  readonly opcodeGas: readonly RpcOpcodeGas[]
}

export interface RpcBlockOpcodeGas {
  readonly blockHash: Hash
  readonly blockNumber: number
  /** In the order of the block. */
  readonly transactions: readonly RpcTransactionOpcodeGas[]
}

/** Accounts that a transaction changes. */
export type RpcStateDiff = Readonly<Record<Address, RpcAccountDiff>>

export interface RpcAccountDiff {
  /** Wei. */
  readonly balance: RpcDelta<Quantity>
  readonly nonce: RpcDelta<Quantity>
  readonly code: RpcDelta<Hex>
  /** Slots that change. */
  readonly storage: Readonly<Record<Hash, RpcDelta<Hash>>>
}

/** Unchanged, changed, new with its account, or gone with it. */
export type RpcDelta<Value> =
  | '='
  | { readonly '*': { readonly from: Value; readonly to: Value } }
  | { readonly '+': Value }
  | { readonly '-': Value }

/** A call, in Parity's format. */
export interface RpcFlatCall {
  readonly type: 'call'
  readonly action: {
    readonly callType: 'call' | 'callcode' | 'delegatecall' | 'staticcall'
    readonly from: Address
    readonly to: Address
    /** Wei. */
    readonly value: Quantity
    readonly gas: Quantity
    readonly input: Hex
  }
  /** `null` or absent, if it failed other than by a revert. */
  readonly result?: { readonly gasUsed: Quantity; readonly output: Hex } | null
}

/** A creation, in Parity's format. */
export interface RpcFlatCreation {
  readonly type: 'create'
  readonly action: {
    readonly from: Address
    /** Wei. */
    readonly value: Quantity
    readonly gas: Quantity
    readonly init: Hex
    readonly creationMethod: 'create' | 'create2'
  }
  /** `null` or absent, if it failed other than by a revert. Reverted, `code` is the data of the revert. */
  readonly result?: { readonly gasUsed: Quantity; readonly address?: Address; readonly code: Hex } | null
}

/** A self-destruction, in Parity's format. */
export interface RpcFlatDestruction {
  readonly type: 'suicide'
  readonly action: {
    readonly address: Address
    readonly refundAddress: Address
    /** Wei. */
    readonly balance: Quantity
  }
  readonly result?: null
}

/** A frame and its place in the tree of calls. */
export type RpcFlatTrace = (RpcFlatCall | RpcFlatCreation | RpcFlatDestruction) & {
  readonly error?: string
  /** Frames that it began in turn. */
  readonly subtraces: number
  /** Position among the frames that its parent began, after the positions of all that it is within. */
  readonly traceAddress: readonly number[]
}

/** A frame with its place on the chain. */
export type RpcLocalizedTrace = RpcFlatTrace & {
  /** `null` until the block is sealed. */
  readonly blockHash: Hash | null
  readonly blockNumber: number
  /** `null` for a call that is no transaction. */
  readonly transactionHash: Hash | null
  readonly transactionPosition: number
}
