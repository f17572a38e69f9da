import type { Address } from '#primitives/hex.ts'
import type { HardforkName } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import type { BlockEnv } from './block-env.ts'
import type { Message, MessageResult } from './message.ts'
import type { Rollup } from './rollup.ts'
import type { ExecutionWatcher, Tracer } from './tracer.ts'

/**
 * An Ethereum virtual machine with the rules of one hardfork. It changes the state. What it caches between messages is not
 * observable, since it is checked against the state each time.
 */
export interface Engine {
  /**
   * Executes a message to its end, including the removal of self-destructed and empty accounts (EIP-161). A failed
   * message does not change the state.
   *
   * @param tracer - Watches the execution; without one tracing costs nothing.
   * @returns A promise only if there was something to wait for.
   * @throws {Error} If the guard aborts or the engine itself fails; the state is then as before.
   */
  run(
    state: WorldState,
    env: BlockEnv,
    message: Message,
    guard: ExecutionGuard,
    tracer?: Tracer,
  ): MessageResult | Promise<MessageResult>
  readonly hardfork: HardforkName
  /** The most bytes of a contract's code. */
  readonly codeSizeLimit: number
  /** Addresses of the precompiled contracts. */
  readonly precompiles: ReadonlySet<Address>
  /** What transactions and blocks do besides, on a chain of the OP stack. */
  readonly rollup?: Rollup | undefined
  /** Counts what transactions and calls execute, where somebody wants to know. */
  readonly executed?: ExecutionWatcher | undefined
}
