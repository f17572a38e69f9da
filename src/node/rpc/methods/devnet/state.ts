import { defineMethod, type MethodTable } from '../../define-method.ts'
import { optional } from '../../params/param.ts'
import { answeringTrue } from '../anvil/answering.ts'
import { snapshotId } from '../anvil/anvil-params.ts'
import { dumpState, resetNode, revertToSnapshot, takeSnapshot } from '../anvil/state.ts'
import { type RawAccounts, stateDump } from '../anvil/state-dump-params.ts'

/** Snapshots, the reset, and state dumps. */
export const DEVNET_STATE_METHODS = {
  devnet_snapshot: defineMethod([], takeSnapshot),

  devnet_revert: defineMethod([snapshotId], revertToSnapshot),

  devnet_reset: defineMethod([optional(snapshotId, undefined)], async (context, snapshot) => {
    await resetNode(context, snapshot)
    return true as const
  }),

  /** Exports every account. */
  devnet_exportState: defineMethod([], dumpState, { queue: 'answer' }),

  /** Replaces all accounts with those of the dump. */
  devnet_importState: defineMethod(
    [stateDump],
    answeringTrue(async (context, raw: RawAccounts) => {
      const { readAccounts, replaceAccounts } = await import('../anvil/dumped-state.ts')
      const accounts = await readAccounts(context, raw)
      return context.control.editInSteps((state) => replaceAccounts(state, accounts))
    }),
  ),
} satisfies Partial<MethodTable>
