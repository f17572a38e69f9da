import type { Address, Hash } from '#primitives/hex.ts'
import type { AccessListItem, Authorization } from '../tx/transaction.ts'

/** One top-level message: the part of a transaction that code can see. */
export interface Message {
  /** `tx.origin` and `msg.sender`; its nonce was incremented already. */
  readonly from: Address
  /** `null` creates a contract at the address of the sender's previous nonce. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  /** Gas for execution: the limit less the intrinsic gas. */
  readonly gas: bigint
  /** Wei per gas, as GASPRICE sees it. */
  readonly gasPrice: bigint
  /** Addresses that are warm from the start, beside the sender, the target and its delegate, the coinbase and precompiles. */
  readonly warmAddresses: readonly Address[]
  /** Slots that are warm from the start. */
  readonly warmSlots: readonly { readonly address: Address; readonly slot: Hash }[]
  /** Versioned hashes of the blobs that come with it; none where it is left out. */
  readonly blobHashes?: readonly Hash[]
  /** Gas that was refunded before; counts in what a tracer sees and not in the result. */
  readonly refund?: bigint
  /** Whether nobody looks at the state afterwards, so that what the message changes need not come there. */
  readonly isTrial?: boolean
}

export interface EngineLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

export interface MessageResult {
  /** Gas that was used, the refund not yet taken off. */
  readonly gasUsed: bigint
  /** Sum of the refunds, uncapped. */
  readonly refund: bigint
  readonly logs: readonly EngineLog[]
  /** Return data, or revert data. */
  readonly output: Uint8Array
  /** `undefined` on success. */
  readonly failure: MessageFailure | undefined
  readonly contractAddress: Address | null
}

export interface MessageFailure {
  readonly kind: 'reverted' | 'halted'
  /** As geth words it: `execution reverted`, `out of gas`, `invalid opcode: opcode 0xfe not defined`, … */
  readonly message: string
}

/** Interrupts an execution between two of its steps. */
export interface ExecutionGuard {
  /**
   * Called now and then; may wait, so that others get their turn. The engine in WebAssembly calls it every 200,000 gas and
   * for precompiles that are not its own, the reference every few hundred jumps, 50,000 gas, and at every call.
   *
   * @throws {Error} To abort the execution; the engine lets it pass and the caller reverts the state.
   */
  checkpoint(): Promise<void> | undefined
}

/** A transaction or a call that has passed its checks and may run. */
export interface TransactionMessage {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** Gas limit, at least the intrinsic gas. */
  readonly gas: bigint
  /** Wei per gas that the sender pays. */
  readonly gasPrice: bigint
  /** Wei per gas of it that the coinbase gets. */
  readonly tip: bigint
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
  /** Versioned hashes of the blobs that it pays for; none where it is left out. */
  readonly blobHashes?: readonly Hash[]
  /** Whether nobody looks at the state afterwards. */
  readonly isTrial?: boolean
}

export interface Execution {
  /** Gas that the sender pays: refunds taken off, not below the floor of EIP-7623. */
  readonly gasUsed: bigint
  /** Gas that was needed at the peak, before refunds. */
  readonly peakGas: bigint
  readonly logs: readonly EngineLog[]
  readonly output: Uint8Array
  /** `undefined` on success. */
  readonly failure: MessageFailure | undefined
  readonly contractAddress: Address | null
}
