import type { Clock } from '#primitives/clock.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { createPacer } from '../turns/pacer.ts'

/** When a chain's whole state is written again, and how. */
export interface WholeStateRule {
  /**
   * A whole state is written again once the differences since the last one take half as many bytes as it does, and at least these. So
   * neither writing nor opening a chain costs much more than its changes.
   */
  readonly leastDifferenceBytes: number
  /** How many blocks pass before it is written again, however little they changed. */
  readonly mostBlocks: number
  /**
   * The length from which on what has not changed for long is kept in memory as its bytes: reading an account that is kept
   * so takes as long as some hundred hashes.
   */
  readonly packedBytes: number
  /** Where it is written in the background, it may pause between its pieces. */
  readonly pacer: (clock: Clock) => ExecutionGuard
}

/** The rule of every chain but those of tests. */
export const WHOLE_STATES: WholeStateRule = {
  leastDifferenceBytes: 256 * 1024,
  mostBlocks: 1_024,
  packedBytes: 4 * 1024 * 1024,
  pacer: createPacer,
}
