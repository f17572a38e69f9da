import type { Address, Hash } from '#primitives/hex.ts'
import type { AccessListItem, Authorization } from '../tx/transaction.ts'
import type { ConsoleCalls } from './console-calls.ts'
import type { L1Charge } from './rollup.ts'

/** One top-level message: the part of a transaction that code can see. */
export interface Message {
  /** `tx.origin` and `msg.sender`; its nonce was already incremented. */
  readonly from: Address
  /** `null` creates a contract at the address of the sender's previous nonce. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  /** Gas for execution: the gas limit less the intrinsic gas. */
  readonly gas: bigint
  /** Wei per gas, as GASPRICE sees it. */
  readonly gasPrice: bigint
  /** Initially warm addresses besides the sender, the target and its delegate, the coinbase and precompiles. */
  readonly warmAddresses: readonly Address[]
  /** Initially warm slots. */
  readonly warmSlots: readonly { readonly address: Address; readonly slot: Hash }[]
  /** Versioned hashes of its blobs; none by default. */
  readonly blobHashes?: readonly Hash[]
  /** Earlier refund; seen by a tracer but not part of the result. */
  readonly refund?: bigint
  /** Whether neither the state nor the logs are used afterwards, so that they need not be written. */
  readonly isTrial?: boolean
}

export interface EngineLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** What an execution leaves besides the gas that it takes. */
interface Outcome {
  readonly logs: readonly EngineLog[]
  /** Return data, or revert data. */
  readonly output: Uint8Array
  /** `undefined` on success. */
  readonly failure: MessageFailure | undefined
  readonly contractAddress: Address | null
  /** `undefined` if it has called no console. */
  readonly consoleCalls?: ConsoleCalls | undefined
}

export interface MessageResult extends Outcome {
  /** Gas used before refunds. */
  readonly gasUsed: bigint
  /** Sum of the refunds, uncapped. */
  readonly refund: bigint
}

export interface MessageFailure {
  readonly kind: 'reverted' | 'halted'
  /** In geth's wording: `execution reverted`, `out of gas`, `invalid opcode: opcode 0xfe not defined`, … */
  readonly message: string
}

/** A transaction or a call that has passed its checks. */
export interface TransactionMessage {
  readonly from: Address
  /** `null` creates a contract. */
  readonly to: Address | null
  /** Gas limit, at least the intrinsic gas. */
  readonly gas: bigint
  /** Wei per gas that the sender pays. */
  readonly gasPrice: bigint
  /** The part of it that the coinbase gets, in wei per gas. */
  readonly tip: bigint
  /** Wei. */
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
  /** Versioned hashes of the blobs it pays for; none by default. */
  readonly blobHashes?: readonly Hash[]
  /** What it pays for L1, on a chain of the OP stack. Calls pay nothing. */
  readonly l1?: L1Charge | undefined
  /** Whether neither the state nor the logs are used afterwards. */
  readonly isTrial?: boolean
}

export interface Execution extends Outcome {
  /** Gas that the sender pays: after refunds, at least the floor of EIP-7623. */
  readonly gasUsed: bigint
  /** Peak gas, before refunds. */
  readonly peakGas: bigint
  /** Gas that was given back, as far as the cap of EIP-3529 allows. */
  readonly refund: bigint
}
