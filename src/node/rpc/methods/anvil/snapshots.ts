import { defineMethod, type MethodTable } from '../../define-method.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { snapshotId } from './anvil-params.ts'
import { revertToSnapshot, takeSnapshot } from './state.ts'

/** Snapshots and going back. */
export const ANVIL_SNAPSHOT_METHODS = {
  /** Remembers the chain. */
  evm_snapshot: defineMethod([], takeSnapshot),
  anvil_snapshot: defineMethod([], takeSnapshot),

  /** Goes back to a snapshot. */
  evm_revert: defineMethod([snapshotId], revertToSnapshot),
  anvil_revert: defineMethod([snapshotId], revertToSnapshot),

  /** Takes sealed blocks back, with what was in them. */
  anvil_rollback: defineMethod([optional(integerWithin(1, 2 ** 32), 1)], async ({ control }, depth) => {
    await control.reorg(depth, 'lose')
    return null
  }),
} satisfies Partial<MethodTable>
