import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

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
    /** Not by `flatCallTracer`. */
    readonly creationMethod?: 'create' | 'create2'
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
  /** Its position among those that its parent began, after the positions of all that it is within. */
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
