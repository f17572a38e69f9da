import type { Clock } from '#primitives/clock.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { createPacer } from '../turns/pacer.ts'

/** When a chain's whole state is written again, and how. */
export interface WholeStateRule {
  /**
   * The least length of the differences since the last whole state at which it is written again; they must also take half as
   * many bytes as it does. So neither writing nor opening a chain costs much more than its changes.
   */
  readonly leastDifferenceBytes: number
  /** How many blocks pass before it is written again, however little they changed. */
  readonly mostBlocks: number
  /**
   * The length from which on what has not changed for long is kept in memory as its bytes: reading an account that is kept
   * so takes as long as some hundred hashes.
   */
  readonly packedBytes: number
  /** Makes what lets others have their turn while it is written in the background. */
  readonly pacer: (clock: Clock) => ExecutionGuard
}

/** The rule of every chain but those of tests. */
export const WHOLE_STATES: WholeStateRule = {
  leastDifferenceBytes: 256 * 1024,
  mostBlocks: 1_024,
  packedBytes: 4 * 1024 * 1024,
  pacer: createPacer,
}
