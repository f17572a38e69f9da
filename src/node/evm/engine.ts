import type { Address } from '#primitives/hex.ts'
import type { Fork } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { BlockEnv } from './block-env.ts'
import type { ExecutionGuard, Message, MessageResult } from './message.ts'
import type { Tracer } from './tracer.ts'

/**
 * An Ethereum virtual machine under the rules of one fork. It changes the state; what it keeps in itself from message to
 * message can be told by nobody, as it is checked against the state each time.
 */
export interface Engine {
  /**
   * Runs a message to its end, including the removal of what self-destructed and what is empty (EIP-161).
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
  /** Bytes that code has at the most. */
  readonly codeSizeLimit: number
  /** Addresses of the precompiled contracts. */
  readonly precompiles: ReadonlySet<Address>
}
