import type { Address, Hash } from '#primitives/hex.ts'
import type { Fork } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { BlockEnv } from './block-env.ts'
import type { Tracer } from './tracer.ts'

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

/**
 * An Ethereum virtual machine under the rules of one fork. It changes the state; what it keeps in itself from message to
 * message can be told by nobody, as it is checked against the state each time.
 */
export interface Engine {
  /**
   * Runs a message and all that comes of it, down to removing what self-destructed and what is empty (EIP-161).
   * A failed message leaves the state as it was.
   *
   * @param tracer - Watches; without one nothing is spent on it.
   * @returns A promise only where there was something to wait for.
   * @throws {Error} If the guard aborts or the engine itself fails; the state is then as at the call.
   */
  run(
    state: WorldState,
    env: BlockEnv,
    message: Message,
    guard: ExecutionGuard,
    tracer?: Tracer,
  ): MessageResult | Promise<MessageResult>
  readonly fork: Fork
  /** Addresses of the precompiled contracts. */
  readonly precompiles: ReadonlySet<Address>
}
